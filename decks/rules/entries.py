"""What a deck list is once it is read."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from coalition_site.lib.texts import is_showable

COUNT_MAX = 999
LIST_MAX = 200_000
ENTRIES_MAX = 1000
BAD_LINES_MAX = 200
SHOWN_MAX = 80


class Section(StrEnum):
    """Where in a deck a card is; the levels are the sub-decks of Leveler."""

    MAIN = "main"
    SIDEBOARD = "sideboard"
    LEVEL_1 = "level-1"
    LEVEL_2 = "level-2"
    LEVEL_3 = "level-3"


LEVELS = (Section.LEVEL_1, Section.LEVEL_2, Section.LEVEL_3)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a list: ``name`` as it was written, without set code and marks."""

    line: int
    count: int
    name: str
    section: Section
    is_hero: bool = False


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that could not be read; ``problem`` says what to do about it."""

    line: int
    text: str
    problem: str


@dataclass(frozen=True, slots=True)
class DeckList:
    """A list as far as it could be read, in the order of its lines."""

    entries: tuple[Entry, ...]
    bad_lines: tuple[BadLine, ...] = ()
    name: str = ""

    @property
    def marks_hero(self) -> bool:
        """Whether the list says who its hero is, also by a name that nobody knows."""
        return any(entry.is_hero for entry in self.entries)


class Unreadable(ValueError):
    """Not a deck list at all; the message says what to do."""


def refuse_long(size: int) -> None:
    """Raise ``Unreadable`` for a list of more bytes than anybody's deck needs."""
    if size > LIST_MAX:
        raise Unreadable(
            f"This list is too long: {LIST_MAX // 1000} kB at most. Send the list of one deck."
        )


def finished(entries: list[Entry], bad_lines: list[BadLine], name: str = "") -> DeckList:
    """Return the list, with the bad lines after the first ``BAD_LINES_MAX`` summed up in one.

    :raises Unreadable: if there is no card in it, or more than anybody's deck has.
    """
    if not entries:
        raise Unreadable(_no_card(bad_lines))
    if len(entries) > ENTRIES_MAX:
        raise Unreadable(
            f"There are {len(entries)} lines with cards here. Send the list of one deck."
        )
    shown, more = bad_lines[:BAD_LINES_MAX], bad_lines[BAD_LINES_MAX:]
    if more:
        problem = f"From here on {len(more)} more lines can't be read. Mend the others first."
        shown = [*shown, BadLine(more[0].line, "", problem)]
    return DeckList(tuple(entries), tuple(shown), name)


def _no_card(bad_lines: list[BadLine]) -> str:
    message = "There is no card in this list. Write one card a line, as in 4 Forest."
    first = f" Line {bad_lines[0].line}: {bad_lines[0].problem}" if bad_lines else ""
    return message + first


def shown(text: str) -> str:
    r"""Return a text that can be stored and shown: cut, and without control characters.

    >>> shown("  4 For\0est  ")
    '4 For�est'
    """
    cut = text.strip()[:SHOWN_MAX]
    return "".join(mark if is_showable(mark) else "�" for mark in cut)
