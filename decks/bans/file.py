"""Ban lists as JSON documents: ``load_banlist`` reads them and ``export_banlist`` writes them."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Any

from coalition_site.lib.untrusted import Node

from .. import queries
from ..catalogue.memory import closest_names
from ..models import NAME_MAX, NAMED_RULES, BanList, Card, NamedCard, Rule, Status, Subject
from .commands import BY_NAME, OF_CARDS, EntryContent

VERSION = 1
REASON_MAX = 100_000  # characters, far more than any reason has


@dataclass(frozen=True)
class BanFile:
    name: str
    as_of: date
    entries: list[EntryContent]


# --- reading ---
def read(document: Any, *, by_name: bool = False) -> BanFile:
    """Return the ban list in a document; ``by_name`` if its cards are in no catalogue.

    Two queries for up to 500 cards, plus another if a name is unknown.

    :raises MalformedDocument: at the first problem.
    """
    fields = Node(document, "").fields("version name as_of batches entries")
    fields["version"].number(VERSION, VERSION)
    # What each part says is made once all names are known, and looked up at once.
    parts: list[tuple[Node, Rule | None, list[Node], str, str]] = []
    for node in fields["batches"].items(may_be_empty=True):
        said = node.fields("rule", "about cards status")
        rule = Rule(said["rule"].one_of(Rule.values))
        names = said["cards"].items(may_be_empty=True) if "cards" in said else []
        if bool(names) != (rule in NAMED_RULES):
            raise node.refuse(f"{rule} takes no cards" if names else "its cards are missing")
        status = said["status"].one_of(OF_CARDS) if "status" in said else Status.BANNED
        parts.append((node, rule, names, status, _text(said.get("about"))))
    for node in fields["entries"].items(may_be_empty=True):
        said = node.fields("card status", "reason")
        status = said["status"].one_of(BY_NAME if by_name else OF_CARDS)
        parts.append((node, None, [said["card"]], status, _text(said.get("reason"))))
    cards = _find([name for _, _, names, _, _ in parts for name in names], by_name)
    places: dict[Subject, str] = {}
    entries = []
    for node, of, names, status, reason in parts:
        named = _without_doubles(names, cards) if of else ()
        entry = EntryContent(of or cards[names[0].value], status, reason, named)
        if entry.subject in places:
            raise node.refuse(f"{entry.name} is already in {places[entry.subject]}")
        places[entry.subject] = node.path
        entries.append(entry)
    name, as_of = fields["name"].text(), fields["as_of"]
    try:
        return BanFile(name, parse_day(as_of.text()), entries)
    except ValueError as error:
        raise as_of.refuse(str(error)) from error


def _text(node: Node | None) -> str:
    return node.text(REASON_MAX, lines=True) if node and node.value != "" else ""


def _find(names: list[Node], by_name: bool) -> Mapping[str, Card | NamedCard]:
    if by_name:
        return {name.text(): NamedCard(name.text(NAME_MAX)) for name in names}
    cards = queries.find_cards([name.text() for name in names])
    for name in names:
        if name.value not in cards:
            closest = " or ".join(closest_names([name.value])[name.value])
            hint = f". Did you mean {closest}?" if closest else ""
            raise name.refuse(f"no card is called {name.value!r}{hint}")
    return cards


def _without_doubles(names: list[Node], cards: Mapping[str, Card | NamedCard]) -> tuple[Card, ...]:
    named: list[Card] = []
    for name in names:
        card = cards[name.value]
        if card in named:
            raise name.refuse(f"{card} appears twice")
        if isinstance(card, Card):
            named.append(card)
    return tuple(named)


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
    batches, singles = [], []
    for entry in sorted(entries, key=lambda entry: entry.name):
        reason = {"reason": entry.reason} if entry.reason else {}
        if not isinstance(entry.subject, Rule):
            singles.append({"card": entry.name, "status": entry.status} | reason)
            continue
        batch: dict[str, Any] = {"rule": entry.subject.value, "about": entry.reason}
        if entry.cards:
            batch["cards"] = sorted(card.name for card in entry.cards)
        if entry.status != Status.BANNED:
            batch["status"] = entry.status
        batches.append(batch)
    return {
        "version": VERSION,
        "name": ban_list.name,
        "as_of": as_of.isoformat(),
        "batches": sorted(batches, key=lambda batch: batch["rule"]),
        "entries": singles,
    }
