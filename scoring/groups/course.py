"""The course of a rating, as the geometry of an SVG."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..models import SetResult
from ..results import ratings

LEFT, RIGHT, TOP, BOTTOM = 40, 390, 10, 110
STEP = 100  # the scale begins and ends at a multiple of it


def chart(results: Sequence[SetResult]) -> dict[str, Any] | None:
    """Return the chart of a player's ratings after some sets; None before there is a rating.

    The band is how far the rating may be off.
    """
    if len(results) < ratings.PROVISIONAL:
        return None
    known = [ratings.shown(one.mu) for one in results]
    off = [ratings.uncertainty(one.sigma) for one in results]
    upper = [rating + by for rating, by in zip(known, off, strict=True)]
    lower = [rating - by for rating, by in zip(known, off, strict=True)]
    low, high = min(lower) // STEP * STEP, -(-max(upper) // STEP) * STEP

    def run(values: Iterable[int]) -> list[str]:
        return [f"{_x(at, len(known))},{y(value)}" for at, value in enumerate(values)]

    def y(rating: int) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * (rating - low) / (high - low), 1)

    return {
        "grid": [(rating, y(rating)) for rating in (low, (low + high) // 2, high)],
        "line": " ".join(run(known)),
        "band": " ".join([*run(upper), *reversed(run(lower))]),
        "first": results[0].played_on,
        "last": results[-1].played_on,
        "rating": known[-1],
        "off": off[-1],
        "said": f"Rating after each of the last {len(known)} sets: from {known[0]} to {known[-1]}, "
        f"at its lowest {min(known)}, at its highest {max(known)}",
    }


def _x(at: int, count: int) -> float:
    return round(LEFT + (RIGHT - LEFT) * at / (count - 1), 1)
