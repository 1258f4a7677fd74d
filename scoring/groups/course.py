"""The course of a rating, as the geometry of an SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from ..pages.scale import Scale
from ..results import ratings
from .latest import Past

STEP = 100  # the scale begins and ends at a multiple of it


@dataclass(frozen=True)
class RatingChart:
    """A player's ratings after some sets; ``off`` is by how much the last may be off.

    ``grid`` has ratings and their heights; ``line`` and ``band``, which covers what the ratings may
    be off, are the points of SVG shapes.
    """

    grid: Sequence[tuple[int, float]]
    line: str
    band: str
    first: date | None
    last: date | None
    rating: int
    off: int
    label: str


def chart(results: Sequence[Past]) -> RatingChart | None:
    """Return the chart of a player's results, the oldest first; None before there is a rating."""
    if len(results) < ratings.PROVISIONAL:
        return None
    rated = [ratings.shown(result.mu) for result in results]
    off = [ratings.uncertainty(result.sigma) for result in results]
    upper = [rating + by for rating, by in zip(rated, off, strict=True)]
    lower = [rating - by for rating, by in zip(rated, off, strict=True)]
    low, high = min(lower) // STEP * STEP, -(-max(upper) // STEP) * STEP
    scale = Scale(40, 390, 10, 110, width=len(rated) - 1, low=low, high=high)
    return RatingChart(
        grid=[(rating, scale.y(rating)) for rating in (low, (low + high) // 2, high)],
        line=scale.points(enumerate(rated)),
        band=scale.points([*enumerate(upper), *reversed(list(enumerate(lower)))]),
        first=results[0].played_on,
        last=results[-1].played_on,
        rating=rated[-1],
        off=off[-1],
        label=f"Rating after each of the last {len(rated)} sets: from {rated[0]} to {rated[-1]}, "
        f"at its lowest {min(rated)}, at its highest {max(rated)}",
    )
