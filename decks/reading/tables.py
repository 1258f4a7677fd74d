"""Deck lists as tables, read by their header: the CSV files of Deckbox, ManaBox and many others."""

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import unescape

from coalition_site.lib.texts import is_showable

from ..rules.entries import DeckList, Entry
from .headings import Header, header_of, word_key
from .lines import LINE_MAX, NOT_SHOWABLE, PRINTING, category_of, problem_of, spaced
from .listing import Listing
from .plain import lines_of

# The first that a table has counts: TCGplayer's plain Name has the kind of printing in it.
_NAMES = (
    *("simplename", "cardname", "name", "card", "title", "englishname", "productname"),
    *("karte", "kartenname", "nom", "nombre", "nome"),
)
_COUNTS = (
    *("count", "quantity", "qty", "amount", "totalqty", "totalquantity", "copies", "anzahl"),
    *("menge", "quantite", "cantidad", "quantita", "quantidade"),
)
_SECTIONS = ("board", "boardtype", "section", "zone", "category", "categories", "foldername")
_FLAGS = {
    "sideboard": Header.SIDEBOARD,
    "sideboarded": Header.SIDEBOARD,
    "issideboard": Header.SIDEBOARD,
    "maybeboard": Header.OUTSIDE,
    "commander": Header.HERO,
    "iscommander": Header.HERO,
}
_SETS = ("setcode", "editioncode", "edition", "set")
_NUMBERS = ("collectornumber", "cardnumber", "number")
_FOILS = ("foil", "isfoil", "finish", "printing", "premium")
CELL_MAX = 100_000  # characters; csv refuses a longer cell
_YES = {"yes", "true", "1", "x"}
_COUNT = re.compile(r"(\d{1,6})(?:\.0+)?[xX]?", re.ASCII)
_COUNT_TITLE = re.compile(r"(?!trade|\d)\w*(?:quan|qty|count)")
_CODE = re.compile(r"[A-Z0-9]{0,5}|[\d.]+[xX]?", re.ASCII)
_SEPARATOR = re.compile(r"[\s\ufeff]*\"?sep=", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Columns:
    """What the header of a table says: its line, what separates cells, and the columns' places."""

    line: int
    separator: str
    places: Mapping[str, int]

    def first_of(self, names: tuple[str, ...], cells: list[str]) -> str:
        """Return the cell of the first of some columns that there is, "" if it is missing."""
        place = next((self.places[name] for name in names if name in self.places), len(cells))
        return spaced(unescape(cells[place][:LINE_MAX])) if place < len(cells) else ""

    def count(self, cells: list[str]) -> int:
        """Return the count of a row: 1 if the table has none, 0 if it can't be read."""
        if self.places.keys().isdisjoint(_COUNTS):
            return 1
        written = _COUNT.fullmatch(self.first_of(_COUNTS, cells))
        return int(written[1]) if written else 0

    def header(self, cells: list[str]) -> tuple[Header, str]:
        for title, header in _FLAGS.items():
            if self.first_of((title,), cells).casefold() in _YES:
                return header, title
        title = self.first_of(_SECTIONS, cells)
        return header_of(title) or category_of(f"[{title}]") or Header.MAIN, title

    def printing(self, cells: list[str]) -> str:
        """Return it as plain lists write it, "" if the table names no set by its code."""
        foil = self.first_of(_FOILS, cells).casefold()
        mark = "*E*" if foil == "etched" else "*F*" if foil in {*_YES, "foil"} else ""
        words = (f"({self.first_of(_SETS, cells)})", self.first_of(_NUMBERS, cells), mark)
        printing = PRINTING.search(f"- {' '.join(filter(None, words))}")
        return printing[0] if printing else ""


def columns_of(text: str) -> Columns | None:
    """Return the columns of a text that begins with the header of a table of cards.

    >>> columns_of("Count,Tradelist Count,Name\\n4,0,Ox").places
    {'count': 0, 'tradelistcount': 1, 'name': 2}
    >>> columns_of("4 Count, Name\\n1 Ox") is None
    True
    """
    for number, line in enumerate(lines_of(text), 1):
        if not line.strip(" \t\ufeff") or _SEPARATOR.match(line):
            continue
        for separator in ",;\t|":
            cells = _cells(line, separator)
            titles = [word_key(cell) for cell in cells]
            places = {title: titles.index(title) for title in titles}
            counted = next((one for one in titles if _COUNT_TITLE.match(one)), None)
            if counted and places.keys().isdisjoint(_COUNTS):
                places[_COUNTS[0]] = places[counted]
            is_counted = not places.keys().isdisjoint(_COUNTS) or len(titles) > 2
            if is_counted and not places.keys().isdisjoint(_NAMES):
                return Columns(number, separator, places)
        return _without_header(lines_of(text.strip()))
    return None


def _without_header(lines: Sequence[str]) -> Columns | None:
    r"""Return the columns of a table by what is in them, unless each line reads well by itself.

    >>> _without_header(["DOM;168;Ox;4", "DOM;16;Elk;1"]).places
    {'count': 3, 'name': 2}
    """
    for separator in ",;\t":
        if len(lines) < 2 or not all(separator in line for line in lines):
            continue
        rows = [_cells(line, separator) for line in lines]
        columns = [[cell.strip() for cell in column] for column in zip(*rows, strict=False)]
        if separator == "," and any(cell.startswith(" ") for row in rows for cell in row):
            continue  # Zug, the Tall
        numbers = [at for at, one in enumerate(columns) if all(map(_COUNT.fullmatch, one))]
        names = [at for at, one in enumerate(columns) if not all(map(_CODE.fullmatch, one))]
        sums = {at: sum(float(cell.rstrip("xX")) for cell in columns[at]) for at in numbers}
        count = min(sums, key=sums.__getitem__, default=0)  # a collector's number is higher
        if numbers and names and (count or lines[0].startswith('"')):
            return Columns(0, separator, {"count": count, "name": names[0]})
    return None


def _cells(line: str, separator: str) -> list[str]:
    """Return the cells of a row, read by itself: a lost quote spoils only its own line."""
    shortened = line.strip("\ufeff").lstrip("> ")[:CELL_MAX]  # as mails and forums quote it
    return next(csv.reader([shortened], delimiter=separator), [])


def read_table(text: str, columns: Columns, *, sub_decks: bool) -> DeckList:
    """Return the deck list in a table; a row that says nothing else is 1 copy, in the main deck."""
    listing = Listing(sub_decks, headings=[*range(1, columns.line + 1)])
    for number, line in enumerate(lines_of(text)[columns.line :], columns.line + 1):
        if not line.strip("-:| \t\f"):  # the line below the header of a table of a forum
            listing.headings.append(number)
            continue
        cells = _cells(line, columns.separator)
        name, count = columns.first_of(_NAMES, cells), columns.count(cells)
        is_whole = is_showable(line.replace("\t", " "))
        problem = problem_of(count, name) if is_whole else NOT_SHOWABLE
        header, title = columns.header(cells)
        if problem:
            listing.refuse(number, line, problem)
        else:
            entry = Entry(number, count, name, listing.first, printing=columns.printing(cells))
            listing.add(entry, header, title)
    return listing.finished()
