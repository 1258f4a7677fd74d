"""A playgroup's seasons, with their winners, final tables and awards."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from coalition_site.lib.pages import shows_refusals
from coalition_site.lib.qr import QrPage
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ...models import Playgroup, Season, SeasonTable
from ...pictures import answers
from .. import closing, leaderboard, pictures, queries, season_rows, winners
from ..forms.board import BoardForm
from ..pages.seasons import ArchivePage, SeasonPage
from ..season_rows import SeasonRow
from .decorators import group_view, owner_view


@require_safe
@group_view
def seasons(request: Request, group: Playgroup) -> HttpResponse:
    """Show all seasons with their winners."""
    seasons = list(queries.seasons_with_tables(group))
    return ArchivePage(group=group, finishes=winners.finishes(group, seasons)).respond(request)


def season_page(
    request: Request, group: Playgroup, pk: int, refused: Refused | None = None
) -> HttpResponse:
    """Show a season as it stands, or its final table, and what corrections since make of it."""
    season = get_object_or_404(queries.seasons_with_tables(group), pk=pk)
    season.playgroup = group
    table = closing.table_of(season)
    format = table.format if table else group.format
    data = {"season": str(pk), "sort": request.GET.get("sort", "")}
    page = SeasonPage(
        group=group,
        refused=refused,
        season=season,
        table=table,
        is_over=closing.is_over(season),
        format=format,
        form=BoardForm(data, seasons=[season], today=queries.today(group), format=format),
        address=_address(request, group, pk),
    )
    if not page.form.is_valid():
        return page.respond(request, status=422)
    rows, now = _rows(group, season, table, format)
    page.show(rows, now)
    page.picture = pictures.of_season(season, format, rows, now).versioned
    return page.respond(request)


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
