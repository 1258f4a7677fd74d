"""Many players into tables of three to five."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.splitting import TooFewToSplit, WrongSizes, sizes_of, tables_of


@pytest.mark.parametrize("order", [(), (1,), (1, 2)])
def test_too_few_are_refused(order):
    with pytest.raises(TooFewToSplit, match="fewer stayed"):
        tables_of(order)


@pytest.mark.parametrize(
    ("count", "sizes"),
    [(2, []), (3, [(3,)]), (6, [(3, 3)]), (8, [(4, 4), (5, 3)]), (9, [(5, 4), (3, 3, 3)])],
)
def test_every_size_of_three_to_five_can_be_chosen(count, sizes):
    assert sizes_of(count) == sizes
    for chosen in sizes:
        assert [len(table) for table in tables_of(range(count), chosen)] == list(chosen)


def test_sizes_that_do_not_fit_are_refused():
    with pytest.raises(WrongSizes, match="don't seat exactly"):
        tables_of(range(8), (4, 3))


@given(st.permutations(range(1, 31)), st.integers(3, 30))
def test_all_sit_once_at_few_tables_of_nearly_the_same_size(seats, count):
    """003 56: They split into games of three to five."""
    order = seats[:count]
    tables = tables_of(order)
    sizes = [len(table) for table in tables]

    assert [seat for table in tables for seat in table] == list(order)
    assert min(sizes) >= 3
    assert max(sizes) <= 5
    assert max(sizes) - min(sizes) <= 1
    assert len(tables) == -(-count // 5)
