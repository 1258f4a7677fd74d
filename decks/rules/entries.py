"""A deck list after it has been read."""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from coalition_site.lib.refusals import Refused
from coalition_site.lib.texts import is_showable

COUNT_MAX = 999
LIST_MAX = 200_000  # bytes
SAVED_MAX = 20_000  # bytes; a long list with comments has 5,000
ENTRIES_MAX = 1000
BAD_LINES_MAX = 200
SHOWN_MAX = 80
TOO_LONG = f"This list is too long: {LIST_MAX // 1000} kB at most. Send the list of a single deck."


class Section(StrEnum):
    """The part of a deck that a card is in; the levels are the sub-decks of Leveler."""

    MAIN = "main"
    SIDEBOARD = "sideboard"
    LEVEL_1 = "level-1"
    LEVEL_2 = "level-2"
    LEVEL_3 = "level-3"


LEVELS = (Section.LEVEL_1, Section.LEVEL_2, Section.LEVEL_3)
WORDS = {Section.MAIN: "main deck", Section.SIDEBOARD: "sideboard"} | {
    section: f"sub-deck {level}" for level, section in enumerate(LEVELS, 1)
}


@dataclass(frozen=True, slots=True)
class ListedCard:
    """A line of a list: ``name`` as the player wrote it, ``printing`` its set, number and foil."""

    line: int
    count: int
    name: str
    printing: str = field(default="", compare=False, kw_only=True)

    @property
    def printed(self) -> str:
        return f"{self.name} {self.printing}".rstrip()


@dataclass(frozen=True, slots=True)
class Entry(ListedCard):
    section: Section
    is_hero: bool = False

    def left_out(self, reason: str, place: str = "") -> "LeftOut":
        facts = (self.line, self.count, self.name, reason, place)
        return LeftOut(*facts, printing=self.printing)


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that could not be read, whole; ``problem`` says what to do about it."""

    line: int
    text: str
    problem: str


@dataclass(frozen=True, slots=True)
class LeftOut(ListedCard):
    """A card that a list names outside the deck; ``reason`` says why it does not count."""

    reason: str
    # Its heading or category; none if it can't be counted instead.
    place: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class DeckList:
    """The readable part of a list, in the order of its lines.

    ``headings`` are the lines without a card: headings, comments, and notes of a tool. Every other
    line with something on it is an entry, left out or bad: none vanishes.
    """

    entries: tuple[Entry, ...]
    bad_lines: tuple[BadLine, ...] = ()
    name: str = ""
    left_out: tuple[LeftOut, ...] = ()
    headings: frozenset[int] = field(default=frozenset(), compare=False)
    read_as: str = field(default="", compare=False)  # the tool that wrote it
    # The lines of the main deck below a blank one, and where the sideboard was taken to begin.
    breaks: tuple[int, ...] = field(default=(), compare=False)
    guessed: int = field(default=0, compare=False)

    @property
    def counts(self) -> Counter[Section]:
        counts = Counter[Section]()
        for entry in self.entries:
            counts[entry.section] += entry.count
        return counts

    def in_words(self, hero: str = "") -> str:
        """
        >>> entries = (Entry(1, 60, "Elf", Section.MAIN), Entry(2, 1, "Zug", Section.SIDEBOARD))
        >>> out = (LeftOut(3, 6, "Ox", "It is a token.", "Maybeboard"),)
        >>> DeckList(entries, left_out=out, read_as="Archidekt").in_words("Zug")
        'Archidekt: 60 main deck, 1 sideboard, hero Zug; 6 of “Maybeboard” left out'
        """
        counts = self.counts
        hero = hero or next((entry.name for entry in self.entries if entry.is_hero), "")
        parts = [f"{counts[place]} {word}" for place, word in WORDS.items() if counts[place]]
        inside = ", ".join([*parts, f"hero {hero}"] if hero else parts)
        return f"{self.read_as}: {'; '.join(filter(None, [inside, self.outside]))}"

    @property
    def outside(self) -> str:
        counts = Counter[str]()
        for one in self.left_out:
            counts[f" of “{one.place}”" if one.place else ""] += one.count
        left_out = [f"{count}{place}" for place, count in counts.items()]
        return f"{' and '.join(left_out)} left out" if left_out else ""

    @property
    def marks_hero(self) -> bool:
        """Whether the list marks a hero, even if no card has the marked name."""
        return any(entry.is_hero for entry in self.entries)


class Unreadable(Refused):
    """A text is not a deck list; the message says what to do."""


def displayable(text: str) -> str:
    r"""Return a text shortened, with control characters replaced, so that a page can show it.

    >>> displayable("  4 For\0est  ")
    '4 For�est'
    """
    cut = text.strip()[:SHOWN_MAX]
    return "".join(mark if is_showable(mark) else "�" for mark in cut)
