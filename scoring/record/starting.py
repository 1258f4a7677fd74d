"""Who starts a game when dice decide: who rolls against whom, and what they rolled."""

from collections.abc import Collection, Iterable

from ..models import GameSet
from ..rules import sets
from ..rules.sets import SetState
from . import dice

Groups = tuple[tuple[int, ...], ...]


def rolling_groups(before: SetState, dropped: Collection[int] = ()) -> Groups:
    """Return the groups of seats that roll against each other: ties, from the lowest standing.

    All roll together where the standings don't order anybody. A player who leaves before the game
    still rolled among the tied; before the first game nobody had rolled.
    """
    start = sets.next_start(before)
    if start and start.orders:
        return start.groups
    return (tuple(seat for seat in before.able if seat not in dropped),)


def rolls(game_set: GameSet, number: int, groups: Iterable[Collection[int]]) -> list[dice.Rolls]:
    return [dice.roll(game_set.seed, number, group) for group in groups]


def order(rolls: Iterable[dice.Rolls]) -> tuple[int, ...]:
    """Return the seats of all groups, each group's highest roll first.

    >>> order([{2: ()}, {1: (4,), 3: (19,)}])
    (2, 3, 1)
    """
    return tuple(seat for group in rolls for seat in dice.highest_first(group))
