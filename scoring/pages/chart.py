"""The race: each player's standing over the events of a set, as the geometry of an SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any
from unicodedata import category, east_asian_width

from coalition_site.lib.bidi import isolated

from ..play.queries import Table
from ..rules import sets
from ..rules.log import GameLog
from .board import Who, who

LEFT, RIGHT, TOP, BOTTOM = 30, 289, 16, 186
LABEL_GAP = 16
LABEL_ROOM = 92  # units from a label on to where the card ends
NARROW = frozenset("fijlrtI.,:;'’!|()[]- ")
GAME_ROOM = 56  # units that "game 2" takes


@dataclass(frozen=True)
class Run:
    """One player's line: ``points`` of the polyline, and its end; the label may stand apart."""

    who: Who
    points: str
    total: int
    end: float
    label: float

    @property
    def shield_y(self) -> float:
        return self.label - 13

    @property
    def told(self) -> str:
        return told(self.who.name, self.total)


def told(name: str, total: int) -> str:
    """Return what stands beside the end of a line: a name, cut if there is no room, and points.

    >>> told("Olga", 63), told("Maximiliane Wilhelmina", 63), told("W" * 80, 7)
    ('Olga 63', 'Maximi… 63', 'WWWW… 7')
    """
    said = f" {total}"
    if _width(name + said) > LABEL_ROOM:
        widths = accumulate(map(_width, name), initial=_width("…" + said))
        fitting = sum(width <= LABEL_ROOM for width in widths) - 1
        name = f"{name[:fitting].rstrip()}…"
    return isolated(name) + said


def _width(text: str) -> float:
    """Return how many units a text takes, rather more than less: nobody knows the font."""
    return sum(
        0
        if category(mark) in ("Mn", "Me", "Cf")
        else 14
        if mark in "mwMW@%…" or east_asian_width(mark) in "WF"
        else 5
        if mark in NARROW
        else 10
        if mark.isupper()
        else 8.5
        for mark in text
    )


def race(table: Table, state: sets.SetState, logs: Sequence[GameLog]) -> dict[str, Any]:
    """Return the chart of a set: grid, cuts between games, and the players' runs."""
    totals, cuts = _totals(state, logs)
    count = max(len(next(iter(totals.values()))) - 1, 1)
    cap = state.ruleset.cap
    steps = max(1, -(-max(max(run) for run in totals.values()) // cap))

    def x(at: float) -> float:
        return round(LEFT + (RIGHT - LEFT) * at / count, 1)

    def y(points: float) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * points / (steps * cap), 1)

    ends = {seat: y(run[-1]) for seat, run in totals.items()}
    labels = spread(ends)
    edges = [0, *cuts]
    return {
        "grid": [(step * cap, y(step * cap)) for step in range(steps + 1)],
        "cuts": [x(cut) for cut in cuts[:-1]],
        "games": [
            (_called(number, x(end) - x(start)), x((start + end) / 2))
            for number, (start, end) in enumerate(zip(edges, cuts, strict=False), 1)
        ],
        "runs": [
            Run(
                who(table, seat),
                " ".join(f"{x(at)},{y(points)}" for at, points in enumerate(run)),
                run[-1],
                ends[seat],
                labels[seat],
            )
            for seat, run in totals.items()
        ],
        "summary": ", ".join(
            f"{isolated(table.names[standing.player])} ends at {standing.victory_points}"
            for standing in sets.standings(state)
        ),
    }


def _called(game: int, room: float) -> str:
    """Return what stands under a game's part of the chart, which may be narrow.

    >>> _called(2, 100), _called(2, 20)
    ('game 2', '2')
    """
    return f"game {game}" if room >= GAME_ROOM else str(game)


def _totals(
    state: sets.SetState, logs: Sequence[GameLog]
) -> tuple[dict[int, list[int]], list[int]]:
    """Return each seat's standing after each event in force, from 0, and where games end."""
    totals: dict[int, list[int]] = {seat: [0] for seat in state.seats}
    cuts: list[int] = []
    for at, log in enumerate(logs):
        before = tuple(game.state for game in logs[:at])
        for line in log.lines:
            now = replace(state, games=(*before, line.after))
            for seat, run in totals.items():
                run.append(sets.victory_points(now, seat))
        cuts.append(len(next(iter(totals.values()))) - 1)
    return totals, cuts


def spread(ends: dict[int, float]) -> dict[int, float]:
    """Return where labels stand, at least 16 units apart: they move, the lines do not.

    >>> spread({1: 100, 2: 102, 3: 40})
    {3: 45, 1: 105, 2: 121}
    """
    labels: dict[int, float] = {}
    lowest = float("-inf")
    for seat in sorted(ends, key=ends.__getitem__):
        lowest = labels[seat] = max(ends[seat] + 5, lowest + LABEL_GAP)
    excess = max(0, lowest - BOTTOM - 10)
    return {seat: round(label - excess, 1) for seat, label in labels.items()}
