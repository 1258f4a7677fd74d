"""The XML files of deck editors: Magic Online's ``.dek`` and Cockatrice's ``.cod``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from coalition_site.lib.texts import is_showable

from .entries import COUNT_MAX, BadLine, DeckList, Entry, Section, Unreadable, displayable, finished
from .lines import NAME_MAX, is_name, spaced
from .plain import lines_of

_DECLARATION = re.compile(r"\A[\s\ufeff]*(?:<\?xml\s[^<>]*\?>)?")
_TRUTHS = {"true": True, "false": False, "1": True, "0": False, "": False}
_ZONES = {"main": Section.MAIN, "side": Section.SIDEBOARD}


def read_xml(text: str, *, sub_decks: bool) -> DeckList:
    """Return the deck list in an XML file. Broken XML keeps the cards before the break.

    :raises Unreadable: if it declares a document type or entities, or has no card.
    """
    reader = _Reader(lines_of(text), Section.LEVEL_1 if sub_decks else Section.MAIN)
    try:
        reader.parser.Parse(_without_declaration(text).encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        reader.refuse(
            f"The XML is broken here ({expat.ErrorString(error.code)}), and nothing after this line"
            " was read. Export the deck again.",
            error.lineno,
        )
    return finished(reader.entries, reader.bad_lines, reader.name)


def _without_declaration(text: str) -> str:
    """Return XML without its declaration, with the same number of lines."""
    # The declaration names an encoding, but the text is decoded already. It also may not follow
    # blank lines, which pasting adds.
    body = _DECLARATION.sub("", text, count=1)
    declaration = text[: len(text) - len(body)]
    return "\n" * (len(lines_of(declaration)) - 1) + body


class _BadValue(Exception):
    """An attribute that can't be read; the message says what to do."""


@dataclass(slots=True)
class _Reader:
    """What was read from a file so far; expat calls its methods for each element."""

    lines: list[str]
    first: Section
    entries: list[Entry] = field(default_factory=list)
    bad_lines: list[BadLine] = field(default_factory=list)
    name: str = ""
    zone: str = "main"
    in_name: bool = False
    parser: expat.XMLParserType = field(default_factory=lambda: expat.ParserCreate("utf-8"))

    def __post_init__(self) -> None:
        self.parser.buffer_text = True
        # Entities could expand without end, or read files of the server.
        self.parser.StartDoctypeDeclHandler = _refuse_declaration
        self.parser.EntityDeclHandler = _refuse_declaration
        self.parser.ExternalEntityRefHandler = _refuse_declaration
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        fields = {key.lower(): value.strip() for key, value in attributes.items()}
        self.in_name = tag.lower() == "deckname"
        try:
            match tag.lower():
                case "zone":
                    self.zone = fields.get("name", "").lower()
                case "cards":
                    side = _truth(fields.get("sideboard", ""))
                    self._add(fields, "quantity", "side" if side else "main")
                case "card":
                    self._add(fields, "number", self.zone)
        except _BadValue as error:
            self.refuse(str(error), self.parser.CurrentLineNumber)

    def _add(self, fields: dict[str, str], counted_as: str, zone: str) -> None:
        """Add a card, unless its zone is not part of the deck, like the tokens' zone."""
        if zone not in _ZONES:
            return
        count, name = _count(fields.get(counted_as, ""), counted_as), _name(fields.get("name", ""))
        section = self.first if zone == "main" else Section.SIDEBOARD
        self.entries.append(Entry(self.parser.CurrentLineNumber, count, name, section))

    def _end(self, tag: str) -> None:
        self.in_name = False
        if tag.lower() == "zone":
            self.zone = "main"

    def _characters(self, text: str) -> None:
        if self.in_name and is_showable(text.strip()) and not self.name:
            self.name = text.strip()[:NAME_MAX]

    def refuse(self, problem: str, line: int) -> None:
        """Add a bad line."""
        self.bad_lines.append(
            BadLine(line, displayable(self.lines[min(line, len(self.lines)) - 1]), problem)
        )


def _refuse_declaration(*_: object) -> NoReturn:
    raise Unreadable(
        "This file declares a document type or entities, which no deck list needs."
        " Export the deck again, or paste it as text."
    )


def _truth(written: str) -> bool:
    if written.lower() not in _TRUTHS:
        raise _BadValue("The attribute sideboard must be true or false.")
    return _TRUTHS[written.lower()]


def _count(written: str, attribute: str) -> int:
    """Return the number in an attribute."""
    # Converting a string of very many digits would take long.
    if written.isascii() and written.isdigit() and len(written) < 10:
        count = int(written)
        if 1 <= count <= COUNT_MAX:
            return count
    raise _BadValue(f"The attribute {attribute} must be a number from 1 to {COUNT_MAX}.")


def _name(written: str) -> str:
    name = spaced(written)
    if not is_name(name) or not is_showable(name):
        raise _BadValue("The attribute name must be the name of a card.")
    if len(name) > NAME_MAX:
        raise _BadValue(f"This is too long for a card's name: {NAME_MAX} characters at most.")
    return name
