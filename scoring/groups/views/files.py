"""What is sent of a playgroup beside its pages: downloads, a feed, and streams of changes."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.views.decorators.http import require_GET, require_safe

from coalition_site.lib.feeds import AtomFeed
from coalition_site.lib.requests import Request

from ...live.hub import stream
from ...models import GameSet, Playgroup
from ...views.tables import viewer_view
from .. import queries
from ..exporting import export_group
from ..results_csv import export_results
from .decorators import group_view


@require_safe
@group_view
def export(request: Request, group: Playgroup) -> StreamingHttpResponse:
    return _file(export_group(group), "application/json", f"playgroup-{group.code}.json")


@require_safe
@group_view
def export_csv(request: Request, group: Playgroup) -> StreamingHttpResponse:
    return _file(export_results(group), "text/csv; charset=utf-8", f"results-{group.code}.csv")


def _file(content: Any, content_type: str, name: str) -> StreamingHttpResponse:
    response = StreamingHttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@require_GET
@viewer_view
def table_stream(request: Request, game_set: GameSet) -> HttpResponseBase:
    return stream(request, f"s{game_set.pk}")


@require_GET
@group_view
def group_stream(request: Request, group: Playgroup) -> HttpResponseBase:
    return stream(request, f"g{group.pk}")


class FinishedSets(AtomFeed):
    def title(self, group: Playgroup) -> str:
        return f"Sets of {group.name}"

    def link(self, group: Playgroup) -> str:
        return reverse("board", args=[group.code])

    def items(self, group: Playgroup) -> list[tuple[GameSet, str]]:
        return queries.finished_sets(group)

    def item_title(self, item: tuple[GameSet, str]) -> str:
        return item[1]

    def item_link(self, item: tuple[GameSet, str]) -> str:
        return reverse("watch", args=[item[0].code])

    def item_pubdate(self, item: tuple[GameSet, str]) -> Any:
        return item[0].finished_at

    item_updateddate = item_pubdate
    item_description = item_title


@require_safe
@group_view
def feed(request: Request, group: Playgroup) -> HttpResponse:
    return FinishedSets()(request, of=group)
