"""Rows of figures: each beside its floor."""

from __future__ import annotations

from collections.abc import Sequence

Row = tuple[str, float, float, str]  # what, its milliseconds, the floor's, the goal


def at(times: Sequence[float], share: float) -> float:
    """Return the time below which a share of all times lies.

    >>> at([4.0, 1.0, 2.0, 3.0], 0.5)
    3.0
    """
    return sorted(times)[min(int(share * len(times)), len(times) - 1)] if times else float("nan")


def print_rows(name: str, rows: Sequence[Row]) -> None:
    print(f"\n{name:64}       ms  floor ms   ratio   goal")
    for what, measured, floor, goal in rows:
        print(
            f"{what:64} {measured:8.2f}  {floor:8.2f}  {measured / floor:6.2f}   {goal}", flush=True
        )
