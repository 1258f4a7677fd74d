"""The way in for deck lists: bytes or text in any known format become a ``DeckList``."""

from __future__ import annotations

import codecs
import re

from .entries import (
    BAD_LINES_MAX,
    COUNT_MAX,
    LIST_MAX,
    BadLine,
    DeckList,
    Entry,
    Section,
    Unreadable,
    refuse_long,
)
from .files import read_xml
from .plain import read_plain

__all__ = [
    "BAD_LINES_MAX",
    "COUNT_MAX",
    "LIST_MAX",
    "BadLine",
    "DeckList",
    "Entry",
    "Section",
    "Unreadable",
    "decode",
    "read",
]

_XML = re.compile(r"[\s\ufeff]*<[?!A-Za-z]")
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_CONTROLS = frozenset(map(chr, range(32))) - frozenset("\t\n\r\f")
_NOT_TEXT = "This is not a text file. Export the deck as text, .dek or .cod, or paste it."


def read(text: str, *, sub_decks: bool = False) -> DeckList:
    """Return the deck list in a text. The format is guessed from the text itself.

    Lines that can't be read are reported and never stop the rest. ``sub_decks`` makes it a list
    for Leveler. Lines are numbered from 1.

    >>> for entry in read("4 Elf\\n\\n1 Ox").entries:
    ...     print(entry.line, entry.count, entry.name, entry.section.value)
    1 4 Elf main
    3 1 Ox sideboard

    :raises Unreadable: if it is too long, has no card, or is XML with declarations.
    """
    refuse_long(len(text.encode("utf-8", "replace")))
    reader = read_xml if _XML.match(text) else read_plain
    return reader(text, sub_decks=sub_decks)


def decode(data: bytes) -> str:
    """Return the text of a file: UTF-8, UTF-16 with a byte order mark, else Windows-1252.

    >>> decode(b"1 J\\xf6tun Grunt")
    '1 Jötun Grunt'

    :raises Unreadable: if it is too long, or is not text.
    """
    refuse_long(len(data))
    text = _decoded(data)
    controls = sum(mark in _CONTROLS for mark in text)
    # A stray control character only spoils its line; many of them mean a binary file.
    if "\0" in text or (controls > 10 and controls * 20 > len(text)):
        raise Unreadable(_NOT_TEXT)
    return text


def _decoded(data: bytes) -> str:
    if data.startswith(_UTF_16):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError as error:
            raise Unreadable(_NOT_TEXT) from error
    # Text that is not UTF-8 comes from old editors on Windows. Latin-1 accepts any bytes.
    for encoding in ("utf-8-sig", "windows-1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")
