"""Whether a move can be written down and read again: what can't be is refused before it is decided.

The fields of a format's own moves are judged by the very specs that read a set log.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import MISSING
from typing import Any

from coalition_site.lib.untrusted import MalformedDocument, Node

from . import errors
from . import moves as mv
from .fields import Names, Number, Spec, Text, specs
from .own import OwnMove
from .state import GameState

DAMAGE = Number("The damage", 1, mv.AMOUNT_MAX)
TOXIC = Number("Toxic", 0, mv.TOXIC_MAX)
CHANGE = Number("The change", -mv.CHANGE_MAX, mv.CHANGE_MAX)
REASON = Text("The reason")


def require_wellformed(state: GameState, move: mv.Move) -> None:
    """Refuse a move that a log could not keep.

    :raises NotDealtIn: if it names a player who does not play.
    :raises Malformed: if a field has what may not stand in it.
    """
    names = {seat: str(seat) for seat in state.players}
    for spec, value in _own(move) if isinstance(move, OwnMove) else _shared(move):
        _require(spec, value, names)
    match move:
        case mv.DealDamage(hits):
            _require_some(hits, "Damage")
            for hit in hits:
                _require_possible(hit)
        case mv.ChangeLife(changes) | mv.ChangePoison(changes):
            _require_some(changes, "A change")
            if not all(changes.values()):
                raise errors.Malformed(field=CHANGE.label, problem="must not be 0")
        case mv.Lose(players):
            _require_some(players, "Who loses")
            if len(set(players)) < len(players):
                raise errors.Malformed(field="Who loses", problem="must be different players")


def _own(move: OwnMove) -> Iterable[tuple[Spec, Any]]:
    """Yield the fields that are written; what stands at its default is left out."""
    for name, (spec, default) in specs(move).items():
        value = getattr(move, name)
        if default is MISSING or value != default:
            yield spec, value


def _shared(move: mv.Move) -> Iterable[tuple[Spec, Any]]:
    match move:
        case mv.DealDamage(hits):
            for hit in hits:
                yield DAMAGE, hit.amount
                yield TOXIC, hit.toxic
        case mv.ChangeLife(changes) | mv.ChangePoison(changes):
            for by in changes.values():
                yield CHANGE, by
        case mv.Lose(reason=reason) | mv.Win(reason=reason) | mv.Draw(reason=reason):
            yield REASON, reason


def _require(spec: Spec, value: Any, names: Names) -> None:
    try:
        written = spec.write(value, names)
    except KeyError as error:
        raise errors.NotDealtIn(player=error.args[0]) from error
    try:
        spec.read(Node(written, ""), {name: seat for seat, name in names.items()})
    except MalformedDocument as error:
        field, _, _ = spec.label.partition(";")  # without the hint for who fills it in
        raise errors.Malformed(field=field, problem=error.problem) from error


def _require_some(found: Iterable[Any], field: str) -> None:
    if not found:
        raise errors.Malformed(field=field, problem="is missing")


def _require_possible(hit: mv.Hit) -> None:
    if hit.source is None and hit.kind is not mv.Kind.OTHER:
        raise errors.Malformed(field="Damage from nobody", problem="can only be other damage")
    if hit.toxic and hit.kind is not mv.Kind.COMBAT:
        raise errors.Malformed(field=TOXIC.label, problem="goes with combat damage only")
