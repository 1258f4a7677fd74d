"""Splitting many players into tables of a few."""

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

from .errors import RuleError

FEWEST, MOST = 3, 5


class TooFewToSplit(RuleError):
    text = f"A table takes {FEWEST} to {MOST} players: fewer stayed."


class WrongSizes(RuleError):
    text = "Tables of these sizes don't seat exactly those who play."
    advice = "Choose the sizes again."


def sizes_of(count: int) -> list[tuple[int, ...]]:
    """Return the sizes of tables that seat so many: few tables first, then equal ones.

    >>> sizes_of(8), sizes_of(2)
    ([(4, 4), (5, 3)], [])
    """
    parted = filter(None, _parted(count, MOST))
    return sorted(parted, key=lambda sizes: (len(sizes), sizes))


def _parted(count: int, most: int) -> Iterator[tuple[int, ...]]:
    if count == 0:
        yield ()
    for size in range(min(most, count), FEWEST - 1, -1):
        for rest in _parted(count - size, size):
            yield size, *rest


def tables_of(order: Sequence[int], sizes: Sequence[int] = ()) -> tuple[tuple[int, ...], ...]:
    """Without ``sizes`` the tables have the usual ones.

    >>> tables_of([4, 7, 1, 2, 3, 6, 5])
    ((4, 7, 1, 2), (3, 6, 5))

    :raises RuleError: if there are too few for one table, or if ``sizes`` seat more or fewer.
    """
    possible = sizes_of(len(order))
    if not possible:
        raise TooFewToSplit()
    if sizes and tuple(sizes) not in possible:
        raise WrongSizes()
    ends = [0, *accumulate(sizes or possible[0])]
    return tuple(tuple(order[start:end]) for start, end in pairwise(ends))
