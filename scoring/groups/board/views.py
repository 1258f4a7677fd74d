"""A playgroup's main page: its leaderboard, with what is being played on top."""

from typing import Any

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.views.decorators.http import conditional_page, require_safe

from coalition_site.lib.qr import render_qr
from coalition_site.lib.requests import Request

from ... import access
from ...models import Playgroup
from ...pictures import charts
from ...record import ratings
from ...rules.formats import scores
from .. import queries
from ..bases import group_page
from ..decorators import group_view
from ..statistics import records
from ..statistics.results import results_of
from . import highlights
from .columns import BoardForm, BoardRow, columns, days, ordered
from .leaderboard import leaderboard, ranked_by, set_former_ranks

# What a leaderboard has beside the ranking, each on a page of its own.
PARTS = ("news", "sets", "records", "race", "about")


@require_safe
@group_view
@conditional_page
def playing(request: Request, group: Playgroup) -> HttpResponse:
    return group_page(request, "groups/_playing.html", group)


@require_safe
@group_view
def board(request: Request, group: Playgroup, part: str = "") -> HttpResponse:
    if part and part not in PARTS:
        raise Http404("A leaderboard has no such page.")
    seasons, today = queries.seasons(group), queries.today(group)
    form = BoardForm(request.GET, seasons=seasons, today=today, format=group.format)
    shown: dict[str, Any] = {"rows": [], "records": {}, "column": ranked_by(form.format_key)}
    if form.is_valid():
        shown = _counted(request, group, form)
    return group_page(
        request,
        f"groups/board_{part}.html" if part else "groups/board.html",
        group,
        part=part,
        status=422 if form.errors else 200,
        form=form,
        scores=scores(form.format_key),
        columns=columns(form.format_key),
        rated=ratings.PROVISIONAL,
        may_score_for=access.may_score_for(request, group),
        waiting=group.claims_waiting if access.may_run(request, group) else 0,
        address=request.build_absolute_uri(reverse("board", args=[group.code])),
        **shown,
    )


def _counted(request: Request, group: Playgroup, form: BoardForm) -> dict[str, Any]:
    filters = form.filters
    board = leaderboard(group, filters)
    remarkable = records.remarkable(group, filters)
    day, last = remarkable.last_day, None
    if day and (filters.first or day) <= day <= (filters.last or day):
        of_day = set_former_ranks(group, filters, board.rows, day)
        last = highlights.last_day(day, board.rows, of_day, filters)
    rows = ordered(board.rows, form.column)
    raced = [(row.name, row.by_day, row.rank) for row in board.rows]
    column = form.column or ranked_by(filters.format)
    everybody = [
        BoardRow(
            row=row,
            code=group.code,
            query=f"?format={filters.format}" if filters.format != group.format else "",
            scores=filters.scores,
            outlasts="outlasted_per_game" in columns(filters.format),
            column=column,
            listed=filters.listed,
            is_own=row.account is not None and row.account == request.user.pk,
        )
        for row in rows
    ]
    own = next((each.row for each in everybody if each.is_own), None)
    return {
        "column": column,
        "listed": filters.listed,
        "rows": rows,
        "matching": [each for each in everybody if form.finds(each.row.name)],
        "last": last,
        "own": own,
        "next": highlights.next_line(own, board.rows, filters) if own else "",
        "sets": board.sets,
        "is_new": not (request.GET or remarkable.latest or results_of(group).exists()),
        "days": days(filters.first, filters.last),
        "chart": charts.race_of_days(raced, in_points=filters.scores),
        "news": highlights.news(board.rows, remarkable, filters),
        "latest": remarkable.latest,
        "records": highlights.records(remarkable.of_all),
        "records_of_days": highlights.records(remarkable.of_days),
        "example": next((row for row in board.rows if row.rank), None),
    }


@require_safe
@group_view
def qr(request: Request, group: Playgroup) -> HttpResponse:
    return render_qr(
        request,
        title=group.name,
        note="For its members, signed in." if group.is_private else "Anybody can see it.",
        address=request.build_absolute_uri(reverse("board", args=[group.code])),
        back=reverse("board", args=[group.code]),
    )
