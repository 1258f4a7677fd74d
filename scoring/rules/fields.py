"""What may stand in the fields of a format's own moves.

A set log, the form on a page and the form that amends all read a move by these. Each helper
makes a dataclass field: ``player: int = seat("Whose library")``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coalition_site.lib.untrusted import TEXT_MAX, Node

Seats = Mapping[str, int]
Names = Mapping[int, str]


def read_seat(node: Node, seats: Seats) -> int:
    """Return one player."""
    if not isinstance(node.value, str) or node.value not in seats:
        raise node.refuse(f"must be one of the players: {', '.join(seats)}")
    return seats[node.value]


def read_seats(node: Node, seats: Seats) -> tuple[int, ...]:
    """Return a list of different players, at least one."""
    found: list[int] = []
    for item in node.items():
        seat = read_seat(item, seats)
        if seat in found:
            raise item.refuse("stands here twice")
        found.append(seat)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Spec:
    """How a field is called on pages, and how it is read from JSON and written."""

    label: str

    def read(self, node: Node, seats: Seats) -> Any:
        """Return the value.

        :raises MalformedDocument: if it is none, with the path.
        """
        raise NotImplementedError

    def write(self, value: Any, names: Names) -> Any:
        """Return the value as JSON."""
        return value


@dataclass(frozen=True, slots=True)
class OneSeat(Spec):
    """A player; None is called ``nobody``, where that is possible."""

    nobody: str = ""

    def read(self, node: Node, seats: Seats) -> int | None:
        return None if self.nobody and node.value is None else read_seat(node, seats)

    def write(self, value: int | None, names: Names) -> str | None:
        return None if value is None else names[value]


@dataclass(frozen=True, slots=True)
class SomeSeats(Spec):
    """Different players, at least one."""

    def read(self, node: Node, seats: Seats) -> tuple[int, ...]:
        return read_seats(node, seats)

    def write(self, value: tuple[int, ...], names: Names) -> list[str]:
        return [names[seat] for seat in value]


@dataclass(frozen=True, slots=True)
class Number(Spec):
    """A whole number within bounds."""

    lowest: int
    highest: int

    def read(self, node: Node, seats: Seats) -> int:
        return node.number(self.lowest, self.highest)


@dataclass(frozen=True, slots=True)
class Choice(Spec):
    """One of some texts."""

    choices: tuple[str, ...]

    def read(self, node: Node, seats: Seats) -> str:
        return node.one_of(list(self.choices))


@dataclass(frozen=True, slots=True)
class Text(Spec):
    """A text of 1 to ``longest`` characters; none at all where it ``may_lack``."""

    longest: int = TEXT_MAX
    may_lack: bool = False

    def read(self, node: Node, seats: Seats) -> str:
        return node.text(self.longest)


@dataclass(frozen=True, slots=True)
class Texts(Spec):
    """Different texts, ``fewest`` to ``most`` of them."""

    fewest: int = 1
    most: int = 10

    def read(self, node: Node, seats: Seats) -> tuple[str, ...]:
        texts = tuple(item.text() for item in node.items())
        if len(set(texts)) < len(texts) or not self.fewest <= len(texts) <= self.most:
            raise node.refuse(f"must be {self.fewest} to {self.most} different texts")
        return texts

    def write(self, value: tuple[str, ...], names: Names) -> list[str]:
        return list(value)


@dataclass(frozen=True, slots=True)
class Truth(Spec):
    """True or false."""

    def read(self, node: Node, seats: Seats) -> bool:
        return node.truth()


def _field(spec: Spec, default: Any = dataclasses.MISSING) -> Any:
    return dataclasses.field(default=default, metadata={"spec": spec})


def seat(label: str, *, nobody: str = "") -> Any:
    """Make a field for a player, or None where nobody has a word."""
    return _field(OneSeat(label, nobody), None if nobody else dataclasses.MISSING)


def seats(label: str) -> Any:
    """Make a field for a tuple of different players."""
    return _field(SomeSeats(label))


def number(label: str, lowest: int, highest: int, default: Any = dataclasses.MISSING) -> Any:
    """Make a field for a whole number within bounds."""
    return _field(Number(label, lowest, highest), default)


def choice(label: str, choices: Sequence[str], default: Any = dataclasses.MISSING) -> Any:
    """Make a field for one of some texts."""
    return _field(Choice(label, tuple(choices)), default)


def text(label: str, *, longest: int = TEXT_MAX, may_lack: bool = False) -> Any:
    """Make a field for a text; ``may_lack``: it is then empty."""
    default = "" if may_lack else dataclasses.MISSING
    return _field(Text(label, longest, may_lack), default)


def texts(label: str, *, fewest: int = 1, most: int = 10) -> Any:
    """Make a field for a tuple of different texts; it may lack where ``fewest`` is 0."""
    return _field(Texts(label, fewest, most), dataclasses.MISSING if fewest else ())


def truth(label: str) -> Any:
    """Make a field for true or false; false where it is left out."""
    return _field(Truth(label), False)


def specs(move: Any) -> dict[str, tuple[Spec, Any]]:
    """Return the fields of a move, or of its class: each with its spec and its default.

    The default is ``dataclasses.MISSING`` where the field is required.
    """
    return {one.name: (one.metadata["spec"], one.default) for one in dataclasses.fields(move)}
