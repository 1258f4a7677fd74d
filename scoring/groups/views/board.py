"""A playgroup's main page: its leaderboard, with what is being played on top."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import conditional_page, require_safe

from coalition_site.lib.qr import QrPage
from coalition_site.lib.requests import Request

from ... import access
from ...models import Playgroup
from ...rules.formats import scores
from .. import leaderboard, queries, records
from ..forms.board import BoardForm
from ..pages.bases import LivePage
from ..pages.board import BoardPage, columns
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
        scores=scores(form.format_key),
        columns=columns(form.format_key),
        column=leaderboard.ranked_by(form.format_key),
        may_score_for=access.may_score_for(request, group),
        waiting=group.claims_waiting if access.may_run(request, group) else 0,
        address=_address(request, group),
    )
    if not form.is_valid():
        return page.respond(request, status=422)
    board = leaderboard.board(group, form.wanted)
    page.show(board, form.column, form.wanted)
    best = records.remarkable(group, form.wanted, board.sets)
    day = best.last_day
    if day and (form.wanted.last is None or day <= form.wanted.last):
        leaderboard.compare(group, form.wanted, board.rows, day)
    page.tell(board, best, form.wanted, request.user.pk)
    return page.respond(request)


def _address(request: Request, group: Playgroup) -> str:
    """Return the link to a playgroup."""
    return request.build_absolute_uri(reverse("board", args=[group.code]))


@require_safe
@group_view
def qr(request: Request, group: Playgroup) -> HttpResponse:
    """Fill the screen with the link to a playgroup as a QR code."""
    return QrPage(
        title=group.name,
        note="For its members, signed in." if group.is_private else "Anybody can see it.",
        address=_address(request, group),
        back=reverse("board", args=[group.code]),
    ).respond(request)
