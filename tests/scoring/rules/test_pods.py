"""Tables of a round: everybody sits or has a bye, and few meet again."""

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import chain, product
from random import Random

import pytest

from scoring.rules.pods import (
    Person,
    Pods,
    TooFewForATable,
    best_tables,
    fewest_repeats,
    meetings,
    table_sizes,
)

ALLOWED = {3, 4, 5}
USUAL = 4
ORDERS = 4


def play_evening(
    people: int, rounds: int, seed: int, allowed: Collection[int] = frozenset(ALLOWED)
) -> list[Pods]:
    """Pair the rounds of an evening, each by the standings after invented results."""
    chance = Random(seed)
    points, byes = Counter(dict.fromkeys(range(people), 0)), Counter[int]()
    paired: list[Pods] = []
    for _ in range(rounds):
        standing = {
            key: 1 + sum(other > points[key] for other in points.values()) for key in points
        }
        pods = best_tables(
            [Person(key, standing[key], byes[key]) for key in points],
            [earlier.tables for earlier in paired],
            table_sizes(people, allowed, usual=USUAL),
            [chance.sample(range(people), people) for _ in range(ORDERS)],
        )
        paired.append(pods)
        byes.update(pods.byes)
        points.update({key: chance.randint(0, 21) for key in points})
    return paired


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


def test_the_usual_size_is_up_to_whoever_runs_the_evening():
    assert table_sizes(9, ALLOWED, usual=3) == (3, 3, 3)
    assert table_sizes(10, ALLOWED, usual=5) == (5, 5)


def test_too_few_people_are_refused():
    with pytest.raises(TooFewForATable):
        table_sizes(2, ALLOWED, usual=4)


def test_people_of_like_standing_share_a_table_where_nobody_met():
    people = [Person(key, standing=key) for key in range(1, 9)]

    pods = best_tables(people, [], (4, 4), [range(1, 9), range(8, 0, -1)])

    assert [sorted(table) for table in pods.tables] == [[1, 2, 3, 4], [5, 6, 7, 8]]
    assert (pods.repeats, pods.fewest) == (0, 0)


def test_a_bye_goes_to_the_lowest_of_those_with_the_fewest():
    people = [Person(1, 1), Person(2, 2, byes=1), Person(3, 3), Person(4, 4, byes=1), Person(5, 5)]

    pods = best_tables(people, [], (4,), [(1, 2, 3, 4, 5)])

    assert pods.byes == (5,)


def test_the_same_orders_pair_the_same_tables():
    assert play_evening(23, 3, seed=7) == play_evening(23, 3, seed=7)
    assert play_evening(23, 3, seed=7) != play_evening(23, 3, seed=8)


@pytest.mark.parametrize("seed", range(30))
def test_everybody_sits_once_and_nobody_meets_more_often_than_has_to_be(seed):
    people = 6 + 2 * seed
    evening = play_evening(people, 3, seed)

    for at, pods in enumerate(evening):
        seated = [*chain.from_iterable(pods.tables), *pods.byes]
        met = meetings(earlier.tables for earlier in evening[:at])
        assert sorted(seated) == list(range(people))
        assert pods.repeats == sum(met[pair] for pair in meetings([pods.tables]))
        assert pods.fewest == fewest_repeats(pods.tables, [e.tables for e in evening[:at]])
        assert pods.fewest <= pods.repeats <= pods.fewest + 2


@pytest.mark.parametrize("allowed", [ALLOWED, {4, 6}])
def test_sizes_are_the_best_of_all_there_are(allowed):
    for people in range(6, 65):
        sizes = table_sizes(people, allowed, usual=4)
        assert measure(people, sizes) == fewest_byes_and_distance(people, allowed)


@pytest.mark.parametrize("people", [7, 9, 13, 23])
def test_byes_go_round(people):
    byes = Counter(chain.from_iterable(pods.byes for pods in play_evening(people, 6, 1, {4, 6})))

    counts = [byes[key] for key in range(people)]
    assert max(counts) - min(counts) <= 1
