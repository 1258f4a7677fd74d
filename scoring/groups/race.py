"""The race: the leaders' points over the days, as the geometry of an SVG.

Points of whole months or years are drawn at their ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from coalition_site.lib.bidi import isolated

from ..pages.board import Who
from ..pages.scale import Run, race_scale, runs
from .leaderboard import Row

LEADERS = 6  # as many as there are tinctures
STEPS = 4


@dataclass(frozen=True)
class Race:
    """The leaders' lines between two days; ``grid`` has points and their heights."""

    grid: Sequence[tuple[int, float]]
    first: date
    last: date
    runs: Sequence[Run]
    summary: str


def chart(rows: Sequence[Row]) -> Race | None:
    """Return the chart of those with the most points; None with less than two days to show.

    Each has the shield of the seat that has the number of their place.
    """
    leaders = sorted(rows, key=lambda row: -row.victory_points)[:LEADERS]
    days = sorted({day for row in leaders for day in row.by_day})
    if len(days) < 2:
        return None
    top = _round_up(leaders[0].victory_points)
    scale = race_scale((days[-1] - days[0]).days, top)
    return Race(
        grid=[(top * step // STEPS, scale.y(top * step / STEPS)) for step in range(STEPS + 1)],
        first=days[0],
        last=days[-1],
        runs=runs(
            scale,
            (
                (Who(place, row.name), list(_totals(row, days)))
                for place, row in enumerate(leaders, 1)
            ),
        ),
        summary=", ".join(f"{isolated(row.name)} has {row.victory_points}" for row in leaders),
    )


def _totals(row: Row, days: Sequence[date]) -> Iterator[tuple[int, int]]:
    """Yield a player's points after each day, which is counted from the first."""
    total = 0
    for day in days:
        total += row.by_day.get(day, 0)
        yield (day - days[0]).days, total


def _round_up(points: int) -> int:
    """Return the top of a scale that its steps divide.

    >>> _round_up(1118), _round_up(37), _round_up(0)
    (1200, 40, 4)
    """
    unit: int = 10 ** max(len(str(points)) - 2, 0) * STEPS
    return -(-max(points, 1) // unit) * unit
