"""Streams that tell open pages when to reload what changed."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from ...live.hub import stream
from ...models import Playgroup
from ...play.queries import Table
from ...views.tables import Request, viewer_view
from .decorators import group_view


@require_GET
@viewer_view
def table_stream(request: Request, table: Table) -> HttpResponse:
    """Stream a table's changes to whoever may watch it."""
    return stream(f"s{table.game_set.pk}")


@require_GET
@group_view
def group_stream(request: Request, group: Playgroup) -> HttpResponse:
    """Stream the changes at a playgroup's tables to whoever may see it."""
    return stream(f"g{group.pk}")
