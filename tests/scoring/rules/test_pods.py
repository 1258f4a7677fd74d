"""Tables of a round: everybody sits or has a bye, and few meet again."""

from __future__ import annotations

from collections import Counter
from itertools import chain

import pytest

from scoring.rules.pods import (
    Person,
    TooFewForATable,
    draw,
    fewest_repeats,
    meetings,
    table_sizes,
)

from .evenings import ALLOWED, fewest_byes_and_distance, measure, play_evening


def test_the_usual_size_is_up_to_whoever_runs_the_evening():
    assert table_sizes(9, ALLOWED, usual=3) == (3, 3, 3)
    assert table_sizes(10, ALLOWED, usual=5) == (5, 5)


def test_too_few_people_are_told_so():
    with pytest.raises(TooFewForATable):
        table_sizes(2, ALLOWED, usual=4)


def test_people_of_like_standing_share_a_table_where_nobody_met():
    people = [Person(key, standing=key) for key in range(1, 9)]

    pods = draw(people, [], (4, 4), [range(1, 9), range(8, 0, -1)])

    assert [sorted(table) for table in pods.tables] == [[1, 2, 3, 4], [5, 6, 7, 8]]
    assert (pods.repeats, pods.fewest) == (0, 0)


def test_a_bye_goes_to_the_lowest_of_those_with_the_fewest():
    people = [Person(1, 1), Person(2, 2, byes=1), Person(3, 3), Person(4, 4, byes=1), Person(5, 5)]

    pods = draw(people, [], (4,), [(1, 2, 3, 4, 5)])

    assert pods.byes == (5,)


def test_the_same_orders_draw_the_same_tables():
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
