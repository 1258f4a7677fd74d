"""Plain deck lists: sections under headings, or separated by blank lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from .entries import LEVELS, BadLine, DeckList, Entry, Section, displayable, finished
from .lines import NAME_MAX, Bad, Card, Header, Line, Mark, read_line, sub_deck_of

MAIN_SIZE = 60
LEVEL_SIZES = (50, 30, 20)

_LINE_ENDS = re.compile(r"\r\n|\r|\n")
_LEVEL_OF = {
    Header.LEVEL_1: Section.LEVEL_1,
    Header.LEVEL_2: Section.LEVEL_2,
    Header.LEVEL_3: Section.LEVEL_3,
}
_NO_LEVELS = "Sub-decks are for Leveler. Take this line out, or check the list as a Leveler deck."


def lines_of(text: str) -> list[str]:
    r"""Return a text's lines the way an editor counts them.

    >>> lines_of("4 Elf\r\n1 Ox\r2 Imp\x0b\n")
    ['4 Elf', '1 Ox', '2 Imp\x0b', '']
    """
    return _LINE_ENDS.split(text)


def read_plain(text: str, *, sub_decks: bool) -> DeckList:
    """Return the deck list in a plain text; ``sub_decks`` makes it a list for Leveler.

    :raises Unreadable: if there is no card in it.
    """
    reader = _Reader(sub_decks)
    for number, line in enumerate(lines_of(text), 1):
        reader.take(number, line)
    return finished(reader.in_sections(), reader.bad_lines, reader.name)


@dataclass(frozen=True, slots=True)
class _Break:
    """Blank lines between cards: the line of the first card after them.

    ``before`` counts the cards before the break. ``is_headed`` is set if the cards after it come
    under a heading or a comment.
    """

    line: int
    before: int
    is_headed: bool


@dataclass(slots=True)
class _Reader:
    """What was read of a list so far."""

    sub_decks: bool
    entries: list[Entry] = field(default_factory=list)
    bad_lines: list[BadLine] = field(default_factory=list)
    name: str = ""
    header: Header = Header.MAIN
    has_cards: bool = False  # under the current header
    before: int = 0  # cards in the main deck so far, or in sub-decks without a heading
    breaks: list[_Break] = field(default_factory=list)
    after_blank: bool = True
    is_headed: bool = False
    named: set[Header] = field(default_factory=set)

    def take(self, number: int, text: str) -> None:
        """Read the next line."""
        line = (self.sub_decks and sub_deck_of(text)) or read_line(text)
        if self._is_title(line, text):
            self.name = text.strip()[len("name ") :].strip()[:NAME_MAX]
            return
        match line:
            case Mark.BLANK:
                self._end_short_section()
                self.after_blank = True
            case Mark.COMMENT:
                self._end_short_section()
                self.is_headed |= self.after_blank
            case Header():
                self._open(number, text, line)
            case Card():
                self._add(number, line)
            case Bad(problem):
                self.bad_lines.append(BadLine(number, displayable(text), problem))

    def _is_title(self, line: Line, text: str) -> bool:
        """Return whether this is the ``Name`` line of an ``About`` section."""
        is_open = self.header is Header.ABOUT and not self.name and not isinstance(line, Bad)
        return is_open and text.strip().lower().startswith("name ")

    def _end_short_section(self) -> None:
        """End a hero's, a companion's or the ``About`` section at a blank line or comment.

        The main deck follows, or the sideboard if the main deck came before.
        """
        short = (Header.HERO, Header.COMPANION)
        if self.header is Header.ABOUT or (self.header in short and self.has_cards):
            self.header = Header.SIDEBOARD if self.before else Header.MAIN

    def _open(self, number: int, text: str, header: Header) -> None:
        if header in _LEVEL_OF and not self.sub_decks:
            self.bad_lines.append(BadLine(number, displayable(text), _NO_LEVELS))
            return
        self.header, self.has_cards = header, False
        self.is_headed = True
        self.named.add(header)

    def _add(self, number: int, card: Card) -> None:
        if self.header is Header.ABOUT:
            self.header = Header.MAIN
        header = card.header or self.header
        if header is Header.OUTSIDE:
            return
        self._note_break(number)
        self.has_cards = True
        is_hero = card.is_hero or header is Header.HERO
        section = self._section(header, is_hero)
        if section is self._first:
            self.before += card.count
        if header is Header.SIDEBOARD:
            self.named.add(header)
        self.entries.append(Entry(number, card.count, card.name, section, is_hero))

    def _note_break(self, number: int) -> None:
        if self.after_blank and self.before:
            self.breaks.append(_Break(number, self.before, self.is_headed))
        self.after_blank = self.is_headed = False

    def _section(self, header: Header, is_hero: bool) -> Section:
        if is_hero or header in (Header.SIDEBOARD, Header.COMPANION):
            return Section.SIDEBOARD
        return _LEVEL_OF.get(header, self._first)

    @property
    def _first(self) -> Section:
        return Section.LEVEL_1 if self.sub_decks else Section.MAIN

    def in_sections(self) -> list[Entry]:
        """Return the entries with sections set by blank lines where no heading sets them."""
        if self.sub_decks:
            return _from_lines(self.entries, LEVELS, [*self._level_starts()])
        sections = (Section.MAIN, Section.SIDEBOARD)
        return _from_lines(self.entries, sections, [*self._sideboard_start()])

    def _sideboard_start(self) -> Iterator[int]:
        """Yield the line where the sideboard starts, if no heading names it.

        That is the first blank line after 60 cards. Failing that, it is the last blank line with
        cards and no heading or comment right under it, unless there is a ``Deck`` header, since
        blank lines also separate groups of the main deck.
        """
        if Header.SIDEBOARD in self.named:
            return
        full = [gap.line for gap in self.breaks if gap.before >= MAIN_SIZE]
        bare = [gap.line for gap in self.breaks if not gap.is_headed]
        if full:
            yield full[0]
        elif bare and Header.MAIN not in self.named:
            yield bare[-1]

    def _level_starts(self) -> Iterator[int]:
        """Yield the lines where the second and third sub-deck start, if no heading names them.

        They start at blank lines; if there are more than two, only at those where a sub-deck is
        full.
        """
        if self.named & _LEVEL_OF.keys():
            return
        level = before = 0
        for gap in self.breaks:
            is_full = gap.before - before >= LEVEL_SIZES[level]
            if level < 2 and (is_full or len(self.breaks) <= 2):
                level, before = level + 1, gap.before
                yield gap.line


def _from_lines(
    entries: list[Entry], sections: tuple[Section, ...], starts: list[int]
) -> list[Entry]:
    """Return the entries, with those of the first section spread over all sections by line.

    ``starts`` are the lines where the later sections start.
    """
    if not starts:
        return entries
    return [
        replace(entry, section=sections[bisect_right(starts, entry.line)])
        if entry.section is sections[0] and entry.line >= starts[0]
        else entry
        for entry in entries
    ]
