"""The dice of a set: rolls that come from its seed, so that nobody can roll again."""

from collections.abc import Iterable
from random import Random

SIDES = 20

Rolls = dict[int, tuple[int, ...]]


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


def highest_first(rolls: Rolls) -> tuple[int, ...]:
    """
    >>> highest_first({1: (4,), 2: (19, 3), 3: (19, 12)})
    (3, 2, 1)
    """
    return tuple(sorted(rolls, key=rolls.__getitem__, reverse=True))
