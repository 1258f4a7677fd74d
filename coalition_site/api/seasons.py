"""Seasons with their tables, and records."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import HttpRequest

from scoring.groups import closing, leaderboard, queries, records, season_rows
from scoring.groups.records import FinishedSet
from scoring.groups.season_rows import SeasonRow
from scoring.models import Playgroup, Season

from .asked import link, page
from .door import Json, Problem
from .groups import DAYS, RATED, board_form, ranked_by, season_days, visible_group

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
        "rows": [_row(row) for row in rows],
        "awards": [
            {
                "title": award.title,
                "text": award.text,
                "players": [{"player": row.player_id, "name": row.name} for row in award.rows],
            }
            for award in season_rows.awards(rows, "set" if wanted.scores else "game")
        ],
    }


def _row(row: SeasonRow) -> Json:
    return {
        "rank": row.rank,
        "player": row.player_id,
        "name": row.name,
        **{name: getattr(row, name) for name in RATED},
        "rating_change": row.change,
        "monarch_turns": row.monarch_turns,
    }


def group_records(request: HttpRequest, code: str) -> Json:
    """Send a playgroup's records: of a season or of some days, and of all time.

    A record that several sets share is that of the latest.
    """
    group = visible_group(request, code)
    form = board_form(request, group, *DAYS)
    best, season = records.remarkable(group, form.wanted), form.cleaned_data["season"]
    return {
        "format": form.wanted.format,
        "season": season.pk if season else None,
        "first": form.wanted.first,
        "last": form.wanted.last,
        "of_days": _records(best.of_days),
        "of_all": _records(best.of_all),
    }


def _records(best: Mapping[str, FinishedSet]) -> list[Json]:
    return [_record(kind, best[kind]) for kind in UNITS if kind in best]


def _record(kind: str, best: FinishedSet) -> Json:
    facts, holders = best.facts, records.holders(best, kind)
    assert facts
    return {
        "kind": kind,
        "value": getattr(facts, kind),
        "unit": UNITS[kind],
        "players": [{"player": one.player_id, "name": str(one.player)} for one in holders],
        "set": best.game_set.code,
        "game": getattr(facts, f"{kind}_game", None),
        "on": facts.played_on,
    }
