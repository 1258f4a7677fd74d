"""A playgroup's main page: its leaderboard, with what is being played on top."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import conditional_page, require_safe

from coalition_site.lib.qr import render_qr
from coalition_site.lib.requests import Request

from ... import access
from ...models import Playgroup
from ...pages import charts
from ...results import ratings
from ...rules.formats import scores
from .. import leaderboard, queries, records
from ..forms.board import BoardForm
from ..pages import monday
from ..pages.bases import group_page, live_tables
from ..pages.board import BoardRow, columns, days, ordered
from .decorators import group_view

if TYPE_CHECKING:
    from ..queries import VisitedGroup

TEMPLATE = "groups/board.html"
SEARCHED = 12  # people on a board that can be searched


@require_safe
@group_view
@conditional_page
def playing(request: Request, group: Playgroup) -> HttpResponse:
    """Show what is being played now, for the pages that have it on top."""
    return group_page(request, "groups/_playing.html", group, playing=live_tables(group))


@require_safe
@group_view
def board(request: Request, group: VisitedGroup) -> HttpResponse:
    """Show the leaderboard: of this season, or of whatever the address requests."""
    form = BoardForm(
        request.GET,
        seasons=queries.seasons(group),
        today=queries.today(group),
        format=group.format,
    )
    shown: dict[str, Any] = {
        "playing": live_tables(group),
        "form": form,
        "scores": scores(form.format_key),
        "columns": columns(form.format_key),
        "column": leaderboard.ranked_by(form.format_key),
        "rated": ratings.PROVISIONAL,
        "listed": leaderboard.LISTED,
        "rows": [],
        "may_score_for": access.may_score_for(request, group),
        "waiting": group.claims_waiting if access.may_run(request, group) else 0,
        "address": _address(request, group),
    }
    if not form.is_valid():
        return group_page(request, TEMPLATE, group, status=422, **shown)
    wanted = form.wanted
    board = leaderboard.board(group, wanted)
    remarkable = records.remarkable(group, wanted)
    day = remarkable.last_day
    if day and (wanted.last is None or day <= wanted.last):
        leaderboard.compare(group, wanted, board.rows, day)
    rows = ordered(board.rows, form.column)
    raced = [(row.name, row.by_day) for row in board.rows]
    shown |= {
        "column": form.column or leaderboard.ranked_by(wanted.format),
        "listed": wanted.listed,
        "rows": rows,
        "sets": board.sets,
        "days": days(wanted.first, wanted.last),
        "chart": charts.race_of_days(raced) if wanted.scores else None,
        "searches": len(board.rows) >= SEARCHED,
        "podium": monday.podium(board.rows),
        "news": monday.news(board.rows, remarkable, wanted),
        "latest": remarkable.latest,
        "records": monday.records(remarkable),
        "example": next((row for row in board.rows if row.rank), None),
    }
    query = f"?format={wanted.format}" if wanted.format != group.format else ""
    shown["found"] = [
        BoardRow(
            row=row,
            code=group.code,
            query=query,
            scores=wanted.scores,
            outlasts="outlasted_per_game" in shown["columns"],
            column=shown["column"],
            listed=wanted.listed,
            is_own=row.account is not None and row.account == request.user.pk,
        )
        for row in rows
        if form.finds(row.name)
    ]
    return group_page(request, TEMPLATE, group, **shown)


def _address(request: Request, group: Playgroup) -> str:
    """Return the link to a playgroup."""
    return request.build_absolute_uri(reverse("board", args=[group.code]))


@require_safe
@group_view
def qr(request: Request, group: Playgroup) -> HttpResponse:
    """Fill the screen with the link to a playgroup as a QR code."""
    return render_qr(
        request,
        title=group.name,
        note="For its members, signed in." if group.is_private else "Anybody can see it.",
        address=_address(request, group),
        back=reverse("board", args=[group.code]),
    )
