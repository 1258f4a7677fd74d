"""The format that a page of statistics is about."""

from __future__ import annotations

from collections.abc import Collection

from django.http import HttpRequest

from ...models import Playgroup


def chosen_format(request: HttpRequest, group: Playgroup, played: Collection[str]) -> str:
    """Return the requested format, or the playgroup's; if that was not played, any that was."""
    wanted = (request.GET.get("format", ""), group.format, *played)
    return next((format for format in wanted if format in played), group.format)
