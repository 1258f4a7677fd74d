"""Plain deck lists: sections under headings, or separated by blank lines."""

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from operator import attrgetter
from typing import NamedTuple

from ..rules.entries import ENTRIES_MAX, LEVELS, DeckList, Entry, Section, displayable
from ..rules.names import name_key
from .headings import Header, sub_deck_of
from .lines import NAME_MAX, Bad, Card, Line, Mark, Shape, read_line
from .listing import LEVEL_OF, OUTSIDE, Listing

MAIN_SIZE = 60
LEVEL_SIZES = (50, 30, 20)
GROUPS_MIN = 3  # bare headings that a list has at least, if it has any

Find = Callable[[Collection[str]], Collection[str]]  # those of some names that cards have

_LINE_ENDS = re.compile(r"\r\n|\r|\n")
_TITLE = re.compile(r"\s*Name[ :=]\s*(.*)", re.IGNORECASE)
_NUMBERED = re.compile(r"\s*(\d{1,3})[.)] ", re.ASCII)
_SETTING = re.compile(r"\s*[A-Za-z][A-Za-z ]*=")
_NO_LEVELS = "Sub-decks are for Leveler. Take this line out, or check the list as a Leveler deck."


def lines_of(text: str) -> list[str]:
    r"""Return a text's lines the way an editor counts them.

    >>> lines_of("4 Elf\r\n1 Ox\r2 Imp\x0b\n")
    ['4 Elf', '1 Ox', '2 Imp\x0b', '']
    """
    return _LINE_ENDS.split(text)


def read_plain(text: str, *, sub_decks: bool, find: Find | None = None) -> DeckList:
    """``find`` tells headings from cards, and a name's number from a count."""
    reader = _Reader(sub_decks)
    written = lines_of(text)
    numbers = [int(match[1]) for match in map(_NUMBERED.match, written) if match]
    if len(numbers) >= GROUPS_MIN and numbers == [*range(1, len(numbers) + 1)]:
        written = [_NUMBERED.sub("", line) for line in written]
    lines = [(sub_decks and sub_deck_of(line)) or read_line(line) for line in written]
    headings = {number for number in range(len(lines)) if _may_head(lines, number)}
    bare = {number for number in headings if _shape(lines[number]) is Shape.BARE}
    if find is None or len(bare) < GROUPS_MIN:
        headings -= bare
    # A card's name is never a heading: Acquire.
    names = {text.strip() for text, line in zip(written, lines, strict=True) if _is_word(line)}
    for line in lines:
        if isinstance(line, Card):
            names |= {line.whole, line.name} - {""}
    is_few = len(names) <= ENTRIES_MAX  # a list with more is no deck's
    known = find(names) if find and is_few else ()
    for number, (line, of_text) in enumerate(zip(lines, written, strict=True)):
        if isinstance(line, Card) and line.whole in known:
            line = replace(line, count=1, name=line.whole)
        elif isinstance(line, Card) and number in headings and line.name not in known:
            line = Mark.GROUP
        elif _is_word(line) and of_text.strip() in known:
            line = Card(1, of_text.strip(), shape=Shape.BARE)
        reader.take(number + 1, of_text, line)
    return reader.parted()


def _is_word(line: Line) -> bool:
    return isinstance(line, Header) or line is Mark.GROUP


def _may_head(lines: Sequence[Line], number: int) -> bool:
    line, following = lines[number], lines[number + 1 : number + 2]
    match _shape(line):
        case Shape.SET_OFF:
            return True
        case Shape.SUMMED:  # it says how many cards follow, as far as the next without a count
            below = (lines[at] for at in range(number + 1, len(lines)))
            counted = takewhile(lambda line: _shape(line) is Shape.COUNTED, below)
            count = sum(card.count for card in counted if isinstance(card, Card))
            return isinstance(line, Card) and line.count == count
        case Shape.BARE:  # it stands alone above cards with counts
            is_first = number == 0 or isinstance(lines[number - 1], Mark)
            return is_first and [*map(_shape, following)] == [Shape.COUNTED]
    return False


def _shape(line: Line) -> Shape | None:
    return line.shape if isinstance(line, Card) else None


class _Break(NamedTuple):
    line: int  # of the first card after them
    before: int  # cards before them
    is_headed: bool  # whether the cards after them come under a heading or a comment


@dataclass(slots=True)
class _Reader(Listing):
    header: Header = Header.MAIN
    has_cards: bool = False  # under the current header
    before: int = 0  # cards in the main deck so far, or in sub-decks without a heading
    breaks: list[_Break] = field(default_factory=list)
    after_blank: bool = True
    is_headed: bool = False
    named: set[Header] = field(default_factory=set)
    title: str = ""  # of the current header, as it is written
    has_groups: bool = False  # in the main deck
    is_grouped: bool = False  # under the current header
    companions: set[int] = field(default_factory=set)  # by their lines

    def take(self, number: int, text: str, line: Line) -> None:
        if line is Mark.NOTE:
            # XMage marks each card of the sideboard, so its blank lines part nothing.
            self.named.add(Header.SIDEBOARD)
        if line is Mark.NOTE or self.header is Header.ABOUT:
            title = _TITLE.match(text)
            if title and not self.name and not isinstance(line, Bad):
                self.name = title[1].strip()[:NAME_MAX]
                line = Mark.NOTE
            elif _SETTING.match(text):
                line = Mark.NOTE
        if not isinstance(line, Card | Bad):
            self.headings.append(number)
        match line:
            case Mark.BLANK:
                self._end_short_section()
                self.after_blank = True
            case Mark.COMMENT:
                self._end_short_section()
                self.is_headed |= self.after_blank
            case Mark.GROUP:
                self._open_group()
            case Header() if line in LEVEL_OF and not self.sub_decks:
                self.headings.remove(number)
                self.refuse(number, text, _NO_LEVELS)
            case Header():
                self.header, self.has_cards, self.is_grouped = line, False, False
                self.title = displayable(text).strip("[]:=*#/- ")
                self.is_headed = True
                self.named.add(line)
            case Card():
                self._add(number, line)
            case Bad(problem):
                self.refuse(number, text, problem)

    def _end_short_section(self) -> None:
        """End a hero's, a companion's or the ``About`` section at a blank line or comment."""
        short = (Header.HERO, Header.COMPANION)
        if self.header is Header.ABOUT or (self.header in short and self.has_cards):
            self.header = Header.SIDEBOARD if self.before else Header.MAIN

    def _open_group(self) -> None:
        """Begin a category. It ends a section that is itself a category among others."""
        self._end_short_section()
        is_category = self.header in OUTSIDE or (
            self.header is Header.SIDEBOARD and self.has_groups
        )
        if is_category and self.has_cards and not self.is_grouped:
            self.header = Header.MAIN
        self.has_groups |= self.header is Header.MAIN
        self.is_grouped = True
        self.is_headed |= self.after_blank

    def _add(self, number: int, card: Card) -> None:
        if self.header is Header.ABOUT:
            self.header = Header.MAIN
        header = card.header or self.header
        self.has_cards = True
        facts = (number, card.count, card.name, self.first, card.is_hero)
        entry = Entry(*facts, printing=card.printing)
        if header in OUTSIDE and card.header:
            where = "Its category is outside the deck."
            self.left_out.append(entry.left_out(where, "Maybeboard"))
            return
        self.add(entry, header, self.title)
        if header in OUTSIDE:
            return
        if self.after_blank and self.before:
            self.breaks.append(_Break(number, self.before, self.is_headed))
        self.after_blank = self.is_headed = False
        if self.entries[-1].section is self.first:
            self.before += card.count
        if header is Header.SIDEBOARD:
            self.named.add(header)
        if header is Header.COMPANION:
            self.companions.add(number)

    def parted(self) -> DeckList:
        # Blank lines set the sections where no heading does.
        starts = [*(self._level_starts() if self.sub_decks else self._sideboard_start())]
        sections = LEVELS if self.sub_decks else (Section.MAIN, Section.SIDEBOARD)
        self.entries = [
            replace(entry, section=sections[bisect_right(starts, entry.line)])
            if starts and entry.line >= starts[0] and entry.section is sections[0]
            else entry
            for entry in self.entries
        ]
        # A companion that stands in the sideboard too, as in Arena, counts once.
        companions = [entry for entry in self.entries if entry.line in self.companions]
        others = {
            name_key(entry.name)
            for entry in self.entries
            if entry.section is Section.SIDEBOARD and entry not in companions
        }
        why = "The sideboard has it too, and it counts once."
        for one in companions:
            if name_key(one.name) in others:
                self.entries.remove(one)
                self.left_out.append(one.left_out(why))
        self.left_out.sort(key=attrgetter("line"))
        return replace(
            self.finished(),
            breaks=tuple(gap.line for gap in self.breaks),
            guessed=0 if self.sub_decks or not starts else starts[0],
        )

    def _sideboard_start(self) -> Iterator[int]:
        """Yield the line where the sideboard starts, if no heading names it."""
        # The first blank line after 60 cards, else the last one with cards and no heading or
        # comment right under it, unless there is a ``Deck`` header: they also part groups.
        if Header.SIDEBOARD in self.named:
            return
        full = [gap.line for gap in self.breaks if gap.before >= MAIN_SIZE]
        bare = [gap.line for gap in self.breaks if not gap.is_headed]
        if full:
            yield full[0]
        elif bare and Header.MAIN not in self.named:
            yield bare[-1]

    def _level_starts(self) -> Iterator[int]:
        """They start at blank lines; of more than two, at those where a sub-deck is full."""
        if self.named & LEVEL_OF.keys():
            return
        level = before = 0
        for gap in self.breaks:
            is_full = gap.before - before >= LEVEL_SIZES[level]
            if level < 2 and (is_full or len(self.breaks) <= 2):
                level, before = level + 1, gap.before
                yield gap.line
