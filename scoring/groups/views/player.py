"""A player's page: sums, rating, opponents, heroes and types, and all sets."""

from __future__ import annotations

from collections.abc import Collection

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_safe

from coalition_site.lib.requests import Request

from ... import access
from ...models import Player, Playgroup, SetResult
from ...pages.board import format_name
from ...results import ratings
from ...rules.formats import scores
from .. import course, queries, statistics
from ..leaderboard import Row
from .rooms import page_number, seen, shown


@require_safe
@seen
def player(request: Request, group: Playgroup, pk: int) -> HttpResponse:
    """Show what a player did; who was merged into another is found there."""
    found = get_object_or_404(Player, playgroup=group, pk=pk)
    if found.merged_into_id:
        return redirect("player", group.code, found.merged_into_id)
    found.playgroup = group
    results = SetResult.objects.filter(player=found)
    rows = statistics.sums_by_format(found)
    format = _format(request, group, rows)
    opponents, latest = statistics.opponents(found, format), statistics.rated_results(found, format)
    row = rows.get(format) or Row(found)
    row.form = latest
    context = {
        "player": found,
        "row": row,
        "formats": [(key, format_name(key)) for key in rows],
        "format": format,
        "scores": scores(format),
        "chart": course.chart(latest),
        "best": statistics.best(opponents),
        "worst": statistics.worst(opponents),
        "enough": statistics.ENOUGH,
        "rated": ratings.PROVISIONAL,
        "heroes": statistics.totals_by(results, "hero"),
        "types": statistics.totals_by(results, "coalition_type"),
        "page": statistics.page(results, page_number(request)),
    }
    if request.user.is_authenticated and access.belongs(request, group):
        context["may_claim"] = queries.may_claim(found, request.user.pk)
        context["claimed"] = queries.has_claimed(found, request.user.pk)
    return shown(request, group, "player", context)


def _format(request: Request, group: Playgroup, rows: Collection[str]) -> str:
    """Return the format that is asked for, or the playgroup's; else the one that was played."""
    wanted = (request.GET.get("format", ""), group.format, *rows)
    return next((format for format in wanted if format in rows), group.format)
