"""A playgroup's seasons, with their winners and their leaderboards."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from coalition_site.lib.requests import Request

from ...models import Playgroup
from .. import leaderboard, queries, winners
from ..forms.board import BoardForm
from ..pages.board import ArchivePage, SeasonPage
from .decorators import group_view


@require_safe
@group_view
def seasons(request: Request, group: Playgroup) -> HttpResponse:
    """Show all seasons with their winners."""
    finishes = winners.finishes(group, queries.seasons(group), queries.today(group))
    return ArchivePage(group=group, finishes=finishes).respond(request)


@require_safe
@group_view
def season(request: Request, group: Playgroup, pk: int) -> HttpResponse:
    """Show a season's winners, leaderboard and race."""
    season, today = get_object_or_404(group.seasons, pk=pk), queries.today(group)
    data = {"season": str(pk), "sort": request.GET.get("sort", "")}
    form = BoardForm(data, seasons=[season], today=today, format=group.format)
    page = SeasonPage(group=group, form=form, season=season, is_over=season.ends_on < today)
    if not form.is_valid():
        return page.respond(request, status=422)
    board = leaderboard.board(group, form.wanted)
    page.show(board, form.column, form.wanted)
    page.first = winners.first_ranked(board.rows, by=leaderboard.ranked_by(group.format))
    return page.respond(request)
