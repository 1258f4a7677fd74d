"""Splitting many players into tables of a few."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from .errors import RuleError

FEWEST, MOST = 3, 5


class TooFewToSplit(RuleError):
    code = "too_few_to_split"
    text = f"A table takes {FEWEST} to {MOST} players: fewer stayed."


def tables_of(order: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return who sits at which table, in seating order: few tables, as equal as possible.

    >>> tables_of([4, 7, 1, 2, 3, 6, 5])
    ((4, 7, 1, 2), (3, 6, 5))

    :raises TooFewToSplit: if there are too few for one table.
    """
    if len(order) < FEWEST:
        raise TooFewToSplit()
    count = -(-len(order) // MOST)
    fewer, larger = divmod(len(order), count)
    ends = [fewer * at + min(at, larger) for at in range(count + 1)]
    return tuple(tuple(order[start:end]) for start, end in pairwise(ends))
