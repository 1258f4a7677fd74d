"""Spark lines: a player's latest sets, as the geometry of a small SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...rules.words import count
from ..latest import Past

SET_TOP = 63  # VP of a set in which every game reaches the cap
WIDTH, HEIGHT, MARGIN = 120, 28, 4


@dataclass(frozen=True)
class Spark:
    """A line as the points of a polyline, the point at its end, and the values as text."""

    points: str
    end: tuple[int, int]
    label: str


def points(form: Sequence[Past]) -> Spark:
    """Return the line of the VP of some sets.

    >>> points([Past(0, 0, 25.0, 8.3), Past(63, 3, 26.0, 7.9)]).points
    '4,24 116,4'
    """
    values = ", ".join(str(result.victory_points) for result in form)
    shares = [min(result.victory_points / SET_TOP, 1) for result in form]
    return _spark(shares, f"VP in the last {count(len(form), 'set')}: {values}")


def wins(form: Sequence[Past]) -> Spark:
    """Return the line of some games, high where they were won.

    >>> wins([Past(0, 1, 25.0, 8.3), Past(0, 0, 24.0, 7.9)]).label
    'The last 2 games: won, not won'
    """
    values = ", ".join("won" if result.games_won else "not won" for result in form)
    shares = [float(result.games_won > 0) for result in form]
    return _spark(shares, f"The last {count(len(form), 'game')}: {values}")


def _spark(shares: Sequence[float], label: str) -> Spark:
    step = (WIDTH - 2 * MARGIN) / max(len(shares) - 1, 1)
    marks = [
        (
            round(MARGIN + at * step) if len(shares) > 1 else WIDTH // 2,
            round(HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * share),
        )
        for at, share in enumerate(shares)
    ]
    return Spark(" ".join(f"{x},{y}" for x, y in marks), marks[-1], label)
