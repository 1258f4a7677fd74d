"""The way in for deck lists: bytes or text of any tool become a ``DeckList``."""

import codecs
import re
from dataclasses import replace
from typing import TypeVar

from ..rules.entries import LIST_MAX, TOO_LONG, DeckList, Entry, LeftOut, Unreadable
from .files import read_xml
from .lines import shorter_names
from .plain import Find, lines_of, read_plain
from .tables import Columns, columns_of, read_table

_XML = re.compile(r"[\s\ufeff]*<[?!A-Za-z]")
_DATA = re.compile(r"""[\s\ufeff]*(?:\{\s*"|\[\s*[{"]|\{\\rtf)""")
_LINK = re.compile(r"\s*https?://\S+\s*")
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_CONTROLS = frozenset(map(chr, range(32))) - frozenset("\t\n\r\f")
_NOT_TEXT = "This is not a text file. Export the deck as text, .dek or .cod, or paste it."
_NO_LIST = "This is data for programs, not a deck list. Export the deck as text, or paste it."
_ONLY_LINK = (
    "This is a link, and links are not opened. Export the deck there as text, and paste it."
)

SHORTENED_MAX = 250  # unknown names of a list; five milliseconds each at worst

T = TypeVar("T", Entry, LeftOut)


def read(text: str, *, sub_decks: bool = False, find: Find | None = None) -> DeckList:
    """Return the deck list in a text. The form and the tool are guessed from the text itself.

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
    if _LINK.fullmatch(text):
        raise Unreadable(_ONLY_LINK)
    columns = None
    if _XML.match(text):
        deck_list = read_xml(text, sub_decks=sub_decks)
    elif columns := columns_of(text):
        deck_list = read_table(text, columns, sub_decks=sub_decks)
    else:
        deck_list = read_plain(text, sub_decks=sub_decks, find=find)
    return replace(deck_list, read_as=name_of_tool(text, columns))


def with_known_names(deck_list: DeckList, find: Find) -> DeckList:
    """Take away what stands around names that no card has, where the rest is a card's name."""
    listed: tuple[Entry | LeftOut, ...] = (*deck_list.entries, *deck_list.left_out)
    names = {one.name for one in listed}
    unknown = sorted(names - {*find(names)})[:SHORTENED_MAX]
    shorter = {name: [*shorter_names(name)] for name in unknown}
    candidates = {one for some in shorter.values() for one in some}
    if not candidates:
        return deck_list
    known = find(candidates)
    better = {
        name: next((one for one in some if one in known), name) for name, some in shorter.items()
    }

    def renamed(some: tuple[T, ...]) -> tuple[T, ...]:
        return tuple(replace(one, name=better.get(one.name, one.name)) for one in some)

    return replace(
        deck_list, entries=renamed(deck_list.entries), left_out=renamed(deck_list.left_out)
    )


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


# --- the tools ---
class Tool:
    """A program or a site, known by a line that only its lists have, or by a table's columns."""

    title = ""  # that of the class, if it says nothing else
    example = ""  # a doctest
    line = ""  # a regular expression
    columns: tuple[str, ...] = ()  # sets of titles without blanks, separated by them


class XMage(Tool):
    example = r"""
    >>> read("NAME:Oxen\n4 [WAR:2*] Ox\nSB: 1 [M12:1] Elk\nLAYOUT MAIN:(1,1)").in_words()
    'XMage: 4 main deck, 1 sideboard'
    """
    line = r"(?:SB: )?\d+ \[\w+:\d+[^\]\n]*\] |LAYOUT (?:MAIN|SIDEBOARD):"


class Forge(Tool):
    example = r"""
    >>> read("[metadata]\nName=Oxen\n[Main]\n4 Ox|M12|1\n[Planes]\n1 Bant|HOP").in_words()
    'Forge: 4 main deck; 1 of “Planes” left out'
    """
    line = r"\[metadata\]|\d+ [^|\n]+\|[A-Z0-9]{2,6}(?:\||$)"


class DeckedBuilder(Tool):
    example = r"""
    >>> read("///mvid:1 qty:4 name:Ox loc:Deck\n4 Ox\n///mvid:2 qty:1 loc:SB\nSB: 1 Elk").in_words()
    'Decked Builder: 4 main deck, 1 sideboard'
    """
    title = "Decked Builder"
    line = r"///mvid:\d"
    columns = ("totalqty regqty card",)


class MagicOnline(Tool):
    example = r"""
    >>> dek = '<Deck><Cards CatID="1" Quantity="4" Name="Ox" Sideboard="true"/></Deck>'
    >>> read(dek).in_words()
    'Magic Online: 4 sideboard'
    """
    title = "Magic Online"
    line = r".*<Cards CatID="
    columns = ("cardname quantity premium",)


class Cockatrice(Tool):
    example = r"""
    >>> zone = '<zone name="side"><card number="4" name="Ox"/></zone>'
    >>> read(f"<cockatrice_deck>{zone}</cockatrice_deck>").in_words()
    'Cockatrice: 4 sideboard'
    """
    line = r".*<cockatrice_deck|// (?:\d+ Maindeck|Mainboard \(\d+ cards\))$"


class OCTGN(Tool):
    example = r"""
    >>> read('<deck><section name="Main"><card qty="4">Ox</card></section></deck>').in_words()
    'OCTGN: 4 main deck'
    """
    line = r".*<section name="


class Lackey(Tool):
    example = r"""
    >>> ox = '<card><name id="a">Ox</name><set>dom</set></card>'
    >>> read(f'<deck><superzone name="Deck">{ox}{ox}</superzone></deck>').in_words()
    'Lackey: 2 main deck'
    """
    line = r".*<superzone "


class Archidekt(Tool):
    example = r"""
    >>> read("1x Zug (dom) 172 [Commander{top}]\n2x Elk (m12) 1 [Later{noDeck}]").in_words()
    'Archidekt: 1 sideboard, hero Zug; 2 of “Maybeboard” left out'
    """
    line = r"\d+x [^(\n]+ \(\w{2,6}\) [^\[\n]*\[[^\]\n]+\]|.*\^[^^\n]*,#[0-9a-f]{6}\^"
    columns = ("name categories", "quantity editioncode multiverseid")


class Deckstats(Tool):
    example = r"""
    >>> read("//Main\n4 [DOM#16] Ox\n1 Zug # !Commander\n\n//Maybeboard\n1 Elk").in_words()
    'Deckstats: 4 main deck, 1 sideboard, hero Zug; 1 of “Maybeboard” left out'
    """
    line = r"\d+ \[\w{2,6}#\w+\] |\d.* # ?!Commander\b|//NAME: "
    columns = ("amount cardname isfoil",)


class TappedOut(Tool):
    example = r"""
    >>> read("4x Ox (DOM)\n1x Zug *CMDR*\n\nSideboard:\n1x Elk").in_words()
    'TappedOut: 4 main deck, 2 sideboard, hero Zug'
    """
    line = r"\d+x? .+ \*CMDR\*"
    columns = ("board qty printing",)


class MTGGoldfish(Tool):
    example = r"""
    >>> read("4 Ox <141> [DOM] (F)\n\n1 Elk [M19]").in_words()
    'MTGGoldfish: 4 main deck, 1 sideboard'
    """
    line = r"\d+ [^\[<\n]+ (?:<[^>\n]+> )?\[[A-Z0-9]{2,6}\](?: \([FE]\))?$"
    columns = ("card setid setname quantity",)


class TCGplayer(Tool):
    example = r"""
    >>> read("4 Ox [DOM] 16\n1 Elk [M19] 7").in_words()
    'TCGplayer: 5 main deck'
    """
    line = r"\d+ [^\[\n]+ \[\w{2,6}\] \d+$"
    columns = ("quantity simplename",)


class MagicWorkstation(Tool):
    example = r"""
    >>> read("// Lands\n    4 [ON] Forest (1)\nSB: 1 [MR] Elk").in_words()
    'Magic Workstation: 4 main deck, 1 sideboard'
    """
    title = "Magic Workstation"
    line = r"// Deck file for Magic Workstation|[ \t]*(?:SB: +)?\d+ \[[A-Z0-9]{1,4}\] \S"


class ManaBox(Tool):
    example = r"""
    >>> read("// COMMANDER\n1 Zug (DOM) 1\n\n// DECK\n4 Ox (DOM) 168 F").in_words()
    'ManaBox: 4 main deck, 1 sideboard, hero Zug'
    """
    line = r"// (?:COMMANDER|DECK)$|\d+ [^(\n]+ \([A-Z0-9]{2,6}\) \S+ [FE]$"
    columns = ("name manaboxid",)


class Arena(Tool):
    example = r"""
    >>> read("Kommandeur\n1 Zug (M19) 1\n\nDeck\n4 Ox (DOM) 2\n\nSideboard\n2 Elk").in_words()
    'Arena: 4 main deck, 3 sideboard, hero Zug'
    """
    line = r"About\nName |[^\W\d_][^\d\n:/\[(]*\n\d+ [^(\n]+ \([A-Z0-9]{3,6}\) \d+$"


class Moxfield(Tool):
    example = r"""
    >>> read("4 Ox (DOM) 16 *F* #Ramp\n\nSIDEBOARD:\n1 Elk\n\nMAYBEBOARD:\n2 Cow").in_words()
    'Moxfield: 4 main deck, 1 sideboard; 2 of “MAYBEBOARD” left out'
    """
    line = (
        r"(?:SIDEBOARD|MAYBEBOARD|CONSIDERING|COMMANDERS?):$"
        r"|\d+ [^(\n]+ \(\w{2,6}\) \S+(?: \*[FEA]\*| #|$)"
    )
    columns = ("tradelistcount name proxy", "tradelistcount name lastmodified")


class Deckbox(Tool):
    example = r"""
    >>> read("Count,Tradelist Count,Name,Edition,Card Number\n4,0,Ox,Dominaria,16").in_words()
    'Deckbox: 4 main deck'
    """
    columns = ("count tradelistcount name",)


class DragonShield(Tool):
    example = r"""
    >>> read("Folder Name,Quantity,Trade Quantity,Card Name\nSideboard,4,0,Ox").in_words()
    'Dragon Shield: 4 sideboard'
    """
    title = "Dragon Shield"
    columns = ("foldername tradequantity cardname",)


class Scryfall(Tool):
    example = r"""
    >>> read("section,count,name,scryfall_uri\ncommanders,1,Zug,a\noutside,2,Ox,b").in_words()
    'Scryfall: 1 sideboard, hero Zug; 2 of “outside” left out'
    """
    columns = ("section count name scryfalluri",)


TOOLS = Tool.__subclasses__()  # of several that match a list the first counts
__test__ = {tool.__name__: tool.example for tool in TOOLS}


def name_of_tool(text: str, columns: Columns | None) -> str:
    written = "\n".join(lines_of(text))
    for tool in TOOLS:
        if columns:
            sets = (set(titles.split()) for titles in tool.columns)
            if any(titles <= columns.places.keys() for titles in sets):
                return tool.title or tool.__name__
        elif tool.line and re.search(f"^(?:{tool.line})", written, re.MULTILINE):
            return tool.title or tool.__name__
    if columns:
        return "a table"
    return "an XML file" if _XML.match(text) else "a plain list"
