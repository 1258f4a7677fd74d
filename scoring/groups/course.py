"""The courses of a rating and of VP per game, as the geometry of SVGs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import accumulate

from ..pages.scale import Scale
from ..results import ratings
from .latest import Past
from .leaderboard import share

STEP = 100  # the scale begins and ends at a multiple of it
MEAN_OF = 10  # sets of which each point of a curve is the mean
POINTS, PERCENT = (0, 7, 14, 21), (0, 50, 100)


@dataclass(frozen=True)
class Curve:
    """What a player had in a game, as the mean of the sets up to each; each set is a dot as well.

    ``grid`` has values and their heights, ``line`` the points of a polyline. ``now`` is the last
    mean.
    """

    grid: Sequence[tuple[int, float]]
    dots: Sequence[tuple[float, float]]
    line: str
    first: date | None
    last: date | None
    now: str
    label: str


def per_game(results: Sequence[Past]) -> Curve | None:
    """Return the curve of VP per game, the oldest set first; None before there are two sets."""
    each = [share(result.victory_points, result.games_played) for result in results]
    means = _means([(result.victory_points, result.games_played) for result in results])
    return _curve(results, means, each, POINTS, "VP per game", "{:.1f}")


def won_share(results: Sequence[Past]) -> Curve | None:
    """Return the curve of the share of games won, in percent."""
    means = _means([(100 * result.games_won, result.games_played) for result in results])
    return _curve(results, means, (), PERCENT, "Share of games won", "{:.0f} %")


def _means(parts: Sequence[tuple[int, int]]) -> list[float]:
    """Return the mean of each and the parts before it.

    >>> _means([(21, 3), (9, 3), (0, 1)])
    [7.0, 5.0, 4.285714285714286]
    """
    sums = [0] * MEAN_OF + list(accumulate(part for part, _ in parts))
    wholes = [0] * MEAN_OF + list(accumulate(of for _, of in parts))
    ends = range(MEAN_OF, MEAN_OF + len(parts))
    return [share(sums[at] - sums[at - MEAN_OF], wholes[at] - wholes[at - MEAN_OF]) for at in ends]


def _curve(
    results: Sequence[Past],
    means: Sequence[float],
    each: Sequence[float],
    grid: Sequence[int],
    what: str,
    number: str,
) -> Curve | None:
    if len(results) < 2:
        return None
    scale = Scale(40, 390, 10, 110, width=len(results) - 1, high=grid[-1])
    ends, low, high = means[-1], min(means), max(means)
    return Curve(
        grid=[(value, scale.y(value)) for value in grid],
        dots=[(scale.x(at), scale.y(value)) for at, value in enumerate(each)],
        line=scale.points(enumerate(means)),
        first=results[0].played_on,
        last=results[-1].played_on,
        now=number.format(ends),
        label=f"{what} over the last {len(results)} sets, as the mean of up to {MEAN_OF} of them: "
        f"at its lowest {number.format(low)}, at its highest {number.format(high)}, "
        f"now {number.format(ends)}",
    )


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
