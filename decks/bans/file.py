"""Ban lists as JSON documents: ``load_banlist`` reads them and ``export_banlist`` writes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Any

from coalition_site.lib.untrusted import Node

from .. import queries
from ..catalogue.memory import closest_names
from ..models import NAME_MAX, NAMED_RULES, BanList, Card, NamedCard, Rule, Status, Subject
from .whole_list import EntryContent

VERSION = 1
OF_CARDS = [Status.BANNED.value, Status.WATCHED.value, Status.ALLOWED.value]
BY_NAME = [Status.BANNED.value, Status.RESTRICTED.value]
REASON_MAX = 100_000  # characters, far more than any reason has


@dataclass(frozen=True)
class BanFile:
    """A ban list from a day on."""

    name: str
    as_of: date
    entries: list[EntryContent]


@dataclass(frozen=True)
class Part:
    """A batch or an entry in a file. Its cards are names, which may be unknown."""

    node: Node
    rule: Rule | None
    cards: list[Node]
    status: str
    reason: str

    def content(self, cards: Mapping[str, Card | NamedCard]) -> EntryContent:
        """Return what this part says, with cards from the catalogue for its names."""
        if not self.rule:
            subject: Subject = cards[self.cards[0].value]
            return EntryContent(subject, self.status, self.reason)
        found = (cards[name.value] for name in self.cards)
        named = tuple(card for card in found if isinstance(card, Card))
        for at, card in enumerate(named):
            if card in named[:at]:
                raise self.cards[at].refuse(f"{card} appears twice")
        return EntryContent(self.rule, self.status, self.reason, named)


# --- reading ---
def read(document: Any, *, by_name: bool = False) -> BanFile:
    """Return the ban list in a document; ``by_name`` if its cards are in no catalogue.

    Two queries for up to 500 cards, plus another if a name is unknown.

    :raises MalformedDocument: at the first problem.
    """
    fields = Node(document, "").fields("version name as_of batches entries")
    fields["version"].number(VERSION, VERSION)
    parts = [
        *map(_read_batch, fields["batches"].items(may_be_empty=True)),
        *(
            _read_entry(node, by_name=by_name)
            for node in fields["entries"].items(may_be_empty=True)
        ),
    ]
    names = [name for part in parts for name in part.cards]
    cards = _named_cards(names) if by_name else _find_cards(names)
    entries = [part.content(cards) for part in parts]
    _check_for_duplicates(parts, entries)
    return BanFile(fields["name"].text(), _day(fields["as_of"]), entries)


def _read_batch(node: Node) -> Part:
    fields = node.fields("rule", "about cards status")
    rule = Rule(fields["rule"].one_of(Rule.values))
    names = fields["cards"].items(may_be_empty=True) if "cards" in fields else []
    if bool(names) != (rule in NAMED_RULES):
        raise node.refuse(f"{rule} takes no cards" if names else "its cards are missing")
    status = fields["status"].one_of(OF_CARDS) if "status" in fields else Status.BANNED
    return Part(node, rule, names, status, _text(fields.get("about")))


def _read_entry(node: Node, *, by_name: bool) -> Part:
    fields = node.fields("card status", "reason")
    status = fields["status"].one_of(BY_NAME if by_name else OF_CARDS)
    return Part(node, None, [fields["card"]], status, _text(fields.get("reason")))


def _text(node: Node | None) -> str:
    """Return a text that may be empty or missing."""
    return node.text(REASON_MAX, lines=True) if node and node.value != "" else ""


def _named_cards(names: list[Node]) -> Mapping[str, NamedCard]:
    return {name.text(): NamedCard(name.text(NAME_MAX)) for name in names}


def _find_cards(names: list[Node]) -> Mapping[str, Card]:
    """Return the cards by their names in the file."""
    cards = queries.find_cards([name.text() for name in names])
    for name in names:
        if name.value not in cards:
            closest = " or ".join(closest_names([name.value])[name.value])
            hint = f". Did you mean {closest}?" if closest else ""
            raise name.refuse(f"no card is called {name.value!r}{hint}")
    return cards


def _check_for_duplicates(parts: list[Part], entries: list[EntryContent]) -> None:
    """Refuse a list with two entries for the same card or rule."""
    places: dict[object, str] = {}
    for part, entry in zip(parts, entries, strict=True):
        if entry.subject in places:
            raise part.node.refuse(f"{entry.name} is already in {places[entry.subject]}")
        places[entry.subject] = part.node.path


def _day(node: Node) -> date:
    try:
        return parse_day(node.text())
    except ValueError as error:
        raise node.refuse(str(error)) from error


def parse_day(text: str) -> date:
    """Return a day.

    >>> parse_day("2026-03-09")
    datetime.date(2026, 3, 9)

    :raises ValueError: if it is written in another form, or there is no such day.
    """
    with suppress(ValueError):
        day = date.fromisoformat(text)
        if day.isoformat() == text:  # fromisoformat() accepts other forms too
            return day
    raise ValueError(f"{text!r} is not a day like 2026-03-09")


# --- writing ---
def write(ban_list: BanList, as_of: date, entries: Iterable[EntryContent]) -> dict[str, Any]:
    """Return the document of a list, with rules and cards in alphabetical order."""
    batches: dict[Rule, EntryContent] = {}
    singles: list[EntryContent] = []
    for entry in entries:
        if isinstance(entry.subject, Rule):
            batches[entry.subject] = entry
        else:
            singles.append(entry)
    return {
        "version": VERSION,
        "name": ban_list.name,
        "as_of": as_of.isoformat(),
        "batches": [_written_batch(rule, batches[rule]) for rule in sorted(batches)],
        "entries": [_written_entry(entry) for entry in sorted(singles, key=lambda e: e.name)],
    }


def _written_batch(rule: Rule, entry: EntryContent) -> dict[str, Any]:
    written: dict[str, Any] = {"rule": rule.value, "about": entry.reason}
    if entry.cards:
        written["cards"] = sorted(card.name for card in entry.cards)
    if entry.status != Status.BANNED:
        written["status"] = entry.status
    return written


def _written_entry(entry: EntryContent) -> dict[str, Any]:
    written = {"card": entry.name, "status": entry.status}
    return written | {"reason": entry.reason} if entry.reason else written
