"""Every move of every format: recorded, read, amended, undone, exported and imported."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

import pytest

from scoring.play import queries
from scoring.play.inventing import invent, likely
from scoring.play.simulation import random_move
from scoring.rules import engine
from scoring.rules.corrections import Amend, Entry, Undo
from scoring.rules.errors import RuleError
from scoring.rules.formats import RULESETS
from scoring.rules.log import GameLog
from scoring.rules.move import Move
from scoring.rules.ruleset import Ruleset
from scoring.rules.state import GameState, new_game

from ..tables import check_books, check_export, record, set_up, the_game

SEEDS = 60
EVENTS = 40

EVERY_MOVE = [
    pytest.param(ruleset, move, id=f"{ruleset.key}-{move.type}")
    for ruleset in RULESETS.values()
    for move in sorted(ruleset.moves, key=lambda move: move.type)
]


def moves_up_to(ruleset: Ruleset, wanted: type[Move]) -> tuple[int, list[Move]]:
    """Return a number of players, and the moves of a game of which the last is of a type."""
    for seed in range(SEEDS):
        dice = Random(seed)
        size = dice.choice([size for size in range(2, 9) if ruleset.allows(size)])
        state, moves = new_game(ruleset, tuple(range(1, size + 1))), []
        while len(moves) < EVENTS and (decided := _next(dice, state, wanted)):
            move, state = decided
            moves.append(move)
            if isinstance(move, wanted):
                return size, moves
    raise AssertionError(f"No {wanted.type} in {SEEDS} games.")


def _next(dice: Random, state: GameState, wanted: type[Move]) -> tuple[Move, GameState] | None:
    """Return a move that the rules allow, if possible of a type, and the state after it."""
    fitting = [move for move in likely(state) if isinstance(move, wanted)]
    fitting += [invent(dice, state, wanted) for _ in range(8)]
    if not state.is_over:
        fitting += [random_move(dice, state) for _ in range(50)]
    return next(_decided(state, fitting), None)


def _decided(state: GameState, moves: Iterable[Move]) -> Iterator[tuple[Move, GameState]]:
    for move in moves:
        try:
            yield move, engine.decide(state, move).state
        except RuleError:
            continue


@pytest.mark.parametrize(("ruleset", "kind"), EVERY_MOVE)
@pytest.mark.django_db
def test_a_move_is_recorded_read_amended_undone_exported_and_imported(ruleset, kind):
    players, moves = moves_up_to(ruleset, kind)
    table = set_up(players, ruleset=ruleset)
    log = GameLog(new_game(ruleset, tuple(the_game(table).turn_order)))
    for move in moves:
        assert record(table, move).current_state == played(log, move)
    row = queries.rows(the_game(table))[-1]
    assert queries.entry_of(row) == queries.checked_entry(row) == moves[-1]

    for correction in (Amend(log.count, moves[-1]), Undo()):
        check_books(table)
        check_export(table)
        assert record(table, correction).current_state == played(log, correction)
    check_books(table)
    check_export(table)

    assert len(log.lines) == len(moves) - 1


def played(log: GameLog, entry: Entry) -> GameState:
    log.append(entry)
    return log.state
