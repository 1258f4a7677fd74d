"""Games of random moves of any format, for what holds whatever happens."""

from contextlib import suppress
from functools import cache
from random import Random

from scoring.record.simulation import random_move
from scoring.rules.errors import RuleError
from scoring.rules.log import GameLog
from scoring.rules.ruleset import Ruleset
from scoring.rules.state import new_game

SIZES_MAX = 8
GAMES, LONG = 40, 60


def sizes(ruleset: Ruleset) -> list[int]:
    return [size for size in range(1, SIZES_MAX + 1) if ruleset.allows(size)]


@cache
def games(ruleset: Ruleset) -> list[GameLog]:
    """Return games of ever more random moves, the first at its start, and some long ones."""
    lengths = [*enumerate(range(GAMES)), *((seed, LONG) for seed in range(12))]
    return [random_game(Random(seed), ruleset, moves) for seed, moves in lengths]


def random_game(dice: Random, ruleset: Ruleset, moves: int) -> GameLog:
    log = GameLog(new_game(ruleset, tuple(range(1, dice.choice(sizes(ruleset)) + 1))))
    for _ in range(moves):
        with suppress(RuleError, IndexError):  # nobody is left to invent a move for
            log.append(random_move(dice, log.state))
    return log
