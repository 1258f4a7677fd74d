"""The way in for deck lists: bytes or text in any known format become a ``DeckList``."""

import codecs
import re

from ..rules.entries import LIST_MAX, TOO_LONG, DeckList, Unreadable
from .files import read_xml
from .plain import Find, read_plain
from .tables import columns_of, read_table

_XML = re.compile(r"[\s\ufeff]*<[?!A-Za-z]")
_DATA = re.compile(r"""[\s\ufeff]*(?:\{\s*"|\[\s*[{"]|\{\\rtf)""")
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_CONTROLS = frozenset(map(chr, range(32))) - frozenset("\t\n\r\f")
_NOT_TEXT = "This is not a text file. Export the deck as text, .dek or .cod, or paste it."
_NO_LIST = "This is data for programs, not a deck list. Export the deck as text, or paste it."


def read(text: str, *, sub_decks: bool = False, find: Find | None = None) -> DeckList:
    """Return the deck list in a text. The format is guessed from the text itself.

    Lines that can't be read are reported and never stop the rest. ``sub_decks`` makes it a list
    for Leveler. ``find`` returns those of some names that cards have; without it, lines that only
    the cards tell apart are read as they look. Lines are numbered from 1.

    >>> for entry in read("4 Elf\\n\\n1 Ox").entries:
    ...     print(entry.line, entry.count, entry.name, entry.section.value)
    1 4 Elf main
    3 1 Ox sideboard

    :raises Unreadable: if it is too long, has no card, is XML with declarations, or data
        of another kind.
    """
    if len(text.encode("utf-8", "replace")) > LIST_MAX:
        raise Unreadable(TOO_LONG)
    if _DATA.match(text):
        raise Unreadable(_NO_LIST)
    if _XML.match(text):
        return read_xml(text, sub_decks=sub_decks)
    if columns := columns_of(text):
        return read_table(text, columns, sub_decks=sub_decks)
    return read_plain(text, sub_decks=sub_decks, find=find)


def decode(data: bytes) -> str:
    """Return the text of a file: UTF-8, UTF-16 with a byte order mark, else Windows-1252.

    >>> decode(b"1 J\\xf6tun Grunt")
    '1 Jötun Grunt'

    :raises Unreadable: if it is too long, or is not text.
    """
    if len(data) > LIST_MAX:
        raise Unreadable(TOO_LONG)
    try:
        is_utf_16 = data.startswith(_UTF_16)
        text = data.decode("utf-16" if is_utf_16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        if is_utf_16:
            raise Unreadable(_NOT_TEXT) from error
        try:
            text = data.decode("windows-1252")
        except UnicodeDecodeError:
            text = data.decode("latin-1")  # which accepts any bytes
    controls = sum(mark in _CONTROLS for mark in text)
    # A stray control character only spoils its line; many of them mean a binary file.
    if "\0" in text or (controls > 10 and controls * 20 > len(text)):
        raise Unreadable(_NOT_TEXT)
    return text
