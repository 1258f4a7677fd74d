"""What becomes of the lines of a list, in whatever form it is."""

from dataclasses import dataclass, field, replace

from ..rules.entries import (
    BAD_LINES_MAX,
    ENTRIES_MAX,
    LEVELS,
    BadLine,
    DeckList,
    Entry,
    LeftOut,
    Section,
    Unreadable,
)
from .headings import Header

OUTSIDE = {Header.OUTSIDE, Header.BESIDE}
LEVEL_OF = {Header(section.value): section for section in LEVELS}


@dataclass(slots=True)
class Listing:
    sub_decks: bool
    name: str = ""
    entries: list[Entry] = field(default_factory=list)
    bad_lines: list[BadLine] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    headings: list[int] = field(default_factory=list)

    @property
    def first(self) -> Section:
        return Section.LEVEL_1 if self.sub_decks else Section.MAIN

    def add(self, card: Entry, header: Header, title: str) -> None:
        """Add a card to the section of its heading, which is written as ``title``."""
        if header in OUTSIDE:
            why = f"It is under “{title}”."
            self.left_out.append(card.left_out(why, title))
            return
        is_hero = card.is_hero or header is Header.HERO
        section = LEVEL_OF.get(header, self.first) if self.sub_decks else self.first
        if is_hero or header in (Header.SIDEBOARD, Header.COMPANION):
            section = Section.SIDEBOARD
        if (section, is_hero) != (card.section, card.is_hero):
            card = replace(card, section=section, is_hero=is_hero)
        self.entries.append(card)

    def refuse(self, line: int, text: str, problem: str) -> None:
        self.bad_lines.append(BadLine(line, text, problem))

    def finished(self) -> DeckList:
        """Return the list, with bad lines beyond ``BAD_LINES_MAX`` summed up in a single entry.

        :raises Unreadable: if it has no card, or more lines than any real deck.
        """
        entries, bad_lines = self.entries, self.bad_lines
        if not entries:
            first = f" Line {bad_lines[0].line}: {bad_lines[0].problem}" if bad_lines else ""
            raise Unreadable(
                f"There is no card in this list. Write one card per line, like 4 Forest.{first}"
            )
        if len(entries) > ENTRIES_MAX:
            raise Unreadable(
                f"There are {len(entries)} lines with cards here. Send the list of a single deck."
            )
        if more := bad_lines[BAD_LINES_MAX:]:
            problem = f"From here on, {len(more)} more lines can't be read. Fix the others first."
            bad_lines = [*bad_lines[:BAD_LINES_MAX], BadLine(more[0].line, "", problem)]
        left_out, headings = tuple(self.left_out), frozenset(self.headings)
        return DeckList(tuple(entries), tuple(bad_lines), self.name, left_out, headings)
