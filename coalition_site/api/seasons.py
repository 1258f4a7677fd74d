"""Seasons with their tables, and records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from ninja import Router

from scoring.groups import closing, leaderboard, queries, records, season_rows
from scoring.groups.records import FinishedSet
from scoring.groups.season_rows import Award, SeasonRow
from scoring.models import Playgroup, Season

from . import shapes
from .groups import (
    First,
    Format,
    Last,
    SeasonChoice,
    board_form,
    ranked_by,
    season_days,
    visible_group,
)
from .paging import PageNumber, page
from .problems import Problem

router = Router(tags=["Seasons and records"])

UNKNOWN = "There is no such season in this playgroup. Its seasons have their ids."


@router.get(
    "/playgroups/{slug:code}/seasons",
    response=shapes.Listed[shapes.LinkedSeason],
    url_name="api_seasons",
)
def seasons(request: HttpRequest, code: str, number: PageNumber = 1) -> dict[str, Any]:
    """A playgroup’s seasons, the latest first."""
    group = visible_group(request, code)
    chosen = queries.seasons_with_tables(group)
    return page(request, chosen, number, lambda one: _season(request, group, one))


def _season(request: HttpRequest, group: Playgroup, season: Season) -> dict[str, Any]:
    table = closing.table_of(season)
    return season_days(season) | {
        "closed_at": table.closed_at if table else None,
        "url": request.build_absolute_uri(reverse("season", args=[group.code, season.pk])),
    }


@router.get(
    "/playgroups/{slug:code}/seasons/{int:season}",
    response=shapes.WholeSeason,
    url_name="api_season",
)
def season(request: HttpRequest, code: str, season: int) -> dict[str, Any]:
    """A season with its table and awards.

    Once it is closed, this is the final table, which corrections leave as it is; the board of the
    season follows them.
    """
    group = visible_group(request, code)
    stored = queries.seasons_with_tables(group).filter(pk=season).first()
    if stored is None:
        raise Problem(404, UNKNOWN)
    return _season(request, group, stored) | _table(group, stored)


def _table(group: Playgroup, season: Season) -> dict[str, Any]:
    table = closing.table_of(season)
    wanted = season_rows.wanted(season, table.format if table else group.format)
    now = season_rows.rows_now(season, wanted.format, leaderboard.board(group, wanted).rows)
    rows = season_rows.kept_rows(table) if table else now
    awards = season_rows.awards(rows, "set" if wanted.scores else "game")
    return {
        "format": wanted.format,
        "ranked_by": ranked_by(wanted),
        "is_corrected": season_rows.is_corrected(rows, now),
        "rows": [_row(row) for row in rows],
        "awards": [_award(award) for award in awards],
    }


def _row(row: SeasonRow) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "player": row.player_id,
        "name": row.name,
        "sets": row.sets,
        "sets_won": row.sets_won,
        "games": row.games,
        "games_won": row.games_won,
        "victory_points": row.victory_points,
        "per_game": row.per_game,
        "rating": row.rating,
        "uncertainty": row.uncertainty,
        "rating_change": row.change,
        "monarch_turns": row.monarch_turns,
    }


def _award(award: Award) -> dict[str, Any]:
    people = [{"player": row.player_id, "name": row.name} for row in award.rows]
    return {"title": award.title, "text": award.text, "players": people}


# --- records ---
UNITS = {"highest": "VP", "streak": "sets", "best_turn": "VP", "margin": "VP", "minutes": "minutes"}


@router.get("/playgroups/{slug:code}/records", response=shapes.Records, url_name="api_records")
def group_records(
    request: HttpRequest,
    code: str,
    season: SeasonChoice = "",
    first: First = "",
    last: Last = "",
    format: Format = "",
) -> dict[str, Any]:
    """A playgroup’s records: of a season or of some days, and of all time.

    A record that several sets share is that of the latest.
    """
    group = visible_group(request, code)
    asked = {"season": season, "first": first, "last": last, "format": format}
    form = board_form(group, asked)
    best, chosen = records.remarkable(group, form.wanted), form.cleaned_data["season"]
    return {
        "format": form.wanted.format,
        "season": chosen.pk if chosen else None,
        "first": form.wanted.first,
        "last": form.wanted.last,
        "of_days": _records(best.of_days),
        "of_all": _records(best.of_all),
    }


def _records(best: Mapping[str, FinishedSet]) -> list[dict[str, Any]]:
    return [_record(kind, best[kind]) for kind in UNITS if kind in best]


def _record(kind: str, best: FinishedSet) -> dict[str, Any]:
    facts = best.facts
    assert facts
    held = records.holders(best, kind)
    return {
        "kind": kind,
        "value": getattr(facts, kind),
        "unit": UNITS[kind],
        "players": [{"player": one.player_id, "name": str(one.player)} for one in held],
        "set": best.game_set.code,
        "game": getattr(facts, f"{kind}_game", None),
        "on": facts.played_on,
    }
