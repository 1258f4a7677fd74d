"""How good the tables of 1,000 seeded evenings of 6 to 64 people are, against what is possible.

    python -m tests.bench.pods [--evenings 1000]

Every other evening is of a format whose tables have four people or six, so that some have byes.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import chain
from random import Random
from time import perf_counter

from scoring.rules.pods import ORDERS
from tests.scoring.rules.evenings import (
    ALLOWED,
    fewest_byes_and_distance,
    measure,
    play_evening,
)

ROUNDS = 3
FEWEST, MOST = 6, 64
BANDS = ((6, 15), (16, 31), (32, 47), (48, 64))
WIDTHS = (10, 9, 8, 9, 9, 12, 9, 12, 12)


@dataclass(frozen=True)
class Drawn:
    """What came out of an evening; ``worse`` are its rounds over the bound of repeats."""

    people: int
    repeats: int
    fewest: int
    worse: int
    byes: int
    uneven: bool
    sized_worse: int
    slowest: float


def draw(seed: int) -> Drawn:
    """Draw all rounds of an evening."""
    people = Random(seed).randint(FEWEST, MOST)
    allowed = ALLOWED if seed % 2 else {4, 6}
    begin = perf_counter()
    evening = play_evening(people, ROUNDS, seed, allowed, ORDERS)
    seconds = (perf_counter() - begin) / ROUNDS
    byes = Counter(chain.from_iterable(pods.byes for pods in evening))
    each = [byes[key] for key in range(people)]
    best = fewest_byes_and_distance(people, allowed)
    return Drawn(
        people,
        sum(pods.repeats for pods in evening),
        sum(pods.fewest for pods in evening),
        sum(pods.repeats > pods.fewest for pods in evening),
        byes.total(),
        max(each) - min(each) > 1,
        sum(measure(people, [len(table) for table in pods.tables]) > best for pods in evening),
        seconds,
    )


def print_rows(evenings: Sequence[Drawn]) -> None:
    """Print a line for each band of people, and one for all."""
    heads = ("people", "evenings", "rounds", "repeats", "at least", "rounds over", "byes")
    print_row((*heads, "byes uneven", "sizes worse", "s a round"))
    for first, last in (*BANDS, (FEWEST, MOST)):
        some = [one for one in evenings if first <= one.people <= last]
        if some:
            print_row(
                (
                    f"{first} to {last}",
                    len(some),
                    ROUNDS * len(some),
                    sum(one.repeats for one in some),
                    sum(one.fewest for one in some),
                    sum(one.worse for one in some),
                    sum(one.byes for one in some),
                    sum(one.uneven for one in some),
                    sum(one.sized_worse for one in some),
                    f"{max(one.slowest for one in some):.2f}",
                )
            )


def print_row(cells: Sequence[object]) -> None:
    print("  ".join(f"{cell!s:>{width}}" for cell, width in zip(cells, (*WIDTHS, 9), strict=True)))


def main() -> None:
    parser = ArgumentParser(description="Draw evenings, and print how good their tables are.")
    parser.add_argument("--evenings", type=int, default=1000, help="how many")
    given = parser.parse_args()
    with ProcessPoolExecutor() as processes:
        evenings = list(processes.map(draw, range(given.evenings), chunksize=10))
    print_rows(evenings)


if __name__ == "__main__":
    main()
