"""A playgroup's main page: its leaderboard, with what is being played on top."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.views.decorators.http import conditional_page, require_safe

from coalition_site.lib.requests import Request

from ... import access
from ...models import Playgroup
from .. import leaderboard, queries
from ..forms.board import BoardForm
from ..pages.bases import LivePage
from ..pages.board import BoardPage, evenings
from .decorators import group_view

if TYPE_CHECKING:
    from ..queries import VisitedGroup


@require_safe
@group_view
@conditional_page
def playing(request: Request, group: Playgroup) -> HttpResponse:
    """Show what is being played now, for the pages that have it on top."""
    return LivePage(group=group).respond(request)


@require_safe
@group_view
def board(request: Request, group: VisitedGroup) -> HttpResponse:
    """Show the leaderboard: of this season, or of whatever the address requests."""
    seasons = queries.seasons(group)
    form = BoardForm(request.GET, seasons=seasons, today=queries.today(group), format=group.format)
    page = BoardPage(
        group=group,
        form=form,
        may_score_for=access.may_score_for(request, group),
        waiting=group.claims_waiting if access.may_run(request, group) else 0,
    )
    if not form.is_valid():
        return page.respond(request, status=422)
    board = leaderboard.board(group, form.wanted)
    page.show(board, form.column, form.wanted)
    page.evenings = evenings(board.last)
    return page.respond(request)
