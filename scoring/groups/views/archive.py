"""A playgroup's seasons, with their winners and their leaderboards."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from coalition_site.lib.requests import Request

from ...models import Playgroup
from ...results import ratings
from .. import leaderboard, pages, queries, winners
from ..forms.board import BoardForm
from .rooms import seen, shown


@require_safe
@seen
def seasons(request: Request, group: Playgroup) -> HttpResponse:
    """Show all seasons, with who won them."""
    found = winners.finishes(group, queries.seasons(group), queries.today(group))
    return shown(request, group, "archive", {"finishes": found, "listed": leaderboard.LISTED})


@require_safe
@seen
def season(request: Request, group: Playgroup, pk: int) -> HttpResponse:
    """Show who won a season, how everybody stood in it, and the race."""
    found, today = get_object_or_404(group.seasons, pk=pk), queries.today(group)
    asked = {"season": str(pk), "sort": request.GET.get("sort", "")}
    form = BoardForm(asked, seasons=[found], today=today, format=group.format)
    context = {
        "season": found,
        "is_over": found.ends_on < today,
        "form": form,
        "rated": ratings.PROVISIONAL,
    }
    if not form.is_valid():
        return shown(request, group, "season", context | {"rows": []}, status=422)
    board = leaderboard.board(group, form.wanted)
    context |= pages.table(board, form.column, form.wanted)
    context["first"] = winners.first_ranked(board.rows, by=leaderboard.ranked_by(group.format))
    return shown(request, group, "season", context)
