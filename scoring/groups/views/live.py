"""Streams that tell open pages when to reload what changed."""

from __future__ import annotations

from django.http.response import HttpResponseBase
from django.views.decorators.http import require_GET

from coalition_site.lib.requests import Request

from ...live.hub import stream
from ...models import GameSet, Playgroup
from ...views.tables import viewer_view
from .decorators import group_view


@require_GET
@viewer_view
def table_stream(request: Request, game_set: GameSet) -> HttpResponseBase:
    """Stream a table's changes to whoever may watch it."""
    return stream(request, f"s{game_set.pk}")


@require_GET
@group_view
def group_stream(request: Request, group: Playgroup) -> HttpResponseBase:
    """Stream the changes at a playgroup's tables to whoever may see it."""
    return stream(request, f"g{group.pk}")
