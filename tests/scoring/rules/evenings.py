"""Evenings without a database: rounds drawn by the standings after invented results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import product
from random import Random

from scoring.rules.pods import Person, Pods, draw, table_sizes

ALLOWED = {3, 4, 5}
USUAL = 4
ORDERS = 4


def play_evening(
    people: int,
    rounds: int,
    seed: int,
    allowed: Collection[int] = frozenset(ALLOWED),
    orders: int = ORDERS,
) -> list[Pods]:
    """Draw the rounds of an evening, each by the standings after invented results."""
    chance = Random(seed)
    points, byes = Counter(dict.fromkeys(range(people), 0)), Counter[int]()
    drawn: list[Pods] = []
    for _ in range(rounds):
        standing = {
            key: 1 + sum(other > points[key] for other in points.values()) for key in points
        }
        pods = draw(
            [Person(key, standing[key], byes[key]) for key in points],
            [earlier.tables for earlier in drawn],
            table_sizes(people, allowed, usual=USUAL),
            [chance.sample(range(people), people) for _ in range(orders)],
        )
        drawn.append(pods)
        byes.update(pods.byes)
        points.update({key: chance.randint(0, 21) for key in points})
    return drawn


def measure(people: int, sizes: Sequence[int]) -> tuple[int, int]:
    """Return the byes that sizes leave, and how far they are from the usual size."""
    return people - sum(sizes), sum((size - USUAL) ** 2 for size in sizes)


def fewest_byes_and_distance(people: int, allowed: Collection[int]) -> tuple[int, int]:
    """Return the least of both that any sizes have, by trying all of them."""
    choices = []
    for counts in product(*(range(people // size + 1) for size in allowed)):
        sizes = [size for size, times in zip(allowed, counts, strict=True) for _ in range(times)]
        if 0 < sum(sizes) <= people:
            choices.append(measure(people, sizes))
    return min(choices)
