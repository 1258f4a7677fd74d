"""What the pages of a playgroup show, worked out from the rows of its leaderboard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils import dateformat

from decks.bans.commands import day

from ..models import GameSet, SetResult
from ..rules.formats import RULESETS
from ..rules.words import count
from ..setlog.codec import read_state
from . import race
from .leaderboard import LISTED, Board, Row, Wanted, ranked_by
from .queries import result_text

SET_TOP = 63  # VP of a set in which every game reaches the cap
SPARK = (120, 28, 4)  # width, height and margin of a spark line

# What a column is sorted by, its name, what it says to readers.
COLUMNS: dict[str, str] = {
    "name": "Player",
    "sets": "Sets",
    "victory_points": "VP",
    "per_game": "VP per game",
    "at_cap": "21 reached",
    "sets_won": "Sets won",
    "first": "VP as first",
    "last": "VP as last",
    "rating": "Rating",
}
WITHOUT_VP: dict[str, str] = {
    "name": "Player",
    "games": "Games",
    "games_won": "Won",
    "won_share": "Won in %",
    "rating": "Rating",
}


def playing(live: Iterable[GameSet]) -> list[dict[str, Any]]:
    """Return what is being played: of each table its game, and each player's VP, if any, in it."""
    return [_playing(game_set) for game_set in live]


def _playing(game_set: GameSet) -> dict[str, Any]:
    state = read_state(game_set.state) if game_set.state else None
    names = [name for _, name in game_set.seating]
    ruleset = RULESETS[game_set.ruleset]
    points = [
        (state.players[seat].points if state and seat in state.players else 0)
        if ruleset.cap and state
        else None
        for seat in range(1, len(names) + 1)
    ]
    return {
        "code": game_set.code,
        "since": game_set.created_at,
        "game": game_set.game,
        "ruleset": ruleset,
        "players": list(zip(names, points, strict=True)),
    }


def table(found: Board, column: str, wanted: Wanted) -> dict[str, Any]:
    """Return what a leaderboard's table and its race show, sorted by a column."""
    return {
        "columns": COLUMNS if wanted.scores else WITHOUT_VP,
        "column": column or ranked_by(wanted.format),
        "scores": wanted.scores,
        "spark": spark if wanted.scores else wins,
        "listed": LISTED,
        "rows": ordered(found.rows, column),
        "sets": found.sets,
        "days": days(wanted.first, wanted.last),
        "chart": race.chart(found.rows) if wanted.scores else None,
    }


def ordered(rows: Sequence[Row], column: str) -> list[Row]:
    """Return rows by a column, the highest first; without a value last. Names go from A on.

    Without a column they stay as they are ranked.
    """

    def value(row: Row) -> tuple[bool, float]:
        found = getattr(row, column)
        return found is None, -(found or 0)

    if column == "name":
        return sorted(rows, key=lambda row: row.player.name.casefold())
    return sorted(rows, key=value) if column else list(rows)


def days(first: date | None, last: date | None) -> str:
    """Return some days in words; None is without an end.

    >>> days(date(2026, 3, 1), date(2026, 5, 31)), days(date(2025, 12, 1), date(2026, 1, 31))
    ('1 March to 31 May 2026', '1 December 2025 to 31 January 2026')
    >>> days(date(2026, 3, 1), None), days(None, None)
    ('from 1 March 2026 on', 'all days')
    """
    if first and last:
        if first == last:
            return day(first)
        start = dateformat.format(first, "j F") if first.year == last.year else day(first)
        return f"{start} to {day(last)}"
    if first:
        return f"from {day(first)} on"
    return f"until {day(last)}" if last else "all days"


@dataclass(frozen=True)
class Evening:
    """A finished set in a line."""

    code: str
    day: date
    told: str


def evenings(results: Iterable[SetResult]) -> list[Evening]:
    """Return the sets of some results, which know their players, the latest first. No query."""
    by_set: dict[Any, list[SetResult]] = {}
    for result in sorted(results, key=lambda one: (one.rank, one.pk)):
        by_set.setdefault(result.game_set, []).append(result)
    found = [(of_it[0].finished_at, one, of_it) for one, of_it in by_set.items()]
    found.sort(key=lambda one: (one[0], one[1].pk), reverse=True)
    return [Evening(one.code, of_it[0].played_on, result_text(of_it)) for _, one, of_it in found]


def spark(form: Sequence[SetResult]) -> dict[str, Any]:
    """Return the line of the VP of some sets.

    >>> spark([SetResult(victory_points=0), SetResult(victory_points=63)])["points"]
    '4,24 116,4'
    """
    said = ", ".join(str(one.victory_points) for one in form)
    shares = [min(one.victory_points / SET_TOP, 1) for one in form]
    return _line(shares) | {"said": f"VP in the last {count(len(form), 'set')}: {said}"}


def wins(form: Sequence[SetResult]) -> dict[str, Any]:
    """Return the line of some games, high where they were won.

    >>> wins([SetResult(games_won=1), SetResult(games_won=0)])["said"]
    'The last 2 games: won, not won'
    """
    said = ", ".join("won" if one.games_won else "not won" for one in form)
    line = _line([float(one.games_won > 0) for one in form])
    return line | {"said": f"The last {count(len(form), 'game')}: {said}"}


def _line(shares: Sequence[float]) -> dict[str, Any]:
    width, height, margin = SPARK
    step = (width - 2 * margin) / max(len(shares) - 1, 1)
    marks = [
        (
            round(margin + at * step) if len(shares) > 1 else width // 2,
            round(height - margin - (height - 2 * margin) * share),
        )
        for at, share in enumerate(shares)
    ]
    return {"points": " ".join(f"{x},{y}" for x, y in marks), "end": marks[-1]}
