"""Ban lists as documents: the form that ``load_banlist`` reads and ``export_banlist`` writes."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Any

from coalition_site.lib.untrusted import Node

from .. import queries
from ..models import NAMED_RULES, BanList, Card, Rule, Status
from .commands import Said

VERSION = 1
REASON_MAX = 100_000  # characters, far more than a reason has


@dataclass(frozen=True)
class BanFile:
    """A ban list as it is from a day on."""

    name: str
    as_of: date
    said: list[Said]


@dataclass(frozen=True)
class Part:
    """A batch or an entry as the file has it: its cards are names that may be unknown."""

    node: Node
    rule: Rule | None
    cards: list[Node]
    status: str
    reason: str

    def with_cards(self, cards: dict[str, Card]) -> Said:
        """Return what this part says, with its cards out of the catalogue's."""
        named = tuple(cards[name.value] for name in self.cards)
        if not self.rule:
            return Said(named[0], self.status, self.reason)
        for at, card in enumerate(named):
            if card in named[:at]:
                raise self.cards[at].refuse(f"{card} is there twice")
        return Said(self.rule, self.status, self.reason, named)


# --- reading ---
def read(document: Any) -> BanFile:
    """Return the list of a document. Two queries for up to 500 cards, one more for unknown ones.

    :raises MalformedDocument: at the first thing that is wrong.
    """
    fields = Node(document, "").fields("version name as_of batches entries")
    fields["version"].number(VERSION, VERSION)
    parts = [
        *map(_read_batch, fields["batches"].items(may_be_empty=True)),
        *map(_read_entry, fields["entries"].items(may_be_empty=True)),
    ]
    cards = _find_cards([name for part in parts for name in part.cards])
    said = [part.with_cards(cards) for part in parts]
    _check_once(parts, said)
    return BanFile(fields["name"].text(), _day(fields["as_of"]), said)


def _read_batch(node: Node) -> Part:
    fields = node.fields("rule", "about cards status")
    rule = Rule(fields["rule"].one_of(Rule.values))
    names = fields["cards"].items(may_be_empty=True) if "cards" in fields else []
    if bool(names) != (rule in NAMED_RULES):
        raise node.refuse(f"{rule} names no cards" if names else "its cards are missing")
    status = fields["status"].one_of(Status.values) if "status" in fields else Status.BANNED
    return Part(node, rule, names, status, _text(fields.get("about")))


def _read_entry(node: Node) -> Part:
    fields = node.fields("card status", "reason")
    status = fields["status"].one_of(Status.values)
    return Part(node, None, [fields["card"]], status, _text(fields.get("reason")))


def _text(node: Node | None) -> str:
    """Return a text that may be empty or missing."""
    return node.text(REASON_MAX, lines=True) if node and node.value != "" else ""


def _find_cards(names: list[Node]) -> dict[str, Card]:
    """Return the cards by their names as the file has them."""
    cards = queries.find_cards([name.text() for name in names])
    for name in names:
        if name.value not in cards:
            near = " or ".join(queries.closest_names([name.value])[name.value])
            hint = f". Did you mean {near}?" if near else ""
            raise name.refuse(f"no card is called {name.value!r}{hint}")
    return cards


def _check_once(parts: list[Part], said: list[Said]) -> None:
    """Refuse a list that says two things of the same card or rule."""
    places: dict[object, str] = {}
    for part, says in zip(parts, said, strict=True):
        if says.subject in places:
            raise part.node.refuse(f"{says.name} is already in {places[says.subject]}")
        places[says.subject] = part.node.path


def _day(node: Node) -> date:
    try:
        return parse_day(node.text())
    except ValueError as error:
        raise node.refuse(str(error)) from error


def parse_day(said: str) -> date:
    """Return a day.

    >>> parse_day("2026-03-09")
    datetime.date(2026, 3, 9)

    :raises ValueError: if it is written in another form, or there is no such day.
    """
    with suppress(ValueError):
        day = date.fromisoformat(said)
        if day.isoformat() == said:  # it reads other forms too
            return day
    raise ValueError(f"{said!r} is no day such as 2026-03-09")


# --- writing ---
def write(ban_list: BanList, as_of: date, said: Iterable[Said]) -> dict[str, Any]:
    """Return the document of a list, its parts by name."""
    parts = list(said)
    batches = [one for one in parts if not isinstance(one.subject, Card)]
    entries = [one for one in parts if isinstance(one.subject, Card)]
    return {
        "version": VERSION,
        "name": ban_list.name,
        "as_of": as_of.isoformat(),
        "batches": [_batch_written(one) for one in sorted(batches, key=lambda one: one.subject)],
        "entries": [_entry_written(one) for one in sorted(entries, key=lambda one: one.name)],
    }


def _batch_written(said: Said) -> dict[str, Any]:
    written: dict[str, Any] = {"rule": said.subject.value, "about": said.reason}
    if said.cards:
        written["cards"] = sorted(card.name for card in said.cards)
    if said.status != Status.BANNED:
        written["status"] = said.status
    return written


def _entry_written(said: Said) -> dict[str, Any]:
    written = {"card": said.name, "status": said.status}
    return written | {"reason": said.reason} if said.reason else written
