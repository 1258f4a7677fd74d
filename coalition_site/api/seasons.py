"""Seasons with their tables, and records."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import HttpRequest

from scoring.groups import closing, leaderboard, queries, records, season_rows
from scoring.groups.records import FinishedSet
from scoring.models import Playgroup, Season

from .asked import fields, link, page
from .door import Json, Problem
from .groups import DAYS, RATED, board_form, counted, ranked_by, season_days, visible_group

UNKNOWN = "There is no such season in this playgroup. Its seasons have their ids."
UNITS = {"highest": "VP", "streak": "sets", "best_turn": "VP", "margin": "VP", "minutes": "minutes"}


def seasons(request: HttpRequest, code: str) -> Json:
    """Send a playgroup's seasons, the latest first."""
    group = visible_group(request, code)
    chosen = queries.seasons_with_tables(group)
    return page(request, chosen, lambda season: _season(request, group, season))


def _season(request: HttpRequest, group: Playgroup, season: Season) -> Json:
    table = closing.table_of(season)
    return season_days(season) | {
        "closed_at": table.closed_at if table else None,
        "url": link(request, "season", group.code, season.pk),
    }


def season(request: HttpRequest, code: str, season: int) -> Json:
    """Send a season with its table and awards.

    Once it is closed, this is the final table, which corrections leave as it is; the board of the
    season follows them.
    """
    group = visible_group(request, code)
    found = queries.seasons_with_tables(group).filter(pk=season).first()
    if found is None:
        raise Problem(404, UNKNOWN)
    table = closing.table_of(found)
    wanted = season_rows.wanted(found, table.format if table else group.format)
    now = season_rows.rows_now(found, wanted.format, leaderboard.board(group, wanted).rows)
    rows = season_rows.kept_rows(table) if table else now
    return _season(request, group, found) | {
        "format": wanted.format,
        "ranked_by": ranked_by(wanted),
        "is_corrected": season_rows.is_corrected(rows, now),
        "rows": [
            {
                "player": row.player_id,
                "rating_change": row.change,
                **fields(row, "rank", "name", *RATED, "monarch_turns"),
            }
            for row in rows
        ],
        "awards": [
            {
                "title": award.title,
                "text": award.text,
                "players": [{"player": row.player_id, "name": row.name} for row in award.rows],
            }
            for award in season_rows.awards(rows, "set" if wanted.scores else "game")
        ],
    }


def group_records(request: HttpRequest, code: str) -> Json:
    """Send a playgroup's records: of a season or of some days, and of all time.

    A record that several sets share is that of the latest.
    """
    group = visible_group(request, code)
    form = board_form(request, group, *DAYS)
    best = records.remarkable(group, form.wanted)
    return counted(form) | {"of_days": _records(best.of_days), "of_all": _records(best.of_all)}


def _records(best: Mapping[str, FinishedSet]) -> list[Json]:
    return [
        {
            "kind": kind,
            "value": getattr(one.facts, kind),
            "unit": unit,
            "players": [
                {"player": result.player_id, "name": str(result.player)}
                for result in records.holders(one, kind)
            ],
            "set": one.game_set.code,
            "game": getattr(one.facts, f"{kind}_game", None),
            "on": one.facts.played_on,
        }
        for kind, unit in UNITS.items()
        if (one := best.get(kind)) and one.facts
    ]
