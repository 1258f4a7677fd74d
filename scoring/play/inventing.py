"""Invented moves of any format: values for their fields, drawn from what may stand in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from random import Random
from typing import Any

from ..rules import fields as of
from ..rules.own import OwnMove
from ..rules.state import GameState, PlayerState

WORDS = ("Ogre", "Grizzly Bears", "Forest", "yes", "no")


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
