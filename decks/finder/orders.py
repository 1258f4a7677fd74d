"""The orders of found cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from ..catalogue.index import Index, Ranked
from ..counted import PLAYED

ORDERS = {
    "best": "best",
    "name": "name",
    "played": "played",
    **dict.fromkeys(("mv", "cmc", "cost"), "mv"),
}
DIRECTIONS = {"auto": None, "asc": False, "desc": True}


@dataclass(frozen=True)
class Order:
    """How cards are sorted; ``is_descending`` is None for the usual direction."""

    name: str = "best"
    is_descending: bool | None = None

    @property
    def is_reversed(self) -> bool:
        usual = self.name in ("best", "played")  # the most played come first
        return self.is_descending is not None and self.is_descending != usual


@dataclass(frozen=True, eq=False)
class Places:
    """The places of all cards by how likely somebody looks for them."""

    index: Index
    decks: Mapping[int, int]

    @cached_property
    def by_decks(self) -> Ranked:
        """Those in most decks first, then those of the pool; names that begin with a sign last."""
        index = self.index
        counted = {
            index.places[row]: count for row, count in self.decks.items() if row in index.places
        }
        played = sorted(counted, key=lambda place: (-counted[place], place))
        pool = bytes(reversed(f"{index.in_pool:0{len(index.keys)}b}".encode()))
        others = sorted(
            (place for place in range(len(index.keys)) if place not in counted),
            key=lambda place: (pool[place] != ord("1"), not index.keys[place][0].isalpha()),
        )
        return Ranked.of([*played, *others])


_latest: list[Places] = []


def in_order(index: Index, cards: int, order: Order, words: str) -> Iterator[int]:
    """Yield the primary keys of some cards.

    The best come first where their name is, or begins with, the words that somebody looks for.
    """
    places = _ordered(index, order)
    if order.is_reversed:
        return index.in_order(cards, places.backwards())
    if order.name != "best" or not words:
        return index.in_order(cards, places)
    first, exact = index.beginning_with(words)
    tiers = (cards & exact, cards & first & ~exact, cards & ~first)
    return chain.from_iterable(index.in_order(tier, places) for tier in tiers if tier)


def _ordered(index: Index, order: Order) -> Ranked:
    if order.name == "name":
        return index.by_name
    return index.by_mana if order.name == "mv" else _places(index).by_decks


def _places(index: Index) -> Places:
    """Return the order of the current cards and counts; the latest is remembered."""
    decks = PLAYED.now()
    for latest in _latest:
        if latest.index is index and latest.decks is decks:
            return latest
    _latest[:] = [Places(index, decks)]
    return _latest[0]
