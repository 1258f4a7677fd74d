"""A single line of a plain deck list, read without the lines around it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum, StrEnum
from unicodedata import category

from coalition_site.lib.texts import is_showable

from .entries import COUNT_MAX

# Longer than any card's name with all its marks. The limit bounds the cost of the patterns below.
LINE_MAX = 500
NAME_MAX = 200
HEADER_MAX = 40
TAILS_MAX = 10

NOT_A_NAME = "No card name can be read here. Write a count and a name, like 4 Forest."


class Header(StrEnum):
    """The part of the deck that a heading starts."""

    MAIN = "main"
    SIDEBOARD = "sideboard"
    HERO = "hero"
    COMPANION = "companion"
    ABOUT = "about"
    OUTSIDE = "outside"  # a maybeboard: cards that are not in the deck
    LEVEL_1 = "level-1"
    LEVEL_2 = "level-2"
    LEVEL_3 = "level-3"


class Mark(Enum):
    """A line without a card: blank, or a comment for human readers."""

    BLANK = "blank"
    COMMENT = "comment"


@dataclass(frozen=True, slots=True)
class Card:
    """A card; ``header`` is set if the line itself names its section, as ``SB:`` does."""

    count: int
    name: str
    is_hero: bool = False
    header: Header | None = None


@dataclass(frozen=True, slots=True)
class Bad:
    """A line that can't be read; ``problem`` says what to do about it."""

    problem: str


Line = Mark | Header | Card | Bad

_WORDS = {
    Header.MAIN: "deck main maindeck mainboard",
    Header.SIDEBOARD: "sideboard side sb pool conspiracies",
    Header.HERO: "hero heroes leader leaders commander commanders",
    Header.COMPANION: "companion companions",
    Header.ABOUT: "about",
    Header.OUTSIDE: "maybeboard considering",
}
_HEADERS = {word: header for header, words in _WORDS.items() for word in words.split()}
_LEVELS = {
    f"{word}{number}": header
    for header, numbers in zip(
        (Header.LEVEL_1, Header.LEVEL_2, Header.LEVEL_3),
        (("1", "one", "i"), ("2", "two", "ii"), ("3", "three", "iii")),
        strict=True,
    )
    for word in ("level", "subdeck")
    for number in numbers
}
_KNOWN = _HEADERS | _LEVELS
_COMMENTED = {Header.MAIN, Header.SIDEBOARD, Header.HERO, Header.COMPANION, Header.OUTSIDE}
_PREFIXES = {Header.SIDEBOARD, Header.HERO, Header.COMPANION}
_GROUP_WORDS = (
    "creature creatures land lands basiclands nonbasiclands instant instants sorcery sorceries"
    " instantsandsorceries instantssorceries artifact artifacts enchantment enchantments"
    " planeswalker planeswalkers battle battles spell spells otherspells other others tokens"
)
_GROUPS = frozenset(_GROUP_WORDS.split())

_LEVEL_OF_SIZE = {"50": Header.LEVEL_1, "30": Header.LEVEL_2, "20": Header.LEVEL_3}
_SIZE_OF_SUB_DECK = re.compile(r"(50|30|20)[ -]cards?(?: (?:sub-?)?deck)?:?", re.ASCII)
_COUNT_OF_CARDS = re.compile(r"[\s:([–-]*\d{1,4}(?: cards?)?[)\]]?:?$", re.ASCII | re.IGNORECASE)
_GROUP = re.compile(r":$|\(\d{1,4}\)$", re.ASCII)
# After a space only a lowercase x belongs to the count: X is a card.
_COUNTED = re.compile(r"([-−]?\d+)(?:[xX×]| [x×](?= ))?(?: (.*))?", re.ASCII)
_HERO = re.compile(
    r"\*(?:hero|leader|commander|cmdr)\*|#!?(?:hero|leader|commander)\b|# !commander"
)
_TAGS = re.compile(r" [#^].*")
# A set code is all upper or all lower case, unlike the end of Hazmat Suit (Used). A category has
# at least two letters, unlike the end of Sly Spy [A].
_TAIL = re.compile(
    r" ?(?:\*[^*\s]{1,12}\*|\[[^\[\]]{2,}\]|<[^<>]*>"
    r"|\((?:[A-Z0-9]{1,8}|[a-z0-9]{1,8})\)(?: \S{1,12})?)$"
)


def read_line(line: str) -> Line:
    """Return the meaning of a line of a plain list.

    A comment that contains only a section's heading counts as that heading, since sites export
    ``//Sideboard``. Level headings in comments do not count.

    >>> read_line("4x Lightning Bolt (2XM) 141 *F*")
    Card(count=4, name='Lightning Bolt', is_hero=False, header=None)
    >>> read_line("SB: 2 Fire // Ice")
    Card(count=2, name='Fire // Ice', is_hero=False, header=<Header.SIDEBOARD: 'sideboard'>)
    >>> read_line("//Sideboard (10)"), read_line("# cheap and good")
    (<Header.SIDEBOARD: 'sideboard'>, <Mark.COMMENT: 'comment'>)
    """
    text = line.strip(" \t\r\n\f\ufeff").replace("\t", " ")
    if not text:
        return Mark.BLANK
    if text.startswith(("//", "#")):
        return _comment(text.lstrip("/# "))
    if len(text) > LINE_MAX:
        return Bad(
            f"This line is too long: {LINE_MAX} characters at most. Write one card per line."
        )
    if not is_showable(text):
        return Bad("This line has a character that can't be shown. Type it again.")
    text = spaced(text)
    return _heading(text) or _read_card(text) if text else Mark.BLANK


def sub_deck_of(line: str) -> Header | None:
    """Return the sub-deck of Leveler that a line names by its size, as the rules write it.

    >>> sub_deck_of("50 cards"), sub_deck_of("30-card sub-deck:")
    (<Header.LEVEL_1: 'level-1'>, <Header.LEVEL_2: 'level-2'>)
    >>> sub_deck_of("50 Forest"), sub_deck_of("60 cards")
    (None, None)
    """
    match = _SIZE_OF_SUB_DECK.fullmatch(line.strip(" \t=*#/").lower())
    return _LEVEL_OF_SIZE[match[1]] if match else None


def spaced(text: str) -> str:
    """Return a text with single spaces and without invisible characters."""
    if not text.isascii():
        text = "".join(mark for mark in text if category(mark) != "Cf")
    return " ".join(text.split())


def _comment(text: str) -> Line:
    header = header_of(text)
    return header if header in _COMMENTED else Mark.COMMENT


def _heading(text: str) -> Line | None:
    """Return the heading or comment on a line, or None if it names a card."""
    header = header_of(text)
    if header or text[0].isdigit():
        return header
    is_group = _key(text) in _GROUPS or (_GROUP.search(text) and text[0].isalpha())
    return Mark.COMMENT if is_group else None


def header_of(text: str) -> Header | None:
    """Return the section that a heading names, in whatever style it is written.

    >>> header_of("SIDEBOARD:"), header_of("== Side board (10 cards) ==")
    (<Header.SIDEBOARD: 'sideboard'>, <Header.SIDEBOARD: 'sideboard'>)
    >>> header_of("Sub-deck 2: 30 cards"), header_of("Hero of Bladehold")
    (<Header.LEVEL_2: 'level-2'>, None)
    """
    if len(text) > HEADER_MAX or text[:1].isdigit():
        return None
    text = text.strip(" =-*")
    header = _KNOWN.get(_key(text))
    counted = None if header else _COUNT_OF_CARDS.search(text)
    return _KNOWN.get(_key(text[: counted.start()])) if counted else header


def _key(text: str) -> str:
    return "".join(mark for mark in text.casefold() if mark.isalnum())


def _read_card(text: str) -> Card | Bad:
    word, colon, rest = text.partition(":")
    header = header_of(word) if colon else None
    if header in _PREFIXES and rest.strip():
        card = _card(rest.strip())
        return replace(card, header=header) if isinstance(card, Card) else card
    return _card(text)


def _card(text: str) -> Card | Bad:
    match = _COUNTED.fullmatch(text)
    written, rest = match.groups() if match else ("1", text)
    name = without_tail(rest or "")
    if not is_name(name):
        return Bad(NOT_A_NAME)
    if len(name) > NAME_MAX:
        return Bad(f"This is too long for a card's name: {NAME_MAX} characters at most.")
    count = int(written.replace("−", "-"))
    if not 1 <= count <= COUNT_MAX:
        return Bad(f"The count must be from 1 to {COUNT_MAX}.")
    return Card(count, name, is_hero=bool(_HERO.search(text.lower())))


def is_name(text: str) -> bool:
    """Return whether a text could be the name of a card.

    >>> is_name("+2 Mace"), is_name("_____"), is_name("-----")
    (True, True, False)
    """
    return any(mark.isalnum() or mark == "_" for mark in text)


def without_tail(text: str) -> str:
    """Return a card's name without the set code, number and marks that sites add after it.

    >>> without_tail("Abrade (dmu) 131 *F* [Removal,Red] ^Have,#37d67a^")
    'Abrade'
    >>> without_tail("Sol Ring (PLST) C21-263★"), without_tail("Hazmat Suit (Used) (UST) 57")
    ('Sol Ring', 'Hazmat Suit (Used)')
    """
    name = _TAGS.sub("", f" {text}")
    for _ in range(TAILS_MAX):
        shorter = _TAIL.sub("", name)
        if shorter == name:
            break
        name = shorter.rstrip()
    return name.strip()
