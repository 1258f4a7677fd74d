"""Every move of every format goes through the record and comes back, whatever was before it.

The moves are those that the rulesets list, so that no new one is left out.
"""

from collections.abc import Iterable
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.models import GameSet
from scoring.record import commands, queries
from scoring.record.inventing import invent, likely
from scoring.record.simulation import random_move
from scoring.rules.corrections import Amend, Entry, Strike, Undo
from scoring.rules.errors import RuleError
from scoring.rules.formats import RULESETS
from scoring.rules.log import GameLog
from scoring.rules.move import Move
from scoring.rules.ruleset import Ruleset
from scoring.rules.state import GameState, new_game
from scoring.setlog import codec
from scoring.setlog import document as setlog

from ..tables import check_books, check_export, the_game

NAMES = ("Ann", "Bo", "Cy", "Di", "Ev", "Fay", "Gus", "Hal")
GAMES = 1_000  # at most, until a move of a kind is possible: the rarest takes some fifty
EVENTS = 40  # before it in one of them
TRIES = 8  # values for its fields at each moment
EXAMPLES = 1
EVERY_MOVE = [
    (ruleset, kind)
    for ruleset in RULESETS.values()
    for kind in sorted(ruleset.moves, key=lambda move: move.type)
]


class Moment(NamedTuple):
    """A game so far, and the first and the last of the moves of a kind that are possible then."""

    log: GameLog
    moves: tuple[Move, Move]


@pytest.mark.parametrize(
    ("ruleset", "kind"), EVERY_MOVE, ids=[f"{of.key}-{kind.type}" for of, kind in EVERY_MOVE]
)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=EXAMPLES)
@pytest.mark.django_db
def test_every_move_is_written_read_amended_undone_exported_and_imported(ruleset, kind, seed):
    dice = Random(seed)
    log, (move, other) = moment_for(dice, ruleset, kind)
    table, number = stored(log), log.count + 1
    before, after, amended = log.state, after_move(log, move), after_move(log, other)

    assert recorded(table, move) == after
    assert queries.entry_of(queries.rows(the_game(table))[-1]) == move
    check_export(table)
    assert recorded(table, Amend(number, other)) == amended
    assert recorded(table, Amend(number, move)) == after
    assert recorded(table, dice.choice((Undo(), Undo(number), Strike(number)))) == before
    check_export(table)


def moment_for(dice: Random, ruleset: Ruleset, kind: type[Move]) -> Moment:
    """Play games at random until a move of that kind is possible; the game may be over by then."""
    for _ in range(GAMES):
        log = begun(dice, ruleset)
        for _ in range(EVENTS):
            possible = [move for move in candidates(dice, log.state, kind) if is_taken(log, move)]
            if possible and dice.random() < 0.5:
                return Moment(log, (possible[0], possible[-1]))
            if log.state.is_over:
                break
            move = random_move(dice, log.state)
            if is_taken(log, move):
                log.append(move)
    raise AssertionError(f"{kind.type} never becomes possible in {ruleset.key}")


def begun(dice: Random, ruleset: Ruleset) -> GameLog:
    sizes = [size for size in range(2, len(NAMES) + 1) if ruleset.allows(size)]
    seats = range(1, dice.choice(sizes) + 1)
    first = dice.choice(seats)
    return GameLog(new_game(ruleset, (*seats[first - 1 :], *seats[: first - 1])))


def candidates(dice: Random, state: GameState, kind: type[Move]) -> Iterable[Move]:
    """Return moves of a kind: those that suit the state, and some with random values."""
    invented = [invent(dice, state, kind) for _ in range(TRIES)]
    return [*(move for move in likely(state) if type(move) is kind), *invented]


def is_taken(log: GameLog, move: Move) -> bool:
    try:
        after_move(log, move)
    except RuleError:
        return False
    return True


def after_move(log: GameLog, move: Move) -> GameState:
    return GameLog(log.state, [move]).state


def stored(log: GameLog) -> GameSet:
    events = tuple(setlog.LoggedEntry(line.move) for line in log.lines)
    names = NAMES[: len(log.start.players)]
    game = setlog.LoggedGame(next(iter(log.start.players)), events)
    return commands.store_set(setlog.SetLog(log.start.ruleset, names, (game,)))


def recorded(table: GameSet, entry: Entry) -> GameState:
    """Record an entry, and return the state that is stored then; the books agree with the log."""
    game = commands.record(table, 1, entry)
    check_books(table)
    state = codec.read_state(the_game(table).state)
    assert game.current_state == state
    return state
