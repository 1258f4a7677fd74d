"""Whether a move can be written down and read again: what can't is refused before it is decided.

The fields of a move are checked by the same specs that read a set log.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from coalition_site.lib.untrusted import MalformedDocument, Node

from . import errors
from .fields import Names, RecordList, Seats, Spec, specs, written
from .move import Move
from .state import GameState


def require_wellformed(state: GameState, move: Move) -> None:
    """Refuse a move that a log could not keep.

    :raises NotDealtIn: if it names a player who does not play.
    :raises Malformed: if a field has a value that it can't have.
    """
    names = {seat: str(seat) for seat in state.players}
    _require_values(move, names, {name: seat for seat, name in names.items()})
    for field, problem in contradictions(move):
        raise errors.Malformed(field=field, problem=problem)


def contradictions(move: Move) -> Iterator[tuple[str, str]]:
    """Yield the labels of fields that do not fit the others of their record, and why."""
    for _, spec, value in written(move):
        for record in value if isinstance(spec, RecordList) else ():
            if contradiction := record.contradiction():
                name, problem = contradiction
                yield specs(type(record))[name][0].label, problem


def _require_values(record: Any, names: Names, seats: Seats) -> None:
    for _, spec, value in written(record):
        if isinstance(spec, RecordList) and value:
            # One by one, so that the refusal names the field of the record.
            for item in value:
                _require_values(item, names, seats)
        else:
            _require(spec, value, names, seats)


def _require(spec: Spec, value: Any, names: Names, seats: Seats) -> None:
    try:
        as_json = spec.write(value, names)
    except KeyError as error:
        raise errors.NotDealtIn(player=error.args[0]) from error
    try:
        spec.read(Node(as_json), seats)
    except MalformedDocument as error:
        field, _, _ = spec.label.partition(";")  # without the hint for whoever fills it in
        raise errors.Malformed(field=field, problem=error.problem) from error
