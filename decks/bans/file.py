"""Ban lists as documents: the form that ``load_banlist`` reads and ``export_banlist`` writes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import date
from typing import Any

from .. import queries
from ..models import NAMED_RULES, BanList, Card, Rule, Status
from .commands import Said

VERSION = 1
UNKEPT = re.compile("[\\0\\ud800-\\udfff]")  # what JSON may have in a text, and no database keeps


class BadBanFile(ValueError):
    """Not a ban list; the message says what is wrong, and where."""


@dataclass(frozen=True)
class BanFile:
    """A ban list as it is from a day on."""

    name: str
    as_of: date
    said: list[Said]


# --- reading ---
def read(document: Any) -> BanFile:
    """Return the list of a document. Two queries for up to 500 cards, one more for unknown ones.

    :raises BadBanFile: at the first thing that is wrong.
    """
    fields = _fields(document, "version name as_of batches entries")
    if fields["version"] != VERSION or isinstance(fields["version"], bool):
        raise BadBanFile(f"version: only version {VERSION} is known")
    batches, entries = _objects(fields, "batches"), _objects(fields, "entries")
    find = _finder([*_names(batches, "cards"), *_names(entries, "card")])
    said = [
        *_each("batch", batches, lambda one: _batch(one, find)),
        *_each("entry", entries, lambda one: _entry(one, find)),
    ]
    return BanFile(_text(fields, "name"), _day(_text(fields, "as_of")), said)


def _each(what: str, found: list[Any], read_one: Callable[[Any], Said]) -> Iterator[Said]:
    """Yield what each part says, none of them twice; trouble is told with its place."""
    places: dict[object, int] = {}
    for number, one in enumerate(found, 1):
        with _at(f"{what} {number}"):
            said = read_one(one)
            if said.subject in places:
                raise BadBanFile(f"{said.name} is already in {what} {places[said.subject]}")
        places[said.subject] = number
        yield said


@contextmanager
def _at(place: str) -> Iterator[None]:
    try:
        yield
    except BadBanFile as error:
        raise BadBanFile(f"{place}: {error}") from error


def _batch(found: Any, find: Callable[[str], Card]) -> Said:
    fields = _fields(found, "rule", "about cards status")
    rule = _one_of(Rule, _text(fields, "rule"), "rule")
    names = fields.get("cards", [])
    if not isinstance(names, list):
        raise BadBanFile("cards is no list")
    if bool(names) != (rule in NAMED_RULES):
        raise BadBanFile("its cards are missing" if not names else f"{rule} names no cards")
    cards = [find(name) for name in names]
    if len(set(cards)) < len(cards):
        twice = next(card for at, card in enumerate(cards) if card in cards[:at])
        raise BadBanFile(f"{twice} is there twice")
    status = _one_of(Status, _text(fields, "status", Status.BANNED), "status")
    return Said(rule, status, _text(fields, "about", ""), tuple(cards))


def _entry(found: Any, find: Callable[[str], Card]) -> Said:
    fields = _fields(found, "card status", "reason")
    status = _one_of(Status, _text(fields, "status"), "status")
    return Said(find(_text(fields, "card")), status, _text(fields, "reason", ""))


def _fields(found: Any, needed: str, optional: str = "") -> dict[str, Any]:
    """Return the fields of an object, which has those that are needed and no unknown one."""
    if not isinstance(found, dict):
        raise BadBanFile("an object with fields is expected")
    known = [*needed.split(), *optional.split()]
    for name in needed.split():
        if name not in found:
            raise BadBanFile(f"{name} is missing")
    for name in found:
        if name not in known:
            raise BadBanFile(f"{name!r} is unknown; known are {', '.join(known)}")
    return found


def _objects(fields: dict[str, Any], name: str) -> list[Any]:
    if not isinstance(fields[name], list):
        raise BadBanFile(f"{name} is no list")
    return fields[name]


def _text(fields: dict[str, Any], name: str, default: str | None = None) -> str:
    found = fields[name] if default is None else fields.get(name, default)
    if not _is_text(found):
        raise BadBanFile(f"{name} is no text")
    if default is None and not found.strip():
        raise BadBanFile(f"{name} is empty")
    return found


def _is_text(found: Any) -> bool:
    return isinstance(found, str) and not UNKEPT.search(found)


def _one_of(choices: type[Any], said: str, what: str) -> Any:
    try:
        return choices(said)
    except ValueError:
        raise BadBanFile(f"{what} {said!r} is none of {', '.join(choices)}") from None


def _day(said: str) -> date:
    try:
        return parse_day(said)
    except ValueError as error:
        raise BadBanFile(f"as_of: {error}") from None


def parse_day(said: str) -> date:
    """Return a day.

    >>> parse_day("2026-03-09")
    datetime.date(2026, 3, 9)

    :raises ValueError: if it is written in another form, or there is no such day.
    """
    with suppress(ValueError):
        found = date.fromisoformat(said)
        if found.isoformat() == said:  # it reads other forms too
            return found
    raise ValueError(f"{said!r} is no day such as 2026-03-09")


def _names(found: Iterable[Any], field: str) -> Iterator[str]:
    """Yield the names of cards in some parts, whatever else may be wrong with those."""
    for one in found:
        said = one.get(field) if isinstance(one, dict) else None
        yield from (name for name in (said if isinstance(said, list) else [said]) if name)


def _finder(names: list[Any]) -> Callable[[str], Card]:
    texts = [name for name in names if _is_text(name)]
    cards = queries.find_cards(texts)
    closest = queries.closest_names([name for name in texts if name not in cards])

    def find(name: Any) -> Card:
        if not _is_text(name):
            raise BadBanFile("the name of a card is expected")
        if name not in cards:
            near = " or ".join(closest.get(name, ()))
            asked = f" Did you mean {near}?" if near else ""
            raise BadBanFile(f"no card is called {name!r}.{asked}")
        return cards[name]

    return find


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
