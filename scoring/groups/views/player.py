"""A player's page: sums, rating, opponents, heroes and types, and all sets."""

from __future__ import annotations

from collections.abc import Collection

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_safe

from coalition_site.requests import Request

from ... import access
from ...models import Player, Playgroup, SetResult
from ...rules.formats import scores
from ...show import format_name
from .. import course, played, queries, ratings
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
    rows = played.sums(found)
    format = _format(request, group, rows)
    opponents, latest = played.opponents(found, format), played.course(found, format)
    row = rows.get(format) or Row(found)
    row.form = latest
    context = {
        "player": found,
        "row": row,
        "formats": [(key, format_name(key)) for key in rows],
        "format": format,
        "scores": scores(format),
        "chart": course.chart(latest),
        "best": played.best(opponents),
        "worst": played.worst(opponents),
        "enough": played.ENOUGH,
        "rated": ratings.PROVISIONAL,
        "heroes": played.led(results, "hero"),
        "types": played.led(results, "coalition_type"),
        "page": played.page(results, page_number(request)),
    }
    if request.user.is_authenticated and access.belongs(request, group):
        context["may_claim"] = queries.may_claim(found, request.user.pk)
        context["claimed"] = queries.has_claimed(found, request.user.pk)
    return shown(request, group, "player", context)


def _format(request: Request, group: Playgroup, rows: Collection[str]) -> str:
    """Return the format that is asked for, or the playgroup's; else the one that was played."""
    wanted = (request.GET.get("format", ""), group.format, *rows)
    return next((format for format in wanted if format in rows), group.format)
