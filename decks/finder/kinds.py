"""The kinds of cards that ``is:`` asks for."""

from __future__ import annotations

from collections.abc import Callable

from ..catalogue.known import Catalogue
from ..rules.cards import card_types

Kind = Callable[[Catalogue], int]

PERMANENTS = frozenset("artifact battle creature enchantment land planeswalker".split())
NO_SPELLS = frozenset("land conspiracy".split())
PARTY = frozenset("cleric rogue warrior wizard".split())
OUTLAWS = frozenset("assassin mercenary pirate rogue warlock".split())
HISTORIC = frozenset("legendary artifact saga".split())
LAYOUTS = "split flip transform meld adventure saga class case leveler mutate prototype".split()


def _flag(name: str) -> Kind:
    return lambda catalogue: catalogue.index.flags[name]


def _layout(*names: str) -> Kind:
    return lambda catalogue: catalogue.printed.layouts.where(lambda layout: layout in names)


def _front(types: frozenset[str], *, inverted: bool = False) -> Kind:
    """Return the cards with any of some types before the dash on their front, or with none."""

    def fits(type_line: str) -> bool:
        return card_types(type_line.partition(" // ")[0]).isdisjoint(types) is inverted

    return lambda catalogue: catalogue.printed.type_lines.where(fits)


def _words(words: frozenset[str]) -> Kind:
    return lambda catalogue: catalogue.printed.type_words.where(words.__contains__)


def unaffiliated(catalogue: Catalogue) -> int:
    """Return the cards without any creature type, which fit into every deck."""
    index = catalogue.index
    return index.all & ~index.affiliated & ~index.flags["every_type"]


def _noncreature(catalogue: Catalogue) -> int:
    flags = catalogue.index.flags
    return catalogue.index.all & ~flags["is_creature"] & ~flags["is_land"]


def _vanilla(catalogue: Catalogue) -> int:
    return catalogue.index.flags["is_creature"] & catalogue.printed.texts.empty()


def _cost(sign: str) -> Kind:
    return lambda catalogue: catalogue.printed.costs.where(lambda cost: sign in cost)


KINDS: dict[str, Kind] = {
    "legend": _flag("is_legendary"),
    "hero": _flag("can_lead"),
    "creature": _flag("is_creature"),
    "noncreature": _noncreature,
    "land": _flag("is_land"),
    "basic": _flag("is_basic"),
    "permanent": _front(PERMANENTS),
    "spell": _front(NO_SPELLS, inverted=True),
    "historic": _words(HISTORIC),
    "party": _words(PARTY),
    "outlaw": _words(OUTLAWS),
    "vanilla": _vanilla,
    "changeling": _flag("every_type"),
    "unaffiliated": unaffiliated,
    "hybrid": _cost("/"),
    "phyrexian": _cost("/P"),
    "reserved": _flag("reserved"),
    "conspiracy": _flag("is_conspiracy"),
    "ante": _flag("uses_ante"),
    "stickers": _flag("uses_stickers"),
    "dfc": _layout("transform", "modal_dfc"),
    "mdfc": _layout("modal_dfc"),
    **{layout: _layout(layout) for layout in LAYOUTS},
}
OTHER_NAMES = {"legendary": "legend", "commander": "hero", "leader": "hero"}
