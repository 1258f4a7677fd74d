"""A single line of a plain deck list, read without the lines around it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from html import unescape
from unicodedata import category

from coalition_site.lib.texts import is_showable

from ..rules.entries import COUNT_MAX
from .headings import COUNT_OF_CARDS, GROUPS, HEADERS, Header, header_of, word_key

# Longer than any card's name with all its marks. The limit bounds the cost of the patterns below.
LINE_MAX = 500
NAME_MAX = 200
TAILS_MAX = 10

NOT_A_NAME = "No card name can be read here. Write a count and a name, like 4 Forest."
NOT_SHOWABLE = "This line has a character that can't be shown. Type it again."


class Mark(Enum):
    BLANK = "blank"
    COMMENT = "comment"  # for human readers
    GROUP = "group"  # the heading of a category
    NOTE = "note"  # what XMage notes of a deck


class Shape(Enum):
    """How a card is counted. Without a count before it, the line may be a category's heading."""

    COUNTED = "4 Ox"
    BARE = "Ox"
    SUMMED = "Ox (4)"
    SET_OFF = "Ox:"


@dataclass(frozen=True, slots=True)
class Card:
    """A card; ``header`` is set if the line itself names its section, as ``SB:`` does.

    ``whole`` is the name if the number at its end is no count: Overseer of Vault 76.
    """

    count: int
    name: str
    is_hero: bool = False
    header: Header | None = None
    shape: Shape = Shape.COUNTED
    whole: str = ""
    printing: str = ""


@dataclass(frozen=True, slots=True)
class Bad:
    problem: str


Line = Mark | Header | Card | Bad

_COMMENTED = {Header.MAIN, Header.SIDEBOARD, Header.HERO, Header.COMPANION, Header.OUTSIDE}
_PREFIXES = {Header.SIDEBOARD, Header.HERO, Header.COMPANION, Header.OUTSIDE}
_CATEGORIES = ("commander", "hero", "leader", "sideboard", "maybeboard")
_NOTE = re.compile(r"(?:NAME|AUTHOR|LAYOUT [A-Z]+):")
# What stands around a list: who plays it, what it costs, how many cards it has, what it is about.
_ABOUT_DECK = re.compile(
    r"(?:(?:deck|title|name|deck ?name|author|creator|player|pilot|designer|format|event|date|place"
    r"|price|cost|source|url|link|colou?rs?|description|tags?|total)\s*[:=]\s*(?!\d+x? +\D).+"
    r"|>(?!.*\d)(?:\S.*[.!?]|.{60,})|constructed|https?://\S+"
    r"|(?:total:? )?\d+ cards(?: total)?|\d+ total|\[/\w+\])",
    re.IGNORECASE,
)
_COUNTED_HEADING = re.compile(r"(\d{1,3}) (?:x )?([^\d:]+?)(?: cards)?:?", re.ASCII)
_LABEL = re.compile(r"[A-Za-z ]+: *(?=\d+x? +\D)")
_GLUED = re.compile(r"^(\d+)(?:× *|-(?=[A-Z])|[xX](?=[A-Z]))")
# A link around a name, or two marks of a forum; a lone tag may be a set's code: [U] Forest.
_MARKUP = re.compile(
    r"\[\[([^\[\]|]+)(?:\|[^\[\]]*)?\]\]|\[([^\[\]]+)\]\(https?://[^()\s]*\)"
    r"|\[(card|cards|b|i|u|c|url|color|size)(?:=[^\]]*)?\](.*?)\[/\3\]"
    r"|(?:^|(?<=^[*-] ))\*\*(\d{1,3}[xX]?)\*\*(?= )",
    re.IGNORECASE,
)
_SET_OFF = re.compile(r".+:|\[[^\[\]]+\]|==.+|--[^\[\]]+|\*\*.+\*\*")
_BULLET = re.compile(r"[-–—*•·✓✔✅☑☐▪◦‣►○●□■] +(?:\[[ xX]?\] +)?")
_COUNT_COLUMN = re.compile(r"(?:[A-Za-z]+: *)?\d+[xX×]?", re.ASCII)
# X is a card, so an X after a space belongs to the count only where a name follows.
_COUNTED = re.compile(
    r"[(\[]?(?:[xX×](?=\d))?([-−]?\d+)(?:[xX×]|( [xX×])(?= ))?[)\]]?"
    r"(?:[.:,;]? (?:[-–—] )?|[,;]|$)(.*)",
    re.ASCII,
)
_COUNTED_BEHIND = re.compile(
    r"(.+?)(?: ?[(\[](?P<in_brackets>\d{1,4})[)\]]"
    r"| ?[(\[][xX×] ?(\d+)[)\]]| ?[(\[](\d+) ?[xX×][)\]]"
    r"| [xX×] ?(\d+)| (\d+)[xX×]|(?: [-–—]|[:,;]) ?(\d+)|(?<=\w) (?P<bare>[1-9]\d?))",
    re.ASCII,
)
_HERO = re.compile(
    r"\*(?:hero|leader|commander|cmdr)\*|#!?(?:hero|leader|commander)\b|# !commander"
)
_CATEGORY = re.compile(r"\[([^\[\]{},]*)((?:\{[^{}]*\})*)[^\[\]]*\]")
_SET = re.compile(r"^(?:\[[^\[\]]*\]|\([A-Z0-9]{2,8}\)) (?=[^\s\d])")
_TAGS = re.compile(r" [#^].*|\|.*")
_PRICE = r"(?:(?:US|CA|AU)?[$€£¥] ?\d[\d.,]*|\d+[.,]\d\d ?(?:[$€£¥]|(?:eur|usd|tix|kr)\b))"
_PRINTED = (
    "non-?foil|foil|etched|borderless|showcase|extended art|full art|retro frame|promo|signed"
    "|altered|proxy|near mint|played|english|german|french|italian|spanish|portuguese|russian"
    "|japanese|korean|chinese|nm|lp|mp|hp|en|de|fr|it|es|pt|ru|ja|ko"
)
# What may stand around a name, as long as no card is called so.
_AROUND = re.compile(
    rf"""
    (?<=\S)\s?[(\[{{（【][^()\[\]{{}}（）【】]*[)\]}}）】]$  # behind it, such as a set's name
    |[\s,;@:–—-]{{0,3}}{_PRICE.replace(" ", "[ ]")}$
    |[\s,;–—-]{{1,3}}(?:{_PRINTED.replace(" ", "[ ]")})$
    |(?-i:(?<=[a-z])\s[A-Z][A-Z0-9]{{2,4}})$|\s\#?\d{{1,4}}[a-z★]?$  # a set's code, a number
    |[\s.*†‡§°¹²³⁰-⁹]+$                                 # the mark of a footnote
    |(?:;|\t|,(?![ ])|[ ][-–—/][ ])[^;\t,]*$            # a further column
    |^[(\[{{（【][^()\[\]{{}}（）【】]*[)\]}}）】]\s*(?=\S)  # before it
    |^A-                                                # Arena's own wording
    |^《(?:[^/》]*/)?|》.*$                              # a Japanese name beside the English one
    |\s?[(\[{{][^)\]}}]+$|^["“”(\[{{]|["“”)\]}}]$
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LABELLED = re.compile(r"[^:]{1,20}:\s+")
PRINTING = re.compile(
    r"(?<=\S )\((?:[A-Z0-9]{2,8}|[a-z0-9]{2,8})\)(?: [A-Za-z]{0,4}-?\d\S{0,8})?(?: \*[FE]\*)?"
)
# A set code is all upper or all lower case, unlike the end of Hazmat Suit (Used). A category has
# at least two letters, unlike the end of Sly Spy [A].
_TAIL = re.compile(
    r" ?(?:\*[^*\s]{1,12}\*|\[[^\[\]]{2,}\](?: \d\S{0,11})?|<[^<>]*>"
    r"|\((?:[A-Z0-9]{1,8}|[a-z0-9]{1,8})\)(?: \S{1,12}(?: [FE])?)?)$"
)


def read_line(line: str) -> Line:
    """Return the meaning of a line of a plain list.

    A comment that contains only a section's heading counts as that heading, since sites export
    ``//Sideboard``. Level headings in comments do not count.

    >>> read_line("4x Lightning Bolt (2XM) 141 *F*").name
    'Lightning Bolt'
    >>> read_line("SB: 2 [APC:128] Fire // Ice").header
    <Header.SIDEBOARD: 'sideboard'>
    >>> read_line("//Sideboard (10)"), read_line("# cheap and good")
    (<Header.SIDEBOARD: 'sideboard'>, <Mark.COMMENT: 'comment'>)
    """
    text = line.strip(" \t\r\n\f\ufeff")
    if not text:
        return Mark.BLANK
    if text.startswith(("//", "#")):
        header = header_of(text.lstrip("/# "))
        return header if header in _COMMENTED else Mark.COMMENT
    if _NOTE.match(text):
        return Mark.NOTE
    if len(text) <= LINE_MAX and _ABOUT_DECK.fullmatch(text):
        return Mark.COMMENT
    if len(text) > LINE_MAX:
        return Bad(
            f"This line is too long: {LINE_MAX} characters at most. Write one card per line."
        )
    if not is_showable(text.replace("\t", " ")):
        return Bad(NOT_SHOWABLE)
    text = _GLUED.sub(r"\1x ", text.removeprefix("> "))  # as mails and forums quote it
    if "[" in text or "**" in text:
        text = _MARKUP.sub(lambda match: next(filter(None, (*match.group(1, 2, 4, 5), " "))), text)
    text = spaced(unescape(_without_columns(text)))
    if not text:
        return Mark.BLANK
    if heading := _heading(text):
        return heading
    word, colon, rest = text.partition(":")
    header = header_of(word) if colon else None
    if header not in _PREFIXES or not rest.strip():
        return _card(_LABEL.sub("", text) if colon else text)
    card = _card(rest.strip())
    return replace(card, header=header) if isinstance(card, Card) else card


def _without_columns(text: str) -> str:
    first, *more = [column for column in text.split("\t") if spaced(column)] or [""]
    if more and (first.rstrip().endswith(":") or header_of(first)):
        rest = "\t".join(more)
        return f"{first.strip(' :')}: {_without_columns(rest)}"
    if more and _COUNT_COLUMN.fullmatch(first.strip()):
        return f"{first} {more[0]}"
    if more and _COUNT_COLUMN.fullmatch(more[0].strip()):
        return f"{more[0]} {first}"
    return first


def spaced(text: str) -> str:
    if not text.isascii():
        text = "".join(mark for mark in text if category(mark) != "Cf")
    return " ".join(text.split())


def _heading(text: str) -> Line | None:
    header = header_of(text)
    if header:
        return header
    if counted := _COUNTED_HEADING.fullmatch(text):  # 24 Lands
        key = word_key(counted[2])
        sections = (Header.MAIN, Header.SIDEBOARD)
        in_section = HEADERS.get(key) if HEADERS.get(key) in sections else None
        return Mark.GROUP if key in GROUPS else in_section
    if text[0].isdigit():
        return None
    if text.lower() == "[conspiracy]":  # a section of Forge; without the brackets it is a card
        return Header.SIDEBOARD
    counted = COUNT_OF_CARDS.search(text)
    return Mark.GROUP if word_key(text[: counted.start()] if counted else text) in GROUPS else None


def _card(text: str) -> Card | Bad:
    """Return the card on a line, with the count before its name or behind it.

    >>> [_card(line).count for line in ("4 X Ox", "- 4 Ox", "Ox x4", "Ox (DOM) 16 x4", "Ox (4)")]
    [4, 4, 4, 4, 4]
    >>> _card("Overseer of Vault 76").whole, _card("1 X (UST) 80").name
    ('Overseer of Vault 76', 'X')
    >>> _card("[Ox (MH2) 290 *E*]").shape, _card("[Oxen]").shape
    (<Shape.COUNTED: '4 Ox'>, <Shape.SET_OFF: 'Ox:'>)
    """
    bullet = _BULLET.match(text)
    line = text[bullet.end() :] if bullet else text
    written, name, shape, whole = _counted(line)
    if bullet:
        shape = Shape.COUNTED
    count = int(written.replace("−", "-"))
    if problem := problem_of(count, name):
        return Bad(problem)
    header = category_of(line)
    is_hero = header is Header.HERO or bool(_HERO.search(line.lower()))
    printing = PRINTING.search(line)
    return Card(count, name, is_hero, header, shape, whole, printing[0] if printing else "")


def _counted(text: str) -> tuple[str, str, Shape, str]:
    """Return the count and name on a line, how they stand there, and the name with its number."""
    if match := _COUNTED.fullmatch(text):
        written, x, rest = match.groups()
        name = without_tail(rest)
        if x and (not is_name(name) or name[0] == "/"):
            name = without_tail(f"{x} {rest}")
        return written, name, Shape.COUNTED, ""
    plain = without_tail(text)
    match = _COUNTED_BEHIND.fullmatch(text) or _COUNTED_BEHIND.fullmatch(plain)
    if match:
        written = match[match.lastindex or 0]
        shape = Shape.SUMMED if match["in_brackets"] else Shape.COUNTED
        return written, without_tail(match[1]), shape, plain if match["bare"] else ""
    if _SET_OFF.fullmatch(text):
        inner = text[:-1] if text[-1] == ":" else text.strip("=*-[] ")
        if printed := PRINTING.search(text):  # no heading has a set and a number
            inner = text[: printed.end()].lstrip("=*-[ ")
        written, name, shape, whole = _counted(inner)
        is_card = printed or shape is Shape.COUNTED
        return written, name, Shape.COUNTED if is_card else Shape.SET_OFF, whole
    return "1", plain, Shape.BARE, ""


def problem_of(count: int, name: str) -> str:
    if not is_name(name):
        return NOT_A_NAME
    if len(name) > NAME_MAX:
        return f"This is too long for a card's name: {NAME_MAX} characters at most."
    return "" if 1 <= count <= COUNT_MAX else f"The count must be from 1 to {COUNT_MAX}."


def category_of(text: str) -> Header | None:
    """Return the section that the first of a card's categories names, as Archidekt writes them.

    >>> category_of("1x Ox (dom) 1 [Commander{top}]"), category_of("1x Ox [Ramp,Sideboard]")
    (<Header.HERO: 'hero'>, None)
    >>> category_of("1x Ox [Later{noDeck}{noPrice},Ramp] ^Getting,#f47373^")
    <Header.OUTSIDE: 'outside'>
    """
    for word, flags in _CATEGORY.findall(text):
        if word_key(word) in _CATEGORIES:
            return HEADERS[word_key(word)]
        if "{nodeck}" in flags.lower():
            return Header.OUTSIDE
    return None


def is_name(text: str) -> bool:
    return any(mark.isalnum() or mark == "_" for mark in text)  # "_____" is a card


def without_tail(text: str) -> str:
    """Return a card's name without the set code, number and marks that sites add after it.

    >>> without_tail("Abrade (dmu) 131 *F* [Removal,Red] ^Have,#37d67a^")
    'Abrade'
    >>> without_tail("Sol Ring (PLST) C21-263★"), without_tail("Hazmat Suit (Used) (UST) 57")
    ('Sol Ring', 'Hazmat Suit (Used)')
    >>> without_tail("[WAR:2*] Ugin"), without_tail("Ugin+|WAR|1"), without_tail("Ezio (ACR) 275 F")
    ('Ugin', 'Ugin', 'Ezio')
    """
    name = _SET.sub("", _TAGS.sub("", f" {text}").strip(), count=1) if text else ""
    for _ in range(TAILS_MAX):
        shorter = _TAIL.sub("", name)
        if shorter == name:
            break
        name = shorter.rstrip()
    return name.strip().removesuffix("+")


def shorter_names(name: str) -> Iterator[str]:
    """Yield what is left of a name that no card has, as what stands around it is taken away.

    >>> [*shorter_names("Ox (Magic 2010) - $1.25")]
    ['Ox (Magic 2010)', 'Ox']
    >>> [*shorter_names("Fire // Ice (Magic 2010)")]
    ['Fire // Ice', 'Fire']
    >>> [[*shorter_names(name)][-1] for name in ("Ox, Foil", "Beast: Ox†", "《牛/Ox》", "Ox,M10")]
    ['Ox', 'Ox', 'Ox', 'Ox']
    """
    for _ in range(TAILS_MAX):
        unlabelled = name
        while label := _LABELLED.match(unlabelled):
            unlabelled = unlabelled[label.end() :]
            yield unlabelled  # and the label stays for what is shorter: Circle of Protection: Red
        shorter = _AROUND.sub("", name, count=1).strip()
        if shorter == name:  # a comment, after what else stands around the name of a split card
            shorter = name.rpartition(" //")[0]
        if shorter == name or not is_name(shorter):
            return
        yield shorter
        name = shorter
