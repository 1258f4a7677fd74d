"""The XML files of Magic Online and Lackey (``.dek``), Cockatrice (``.cod``), OCTGN (``.o8d``)."""

import re
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from coalition_site.lib.texts import is_showable

from ..rules.entries import DeckList, Entry, Unreadable, displayable
from .headings import Header, header_of
from .lines import NAME_MAX, NOT_A_NAME, NOT_SHOWABLE, problem_of, spaced
from .listing import Listing
from .plain import lines_of

_DECLARATION = re.compile(r"\A[\s\ufeff]*(?:<\?xml\s[^<>]*\?>)?")
_TRUTHS = {"true": True, "false": False, "1": True, "0": False, "": False}
_COUNTS = ("quantity", "number", "qty")
_ZONES = {"zone", "section", "superzone"}
_ROOTS = {"deck", "cockatrice_deck"}
_OF_CARD = {"name", "set"}
_REMARKS = {"comments", "notes", "deckname"}


def read_xml(text: str, *, sub_decks: bool) -> DeckList:
    """Return the deck list in an XML file. Broken XML keeps the cards before the break.

    :raises Unreadable: if it declares a document type or entities, or has no card.
    """
    reader = _Reader(sub_decks, lines=lines_of(text))
    # The declaration names an encoding, but the text is decoded already. It also may not follow
    # blank lines, which pasting adds.
    body = _DECLARATION.sub("", text, count=1)
    blank = "\n" * (len(lines_of(text[: len(text) - len(body)])) - 1)
    try:
        reader.parser.Parse((blank + body).encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        reader.refuse_open_card()
        reader.refuse_line(
            f"The XML is broken here ({expat.ErrorString(error.code)}), and nothing after this line"
            " was read. Export the deck again.",
            min(error.lineno, reader.line),  # a quote that is not closed breaks a later line
        )
    return reader.finished()


@dataclass(slots=True)
class _Reader(Listing):
    """What was read from a file so far; expat calls its methods for each element."""

    lines: list[str] = field(default_factory=list)
    zone: str = "main"
    zones_open: int = 0
    line: int = 1  # where what is not read yet begins
    tags: list[str] = field(default_factory=list)
    text: str = ""  # of the innermost element
    card: tuple[int, dict[str, str]] | None = None  # begun, with its name to come as text
    parser: expat.XMLParserType = field(default_factory=lambda: expat.ParserCreate("utf-8"))

    def __post_init__(self) -> None:
        # Entities could expand without end, or read files of the server.
        self.parser.StartDoctypeDeclHandler = _refuse_declaration
        self.parser.EntityDeclHandler = _refuse_declaration
        self.parser.ExternalEntityRefHandler = _refuse_declaration
        self.parser.StartElementHandler = self.start_element
        self.parser.EndElementHandler = self.end_element
        self.parser.CharacterDataHandler = self.character_data

    def start_element(self, tag: str, attributes: dict[str, str]) -> None:
        fields = {key.lower(): value.strip() for key, value in attributes.items()}
        tag, self.text, line = tag.lower(), "", self.parser.CurrentLineNumber
        self.line = line
        if self.card and tag in _OF_CARD:  # Lackey has an element for each copy, with its name
            self.tags.append(tag)
            return
        self.refuse_open_card()
        self.tags.append(tag)
        if tag in _ZONES:
            self.zone = fields.get("name", "")
            self.zones_open += 1
        elif tag in ("card", "cards") or fields.keys() & {*_COUNTS}:
            if "name" in fields or tag == "cards":
                self._add(line, fields)
            else:
                self.card = line, fields

    def _add(self, line: int, fields: dict[str, str]) -> None:
        written = next((fields[key] for key in _COUNTS if key in fields), "")
        name = spaced(fields.get("name", ""))
        is_side = fields.get("sideboard", "").lower()
        # Converting a string of very many digits would take long.
        is_number = written.isascii() and written.isdigit() and len(written) < 10
        count = int(written) if is_number else 0
        problem = problem_of(count, name) if is_showable(name) else NOT_SHOWABLE
        if not problem and is_side not in _TRUTHS:
            problem = "The attribute sideboard must be true or false."
        if problem:
            self.refuse_line(problem, line)
            return
        header = Header.SIDEBOARD if _TRUTHS[is_side] else header_of(self.zone)
        if header not in (Header.MAIN, Header.SIDEBOARD, Header.HERO):
            header = Header.BESIDE  # a zone that no other tool has, too
        self.add(Entry(line, count, name, self.first), header, displayable(self.zone))

    def refuse_open_card(self) -> None:
        if self.card:
            self.refuse_line(NOT_A_NAME, self.card[0])
            self.card = None

    def end_element(self, tag: str) -> None:
        self.line = self.parser.CurrentLineNumber
        tag = self.tags.pop()
        if self.card and tag == "name":
            count = {_COUNTS[0]: "1"} if "superzone" in self.tags else {}
            self.card = self.card[0], count | {"name": self.text.strip()} | self.card[1]
        elif self.card and tag not in _OF_CARD:
            (line, fields), self.card = self.card, None
            self._add(line, {"name": self.text.strip()} | fields)
        if tag == "deckname" and is_showable(self.text.strip()) and not self.name:
            self.name = self.text.strip()[:NAME_MAX]
        if tag in _ZONES:
            self.zone = "main"
            self.zones_open -= 1
        self.text = ""

    def character_data(self, text: str) -> None:
        if len(self.text) <= NAME_MAX:  # a longer one is refused, and costs time to put together
            self.text += text
        line = self.parser.CurrentLineNumber
        self.line = line + text.count("\n")
        is_refused = bool(self.bad_lines) and self.bad_lines[-1].line == line
        is_stray = self.tags[-1] in _ROOTS or (self.zones_open and not self.card)
        is_cut = '="' in text and self.tags[-1] not in _REMARKS  # attributes of a spoilt tag
        if (is_stray or is_cut) and text.strip() and not is_refused:
            self.refuse_line("This text is in no card. Export the deck again.", line)

    def refuse_line(self, problem: str, line: int) -> None:
        # A file may be a single line, with many problems.
        self.refuse(line, displayable(self.lines[min(line, len(self.lines)) - 1]), problem)


def _refuse_declaration(*_: object) -> NoReturn:
    raise Unreadable(
        "This file declares a document type or entities, which no deck list needs."
        " Export the deck again, or paste it as text."
    )
