"""Invented moves of any format: values for their fields, drawn from what may stand in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from random import Random
from typing import Any

from ..rules import fields as of
from ..rules.moves import Move
from ..rules.own import OwnMove
from ..rules.state import GameState, PlayerState

WORDS = ("Ogre", "Grizzly Bears", "Forest", "yes", "no")


Likely = Callable[[GameState], Sequence[Move]]
_likely: dict[str, Likely] = {}


def register(format: str, moves: Likely) -> None:
    """Make random play of a format try ``moves``, which drawn values would hardly bring about."""
    _likely[format] = moves


def likely(state: GameState) -> Sequence[Move]:
    """Return the moves that suit the state of a game, by its format; often none."""
    moves = _likely.get(state.ruleset.format)
    return moves(state) if moves else ()


def own_moves(state: GameState) -> list[type[OwnMove]]:
    """Return the moves that only the game's format knows, in a lasting order."""
    own = [move for move in state.ruleset.moves if issubclass(move, OwnMove)]
    return sorted(own, key=lambda move: move.type)


def invent(dice: Random, state: GameState, move: type[OwnMove]) -> OwnMove:
    """Return a move of a format with values drawn at random; the rules may refuse it.

    Half of the texts are such as the game has heard already.
    """
    return move(**{name: _value(dice, state, spec) for name, (spec, _) in of.specs(move).items()})


def _value(dice: Random, state: GameState, spec: of.Spec) -> Any:
    match spec:
        case of.OneSeat():
            return dice.choice(state.in_game or tuple(state.players))
        case of.SomeSeats():
            seats = state.in_game or tuple(state.players)
            return tuple(dice.sample(seats, dice.randint(1, min(2, len(seats)))))
        case of.Number(lowest=lowest, highest=highest):
            least = max(lowest, -4)
            return dice.randint(least, min(highest, least + 9))
        case of.Choice(choices=choices):
            return dice.choice(choices)
        case of.Texts(fewest=fewest):
            return tuple(dice.sample(WORDS, max(fewest, 2)))
        case of.Truth():
            return dice.random() < 0.5
    return dice.choice([*WORDS, *_heard(state)] if dice.random() < 0.5 else WORDS)


def _heard(state: GameState) -> Iterator[str]:
    """Yield the texts among the facts that only the game's format knows."""
    known = {field.name for base in (GameState, PlayerState) for field in fields(base)}
    for record in (state, *state.players.values()):
        for field in fields(record):
            if field.name not in known:
                yield from _texts(getattr(record, field.name))


def _texts(fact: object) -> Iterator[str]:
    if isinstance(fact, str):
        yield fact
    elif isinstance(fact, tuple):
        for part in fact:
            yield from _texts(part)
