"""Invented moves of any format: random values for their fields, as their specs allow."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields as fields_of
from random import Random
from typing import Any, TypeVar

from ..rules import fields
from ..rules.fields import Spec, specs
from ..rules.move import Move
from ..rules.moves import SHARED
from ..rules.results import EnterResult
from ..rules.state import GameState, PlayerState

T = TypeVar("T")
WORDS = ("Ogre", "Grizzly Bears", "Forest", "yes", "no")


Likely = Callable[[GameState], Sequence[Move]]
_likely: dict[str, Likely] = {}


def register(format: str, moves: Likely) -> None:
    _likely[format] = moves


def likely(state: GameState) -> Sequence[Move]:
    moves = _likely.get(state.ruleset.format)
    return moves(state) if moves else ()


def moves_with_a_page(state: GameState) -> list[type[Move]]:
    moves = [move for move in state.ruleset.moves - SHARED if move.title]
    moves = [move for move in moves if move is not EnterResult]  # nothing is left to play after it
    return sorted(moves, key=lambda move: move.type)


def invent(dice: Random, state: GameState, of: type[T]) -> T:
    """Return a move, or a record of one. Half of its texts are some that the game has already."""
    return of(**{name: _value(dice, state, spec) for name, (spec, _) in specs(of).items()})


def _value(dice: Random, state: GameState, spec: Spec) -> Any:
    seats = state.in_game or tuple(state.players)
    match spec:
        case fields.Seat():
            return dice.choice(seats)
        case fields.SeatList():
            return tuple(dice.sample(seats, dice.randint(1, min(2, len(seats)))))
        case fields.Points():
            return {seat: dice.choice((0, 5, 21, 26)) for seat in seats}
        case fields.Day():
            return dice.choice(("1999-12-31", "2026-03-12"))
        case fields.Changes():
            return {dice.choice(seats): dice.choice((-2, -1, 1, 2, 3))}
        case fields.RecordList(of=of):
            return (invent(dice, state, of),)
        case fields.Number(lowest=lowest, highest=highest):
            least = max(lowest, -4)
            return dice.randint(least, min(highest, least + 9))
        case fields.Choice(choices=choices, of=of):
            return of(dice.choice(choices))
        case fields.TextList(fewest=fewest):
            return tuple(dice.sample(WORDS, max(fewest, 2)))
        case fields.Flag():
            return dice.random() < 0.5
    if dice.random() >= 0.5:
        return dice.choice(WORDS)
    common = {field.name for base in (GameState, PlayerState) for field in fields_of(base)}
    records: tuple[GameState | PlayerState, ...] = (state, *state.players.values())
    own = ((record, field.name) for record in records for field in fields_of(record))
    known = [text for of, name in own if name not in common for text in _texts(getattr(of, name))]
    return dice.choice([*WORDS, *known])


def _texts(fact: object) -> Iterator[str]:
    if isinstance(fact, str) and fact:
        yield fact
    elif isinstance(fact, tuple):
        for part in fact:
            yield from _texts(part)
