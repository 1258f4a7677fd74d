"""A playgroup's seasons, with their winners, final tables and awards."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from coalition_site.lib.pages import shows_refusals
from coalition_site.lib.qr import QrPage
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ...models import Playgroup, Season, SeasonTable
from ...pages import charts
from ...pictures import answers
from ...rules.formats import scores
from .. import closing, leaderboard, pictures, queries, season_rows, winners
from ..forms.board import BoardForm
from ..leaderboard import LISTED, ranked_by
from ..pages.bases import group_page, live_tables
from ..pages.board import columns, ordered
from ..season_rows import SeasonRow
from .decorators import group_view, owner_view

TEMPLATE = "groups/season.html"
LEFT_OUT = ("first", "last")  # columns for which a season's table has no room


@require_safe
@group_view
def seasons(request: Request, group: Playgroup) -> HttpResponse:
    """Show all seasons with their winners."""
    seasons = list(queries.seasons_with_tables(group))
    return group_page(
        request,
        "groups/archive.html",
        group,
        playing=live_tables(group),
        finishes=winners.finishes(group, seasons),
        listed=LISTED,
    )


def season_page(
    request: Request, group: Playgroup, pk: int, refused: Refused | None = None
) -> HttpResponse:
    """Show a season as it stands, or its final table, and what corrections since make of it."""
    season = get_object_or_404(queries.seasons_with_tables(group), pk=pk)
    season.playgroup = group
    table = closing.table_of(season)
    format = table.format if table else group.format
    data = {"season": str(pk), "sort": request.GET.get("sort", "")}
    form = BoardForm(data, seasons=[season], today=queries.today(group), format=format)
    shown: dict[str, Any] = {
        "playing": live_tables(group),
        "season": season,
        "table": table,
        "is_over": closing.is_over(season),
        "format": format,
        "form": form,
        "address": _address(request, group, pk),
        "listed": LISTED,
    }
    if not form.is_valid():
        return group_page(request, TEMPLATE, group, refused, 422, **shown)
    rows, now = _rows(group, season, table, format)
    is_corrected = season_rows.is_corrected(rows, now)
    raced = [(row.name, row.by_day) for row in now]
    return group_page(
        request,
        TEMPLATE,
        group,
        refused,
        **shown,
        scores=scores(format),
        columns={key: title for key, title in columns(format).items() if key not in LEFT_OUT},
        column=form.column or ranked_by(format),
        rows=ordered(rows, form.column),
        first=winners.first_ranked(rows),
        awards=season_rows.awards(rows, "set" if scores(format) else "game"),
        is_corrected=is_corrected,
        now=now if is_corrected else (),
        first_now=winners.first_ranked(now) if is_corrected else (),
        chart=charts.race_of_days(raced) if scores(format) else None,
        picture=pictures.of_season(season, format, rows, now).versioned,
    )


def _rows(
    group: Playgroup, season: Season, table: SeasonTable | None, format: str
) -> tuple[list[SeasonRow], list[SeasonRow]]:
    """Return a season's rows, kept ones if it has a final table, and those of now."""
    board = leaderboard.board(group, season_rows.wanted(season, format))
    now = season_rows.rows_now(season, format, board.rows)
    return season_rows.kept_rows(table) if table else now, now


@require_safe
@group_view
def picture(request: Request, group: Playgroup, pk: int) -> HttpResponse:
    """Show a season as a picture."""
    season = get_object_or_404(queries.seasons_with_tables(group), pk=pk)
    season.playgroup = group
    table = closing.table_of(season)
    format = table.format if table else group.format
    rows, now = _rows(group, season, table, format)
    return answers.answer(request, pictures.of_season(season, format, rows, now))


@require_safe
@group_view
def season(request: Request, group: Playgroup, pk: int) -> HttpResponse:
    """Show a season."""
    return season_page(request, group, pk)


@require_POST
@owner_view
@shows_refusals(season_page)
def close(request: Request, group: Playgroup, pk: int) -> HttpResponse:
    """Close a season, or close it again: what its sets give now becomes its final table."""
    closing.close_again(get_object_or_404(queries.seasons_with_tables(group), pk=pk))
    return redirect("season", group.code, pk)


@require_safe
@group_view
def qr(request: Request, group: Playgroup, pk: int) -> HttpResponse:
    """Fill the screen with the link to a season as a QR code."""
    season = get_object_or_404(group.seasons, pk=pk)
    return QrPage(
        title=season.name,
        note="For members of the playgroup, signed in."
        if group.is_private
        else "Anybody can see it.",
        address=_address(request, group, pk),
        back=reverse("season", args=[group.code, pk]),
    ).respond(request)


def _address(request: Request, group: Playgroup, pk: int) -> str:
    """Return the link to a season."""
    return request.build_absolute_uri(reverse("season", args=[group.code, pk]))
