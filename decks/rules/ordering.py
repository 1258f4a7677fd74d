"""What the deck checks of all formats share: cards grouped by name, and problems in order."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .deck import Banned, Card, Code, Line, Problem


@dataclass(frozen=True, slots=True)
class Copies:
    """All copies of a card in a deck. Problems are reported at its first line."""

    card: Card
    lines: tuple[Line, ...]

    @property
    def count(self) -> int:
        return sum(line.count for line in self.lines)

    def problem(self, code: Code, message: str) -> Problem:
        return Problem(code, message, self.card.name, self.lines[0].number)


def by_card(lines: Iterable[Line]) -> list[Copies]:
    by_name: dict[str, list[Line]] = {}
    for line in lines:
        by_name.setdefault(line.card.name, []).append(line)
    return [Copies(of_card[0].card, tuple(of_card)) for of_card in by_name.values()]


def in_order(deck_wide: Sequence[Problem], of_lines: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return problems in the order of a report: the whole deck's first, then by line."""
    # A file can have several cards on the same line. The sort is stable, so they keep their order.
    return (*deck_wide, *sorted(of_lines, key=lambda problem: problem.line or 0))


def banned(copies: Copies, ban: Banned) -> Problem:
    why = f" ({ban.reason.rstrip('.')})" if ban.reason else ""
    since = f"{ban.since.day} {ban.since:%B %Y}"
    message = f"{copies.card.name} has been banned since {since}{why}: take it out."
    return copies.problem(Code.BANNED, message)


def cards_in_words(count: int) -> str:
    return f"{count} card{'' if count == 1 else 's'}"


def copies_in_words(count: int) -> str:
    return f"{count} {'copy' if count == 1 else 'copies'}"


def size_problem(code: Code, what: str, count: int, low: int, high: int) -> Problem | None:
    """Return the problem with the size of a part of the deck, if there is any.

    >>> size_problem(Code.MAIN_SIZE, "The main deck", 59, 60, 60).message
    'The main deck has 59 cards and needs 60: add 1.'
    """
    size = f"{cards_in_words(count)} and needs {low if low == high else f'{low} to {high}'}"
    if count < low:
        return Problem(code, f"{what} has {size}: add {low - count}.")
    if count > high:
        return Problem(code, f"{what} has {size}: take out {count - high}.")
    return None
