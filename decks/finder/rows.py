"""Found cards as the list shows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar
from weakref import WeakKeyDictionary

from coalition_site.lib.parts import Part

from ..catalogue.known import Catalogue, KnownCard
from ..counted import PLAYED
from ..queries import Ban
from .legal import Sets

ROWS_MAX = 10_000  # remembered for each ruleset and day


@dataclass(frozen=True)
class Flag:
    """A word beside a card; ``why`` is the reason, ``css`` the look."""

    word: str
    icon: str
    css: str = ""
    why: str = ""


@dataclass(frozen=True, eq=False)
class Row(Part):
    """A card as the list shows it; ``decks`` counts those of this site that have it.

    ``adds_to`` is the ruleset of the deck that the browser adds cards to, "" without one.
    """

    template: ClassVar[str] = "decks/_found.html"
    # Each row is made once, and comparing the fields of sixty takes as long as the search.
    __eq__ = object.__eq__
    __hash__ = object.__hash__
    card: KnownCard
    flags: tuple[Flag, ...]
    decks: int
    adds_to: str

    @property
    def types(self) -> str:
        if self.card.every_type:
            return "All types"
        return ", ".join(sorted(self.card.types)) or "Unaffiliated"


Rows = dict[tuple[int, int, str], Row]  # by the card's primary key, its decks, and what it adds to

_remembered: WeakKeyDictionary[Sets, Rows] = WeakKeyDictionary()


def listed(
    catalogue: Catalogue, found: Sequence[int], judged: Sets, entries: Sequence[Ban], adds_to: str
) -> list[Row]:
    """Return the rows of some cards, by their primary keys. A query if any of them is new here."""
    decks = PLAYED.now()
    rows = _remembered.setdefault(judged, {})
    if len(rows) > ROWS_MAX:
        rows.clear()
    keys = [(key, decks.get(key, 0), adds_to) for key in found]
    new = {key[0]: key for key in keys if key not in rows}
    for card in catalogue.cards(new):
        place = catalogue.index.places[card.pk]
        flags = tuple(_flags(card, place, judged, entries))
        rows[new[card.pk]] = Row(card, flags, *new[card.pk][1:])
    return [rows[key] for key in keys if key in rows]


def _flags(card: KnownCard, place: int, judged: Sets, entries: Sequence[Ban]) -> Iterator[Flag]:
    if judged.banned >> place & 1:
        yield Flag("Banned", "no", "bad", _reason(card, entries))
    elif judged.allowed >> place & 1:
        yield Flag("Allowed", "check", "good")
    elif judged.legal >> place & 1:
        yield Flag("Legal", "check", "good")
    elif not card.in_pool:
        yield Flag("Not in the pool", "out", "soft")
    if judged.watched >> place & 1:
        yield Flag("Watched", "eye", "warn", _reason(card, entries))
    if card.can_lead:
        yield Flag("Hero", "helm")
    elif card.is_legendary and not judged.legal >> place & 1:
        yield Flag("Legendary", "no", "bad", "Only the hero may be legendary.")


def _reason(card: KnownCard, entries: Sequence[Ban]) -> str:
    """Return why a list bans or watches a card, "" where it is the ruleset that bans it."""
    return next((entry.reason for entry in entries if entry.covers(card)), "")
