"""What may stand in the fields of a move: set log, forms and checks are made from these. A helper
makes a dataclass field: ``player: int = seat("Whose library")``."""

import dataclasses
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import MISSING
from datetime import date
from enum import StrEnum
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from coalition_site.lib.untrusted import TEXT_MAX, MalformedDocument, Node

from . import errors
from .values import Value

if TYPE_CHECKING:
    from .move import Move
    from .state import GameState

Seats = Mapping[str, int]
Names = Mapping[int, str]
T = TypeVar("T")
FIRST_DAY, LAST_DAY = date(1993, 1, 1), date(2100, 12, 31)  # nothing was played before


def read_seat(node: Node, seats: Seats) -> int:
    if not isinstance(node.value, str) or node.value not in seats:
        raise node.refuse(f"must be one of the players: {', '.join(seats)}")
    return seats[node.value]


def read_seats(node: Node, seats: Seats) -> tuple[int, ...]:
    players: list[int] = []
    for item in node.items():
        seat = read_seat(item, seats)
        if seat in players:
            raise item.refuse("appears twice")
        players.append(seat)
    return tuple(players)


class Spec(Value):
    """How the value of a field is read from JSON and written. One at its default is left out of the
    JSON unless it ``is_always_written``."""

    label: str
    is_always_written: ClassVar[bool] = False
    # (value, names): makes what JSON has; None where that is the value itself.
    write: ClassVar[Any] = None
    # (what the site wrote, seats by number): makes the value, unchecked; None likewise.
    stored: ClassVar[Any] = None

    def read(self, node: Node, seats: Seats) -> Any:
        """:raises MalformedDocument: if the JSON has no such value, with the path."""
        raise NotImplementedError


class Seat(Spec):
    """``nobody`` is what pages call None. Where it ``takes_null`` JSON has null for that, elsewhere
    the field is missing."""

    nobody: str = ""
    takes_null: bool = False
    stored: ClassVar[Any] = int

    def read(self, node: Node, seats: Seats) -> int | None:
        return None if self.takes_null and node.value is None else read_seat(node, seats)

    def write(self, value: int | None, names: Names) -> str | None:
        return None if value is None else names[value]


class SeatList(Spec):
    def read(self, node: Node, seats: Seats) -> tuple[int, ...]:
        return read_seats(node, seats)

    def write(self, value: tuple[int, ...], names: Names) -> list[str]:
        return [names[seat] for seat in value]

    def stored(self, value: list[str]) -> tuple[int, ...]:
        return tuple(map(int, value))


class Number(Spec):
    lowest: int
    highest: int

    def read(self, node: Node, seats: Seats) -> int:
        return node.number(self.lowest, self.highest)


class Changes(Spec):
    """Players, at least one, each with a number; where it may be negative, it may not be 0."""

    lowest: int
    most: int

    def read(self, node: Node, seats: Seats) -> dict[int, int]:
        changes: dict[int, int] = {}
        for name, item in node.entries().items():
            if name not in seats:
                raise item.refuse(f"must be one of the players: {', '.join(seats)}")
            changes[seats[name]] = item.number(self.lowest, self.most)
            if not item.value and self.lowest:
                raise item.refuse("must not be 0")
        return dict(sorted(changes.items()))

    def write(self, value: Mapping[int, int], names: Names) -> dict[str, int]:
        return {names[seat]: by for seat, by in value.items()}

    def stored(self, value: dict[str, int]) -> dict[int, int]:
        return {int(seat): by for seat, by in value.items()}


class Points(Changes):
    pass


class Choice(Spec):
    """One of several texts; ``of`` makes the value from the text, ``words`` what pages call it."""

    choices: tuple[str, ...]
    of: Callable[[str], str] = str
    words: Callable[[str], str] = str.capitalize

    def read(self, node: Node, seats: Seats) -> str:
        return self.of(node.one_of(self.choices))

    def stored(self, value: str) -> str:
        return self.of(value)


class Text(Spec):
    longest: int = TEXT_MAX

    def read(self, node: Node, seats: Seats) -> str:
        return node.text(self.longest)


class Day(Spec):
    """A day as in 2026-03-09, as text."""

    def read(self, node: Node, seats: Seats) -> str:
        problem = f"must be a day from {FIRST_DAY} to {LAST_DAY}, as in 2026-03-09"
        text = node.text()
        try:
            day = date.fromisoformat(text)
        except ValueError as error:
            raise node.refuse(problem) from error
        # Python reads more forms than this one.
        if day.isoformat() != text or not FIRST_DAY <= day <= LAST_DAY:
            raise node.refuse(problem)
        return text


class Reason(Text):
    suggestions: tuple[str, ...] = ()
    is_always_written: ClassVar[bool] = True


class TextList(Spec):
    fewest: int = 1
    most: int = 10
    stored: ClassVar[Any] = tuple

    def read(self, node: Node, seats: Seats) -> tuple[str, ...]:
        texts = tuple(item.text() for item in node.items())
        if len(set(texts)) < len(texts) or not self.fewest <= len(texts) <= self.most:
            raise node.refuse(f"must be {self.fewest} to {self.most} different texts")
        return texts

    def write(self, value: tuple[str, ...], names: Names) -> list[str]:
        return list(value)


class Flag(Spec):
    def read(self, node: Node, seats: Seats) -> bool:
        return node.truth()


class Record:
    """The base of what a field can have several of; its own fields are made like a move's."""

    __slots__ = ()

    def contradiction(self) -> tuple[str, str] | None:
        """Return the field that does not fit the others, and why; None where all fit."""
        return None


class RecordList(Spec):
    of: type[Record]

    def read(self, node: Node, seats: Seats) -> tuple[Record, ...]:
        records = []
        for item in node.items():
            values = item.fields(*field_names(self.of))
            record: Record = read_values(self.of, values, seats)
            if contradiction := record.contradiction():
                name, problem = contradiction
                raise values[name].refuse(problem)
            records.append(record)
        return tuple(records)

    def write(self, value: tuple[Record, ...], names: Names) -> list[dict[str, Any]]:
        return list(map(partial(write_values, names=names), value))

    def stored(self, value: list[dict[str, Any]]) -> tuple[Record, ...]:
        return tuple(map(partial(stored_values, self.of), value))


def _field(spec: Spec, default: Any = MISSING) -> Any:
    return dataclasses.field(default=default, metadata={"spec": spec})


def seat(label: str) -> Any:
    return _field(Seat(label))


def seat_or_nobody(label: str, nobody: str, default: Any = MISSING) -> Any:
    """Make a field for a player or None, which JSON has as null and pages as ``nobody``."""
    return _field(Seat(label, nobody, takes_null=True), default)


def seat_if_named(label: str, otherwise: str) -> Any:
    """Make a field for a player; None where none is named, which pages call ``otherwise``."""
    return _field(Seat(label, otherwise), None)


def seats(label: str, *, may_lack: bool = False) -> Any:
    return _field(SeatList(label), () if may_lack else MISSING)


def number(label: str, lowest: int, highest: int, default: Any = MISSING) -> Any:
    return _field(Number(label, lowest, highest), default)


def changes(label: str, most: int) -> Any:
    return _field(Changes(label, -most, most))


def points(label: str, most: int) -> Any:
    return _field(Points(label, 0, most))


def day(label: str) -> Any:
    return _field(Day(label))


def choice(
    label: str,
    choices: Sequence[str] | type[StrEnum],
    default: Any = MISSING,
    words: Callable[[str], str] = str.capitalize,
) -> Any:
    of = choices if isinstance(choices, type) else str
    return _field(Choice(label, tuple(choices), of, words), default)


def text(label: str, *, longest: int = TEXT_MAX, may_lack: bool = False) -> Any:
    return _field(Text(label, longest), "" if may_lack else MISSING)


def reason(*suggestions: str, default: str) -> Any:
    return _field(Reason("Reason", suggestions=suggestions), default)


def texts(label: str, *, fewest: int = 1, most: int = 10) -> Any:
    """Make a field for a tuple of different texts; it may lack where ``fewest`` is 0."""
    return _field(TextList(label, fewest, most), MISSING if fewest else ())


def flag(label: str, *, required: bool = False) -> Any:
    return _field(Flag(label), MISSING if required else False)


def records(label: str, of: type[Record]) -> Any:
    return _field(RecordList(label, of))


def _remembered(find: Callable[[type], T]) -> Callable[[type], T]:
    return cache(find)  # which alone is typed for instances that can be hashed, not for classes


# Looked up for each event of whole logs, which without a memory takes twice as long.
@_remembered
def specs(of: type) -> Mapping[str, tuple[Spec, Any]]:
    """``dataclasses.MISSING`` stands for the default of a required field."""
    fields = dataclasses.fields(of)
    return {field.name: (field.metadata["spec"], field.default) for field in fields}


@_remembered
def field_names(of: type) -> tuple[str, str]:
    required = [name for name, (_, default) in specs(of).items() if default is MISSING]
    optional = [name for name in specs(of) if name not in required]
    return " ".join(required), " ".join(optional)


def write_values(record: Any, names: Names) -> dict[str, Any]:
    """Return the fields that JSON has of a move, or of a record."""
    values: dict[str, Any] = {}
    for name, (spec, default) in specs(type(record)).items():
        value = getattr(record, name)
        if default is MISSING or spec.is_always_written or value != default:
            values[name] = spec.write(value, names) if spec.write else value
    return values


def read_values(of: type, nodes: Mapping[str, Node], seats: Seats) -> Any:
    """:raises MalformedDocument: if a field has no value of its kind, with the path."""
    values = {
        name: spec.read(nodes[name], seats)
        for name, (spec, _) in specs(of).items()
        if name in nodes
    }
    return of(**values)


def stored_values(of: type, data: Mapping[str, Any]) -> Any:
    """Unchecked: it was checked when it was recorded, and a log has thousands of fields to read."""
    fields, values = specs(of), dict(data)
    for name, value in data.items():
        make = fields[name][0].stored
        if make and value is not None:
            values[name] = make(value)
    return of(**values)


def require_wellformed(state: "GameState", move: "Move") -> None:
    """Refuse a move that a log could not keep, by the same specs that read a set log.

    :raises NotDealtIn: if it names a player who does not play.
    :raises Malformed: if a field has a value that it can't have.
    """
    _require_values(move, state.players)
    for field, problem in contradictions(move):
        raise errors.Malformed(field=field, problem=problem)


def contradictions(move: "Move") -> Iterator[tuple[str, str]]:
    """Yield the labels of fields that do not fit the others of their record, and why."""
    for name, (spec, _) in specs(type(move)).items():
        for record in getattr(move, name) if isinstance(spec, RecordList) else ():
            if contradiction := record.contradiction():
                field, problem = contradiction
                yield specs(type(record))[field][0].label, problem


def _require_values(record: Any, players: Collection[int]) -> None:
    for name, (spec, default) in specs(type(record)).items():
        value = getattr(record, name)
        if isinstance(spec, RecordList) and value:
            # One by one, so that the refusal names the field of the record.
            for item in value:
                _require_values(item, players)
            continue
        if value == default or _surely_fits(spec, value, players):
            continue
        names = dict(zip(players, map(str, players), strict=True))
        try:
            node = Node(spec.write(value, names) if spec.write else value)
            spec.read(node, dict(zip(names.values(), names, strict=True)))
        except KeyError as error:
            raise errors.NotDealtIn(player=error.args[0]) from error
        except MalformedDocument as error:
            field, _, _ = spec.label.partition(";")  # without the hint for whoever fills it in
            raise errors.Malformed(field=field, problem=error.problem) from error


def _surely_fits(spec: Spec, value: Any, players: Collection[int]) -> bool:
    # Looked at as it is; any other is written and read like a set log's, which words the refusal.
    match spec:
        case Seat():
            return value in players or (value is None and spec.takes_null)
        case Number():
            return type(value) is int and spec.lowest <= value <= spec.highest
        case Choice():
            return value in spec.choices
    return False
