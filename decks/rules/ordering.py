"""The order of problems, and the first line of each card: what all formats' judging shares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .deck import Banned, Card, Code, Line, Problem


@dataclass(frozen=True, slots=True)
class Copies:
    """All copies of one card in a deck, told at its first line."""

    card: Card
    lines: tuple[Line, ...]

    @property
    def count(self) -> int:
        return sum(line.count for line in self.lines)

    def problem(self, code: Code, message: str) -> Problem:
        return Problem(code, message, self.card.name, self.lines[0].number)


def by_card(lines: Iterable[Line]) -> list[Copies]:
    """Return a deck card by card, in the order of their first lines."""
    found: dict[str, list[Line]] = {}
    for line in lines:
        found.setdefault(line.card.name, []).append(line)
    return [Copies(of_it[0].card, tuple(of_it)) for of_it in found.values()]


def in_order(deck_wide: Sequence[Problem], of_lines: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return problems as a report tells them: sizes and the whole deck's first, then by line.

    Several cards may stand on one line of a file; they keep their order.
    """
    return (*deck_wide, *sorted(of_lines, key=lambda problem: problem.line or 0))


def banned(held: Copies, ban: Banned) -> Problem:
    """Return what a ban list says of a card, with its reason where it gives one."""
    why = f" ({ban.reason.rstrip('.')})" if ban.reason else ""
    since = f"{ban.since.day} {ban.since:%B %Y}"
    message = f"{held.card.name} is banned since {since}{why}: take it out."
    return held.problem(Code.BANNED, message)


def cards(count: int) -> str:
    """Return a number of cards in words.

    >>> cards(1), cards(60)
    ('1 card', '60 cards')
    """
    return f"{count} card{'' if count == 1 else 's'}"


def copies(count: int) -> str:
    """Return a number of copies in words.

    >>> copies(1), copies(5)
    ('1 copy', '5 copies')
    """
    return f"{count} {'copy' if count == 1 else 'copies'}"


def size_problem(code: Code, what: str, count: int, low: int, high: int) -> Problem | None:
    """Return what is wrong with the size of a part of the deck.

    >>> size_problem(Code.MAIN_SIZE, "The main deck", 59, 60, 60).message
    'The main deck has 59 cards, 60 are needed: add 1.'
    """
    needed = f"{low} are needed" if low == high else f"{low} to {high} are needed"
    if count < low:
        return Problem(code, f"{what} has {cards(count)}, {needed}: add {low - count}.")
    if count > high:
        return Problem(code, f"{what} has {cards(count)}, {needed}: take out {count - high}.")
    return None
