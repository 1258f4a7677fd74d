"""Who starts a game where the dice say it: who rolls with whom, and what was rolled."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ..rules import sets
from ..rules.sets import SetState
from . import dice
from .queries import Table

Groups = tuple[tuple[int, ...], ...]


def rolling(before: SetState, dropped: Collection[int] = ()) -> Groups:
    """Return who rolls with whom, by seat: those who are tied, from the lowest standing.

    All roll together where the standings order nothing. Who leaves before the game still rolled
    among those tied; before the first game nobody has.
    """
    start = sets.next_start(before)
    if start and start.orders:
        return start.groups
    return (tuple(seat for seat in before.able if seat not in dropped),)


def rolls(table: Table, number: int, groups: Iterable[Collection[int]]) -> list[dice.Rolls]:
    """Return what each group rolls for game ``number`` of the set."""
    return [dice.roll(table.game_set.seed, number, group) for group in groups]


def order(rolled: Iterable[dice.Rolls]) -> tuple[int, ...]:
    """Return the seats of all groups, each group's highest roll first.

    >>> order([{2: ()}, {1: (4,), 3: (19,)}])
    (2, 3, 1)
    """
    return tuple(seat for group in rolled for seat in dice.highest_first(group))
