"""The dice of a set: rolls that come from its seed, so that nobody can roll again; and who starts a
game when they decide."""

from collections.abc import Collection, Iterable
from itertools import takewhile
from random import Random

from ..models import GameSet
from ..rules import sets
from ..rules.sets import SetState

SIDES = 20

Rolls = dict[int, tuple[int, ...]]
Groups = tuple[tuple[int, ...], ...]


def roll(seed: int, game: int, seats: Iterable[int]) -> Rolls:
    """Return each seat's rolls for the start of a game; tied seats roll again.

    The same seed, game number and seats give the same rolls, so taking a game back doesn't bring
    better luck.

    >>> roll(1, 1, [1, 2, 3])
    {1: (20,), 2: (19,), 3: (17,)}
    """
    players = tuple(seats)
    dice = Random(f"{seed} {game} {players}")
    rolls: Rolls = dict.fromkeys(players, ())
    tied = players if len(players) > 1 else ()
    while tied:
        for seat in tied:
            rolls[seat] += (dice.randint(1, SIDES),)
        tied = tuple(seat for seat in tied if list(rolls.values()).count(rolls[seat]) > 1)
    return rolls


def for_the_first(rolls: Rolls) -> Rolls:
    """Return the rolls that decided who is first: other ties need not be rolled again.

    >>> for_the_first({1: (19, 4), 2: (7, 3), 3: (19, 12), 4: (7, 9)})
    {1: (19, 4), 2: (7,), 3: (19, 12), 4: (7,)}
    """
    best = max(rolls.values())
    shown = {}
    for seat, numbers in rolls.items():
        same = [*takewhile(lambda pair: pair[0] == pair[1], zip(numbers, best, strict=False))]
        shown[seat] = numbers[: len(same) + 1]
    return shown


def highest_first(rolls: Rolls) -> tuple[int, ...]:
    """
    >>> highest_first({1: (4,), 2: (19, 3), 3: (19, 12)})
    (3, 2, 1)
    """
    return tuple(sorted(rolls, key=rolls.__getitem__, reverse=True))


def rolling_groups(before: SetState, dropped: Collection[int]) -> Groups:
    """Return the groups of seats that roll against each other: ties, from the lowest standing.

    All roll together where the standings don't order anybody. A player who leaves before the game
    still rolled among the tied; before the first game nobody had rolled.
    """
    start = sets.next_start(before)
    if start and start.orders:
        return start.groups
    return (tuple(seat for seat in before.able if seat not in dropped),)


def rolls(game_set: GameSet, number: int, groups: Iterable[Collection[int]]) -> list[Rolls]:
    return [roll(game_set.seed, number, group) for group in groups]


def order(rolls: Iterable[Rolls]) -> tuple[int, ...]:
    """Return the seats of all groups, each group's highest roll first.

    >>> order([{2: ()}, {1: (4,), 3: (19,)}])
    (2, 3, 1)
    """
    return tuple(seat for group in rolls for seat in highest_first(group))
