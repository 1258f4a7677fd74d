"""The race: the leaders' points as the days go by, as the geometry of an SVG.

Long times go by in months or years, drawn at their ends, when all their points were won.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from coalition_site.lib.bidi import isolated

from ..pages.board import ARMS
from ..pages.chart import BOTTOM, LEFT, RIGHT, TOP, spread, told
from .leaderboard import Row

RUNS = 6  # as many as there are tinctures
STEPS = 4


@dataclass(frozen=True)
class Run:
    """One player's line; ``place`` gives its tincture, ``label`` may stand apart from its end."""

    name: str
    place: int
    points: str
    total: int
    label: float

    @property
    def arms(self) -> str:
        return ARMS[self.place]

    @property
    def shield_y(self) -> float:
        return self.label - 13

    @property
    def told(self) -> str:
        return told(self.name, self.total)


def chart(rows: Sequence[Row]) -> dict[str, Any] | None:
    """Return the chart of those with the most points; None with less than two days to show."""
    leaders = sorted(rows, key=lambda row: -row.victory_points)[:RUNS]
    days = sorted({day for row in leaders for day in row.by_day})
    if len(days) < 2:
        return None
    span, top = (days[-1] - days[0]).days, _round_up(leaders[0].victory_points)

    def x(day: date) -> float:
        return round(LEFT + (RIGHT - LEFT) * (day - days[0]).days / span, 1)

    def y(points: float) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * points / top, 1)

    labels = spread({place: y(row.victory_points) for place, row in enumerate(leaders, 1)})
    return {
        "grid": [(top * step // STEPS, y(top * step / STEPS)) for step in range(STEPS + 1)],
        "first": days[0],
        "last": days[-1],
        "runs": [
            Run(
                row.player.name,
                place,
                " ".join(f"{x(day)},{y(total)}" for day, total in _totals(row, days)),
                row.victory_points,
                labels[place],
            )
            for place, row in enumerate(leaders, 1)
        ],
        "summary": ", ".join(
            f"{isolated(row.player.name)} has {row.victory_points}" for row in leaders
        ),
    }


def _totals(row: Row, days: Sequence[date]) -> list[tuple[date, int]]:
    total, found = 0, []
    for day in days:
        total += row.by_day.get(day, 0)
        found.append((day, total))
    return found


def _round_up(points: int) -> int:
    """Return the top of a scale that its steps divide.

    >>> _round_up(1118), _round_up(37), _round_up(0)
    (1200, 40, 4)
    """
    unit = 10 ** max(len(str(points)) - 2, 0) * STEPS
    return -(-max(points, 1) // unit) * unit
