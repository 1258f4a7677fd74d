"""Finding cards that fit into a deck of a creature type, or around a hero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import islice

from django.db.models.enums import TextChoices

from .. import legality, memory, queries
from ..catalogue.index import Index
from ..catalogue.known import KnownCard
from ..models import Status
from ..queries import Ban
from ..rules.deck import NOT_HUMAN, Bans
from ..rules.names import name_key
from ..rules.rulesets import COALITION_906

PAGE = 60  # cards on a page


class Kind(TextChoices):
    """The kinds of cards to choose from; a land creature counts as both a land and a creature."""

    ANY = "", "Any kind"
    HERO = "heroes", "Heroes"
    CREATURE = "creatures", "Creatures"
    LAND = "lands", "Lands"
    SPELL = "spells", "Other spells"


class Fit(TextChoices):
    """Cards of the type, cards without types, which fit into every deck, or both."""

    TYPE = "", "Of the type"
    FREE = "unaffiliated", "Unaffiliated"
    BOTH = "both", "Both"


class Legal(TextChoices):
    """Only cards that are legal today, or the whole catalogue."""

    TODAY = "", "Legal today"
    ALL = "all", "All cards"


class Sort(TextChoices):
    """How the cards are sorted; equal mana values by name."""

    NAME = "", "Name"
    MANA = "mana", "Mana value"


KINDS = {Kind.HERO: "can_lead", Kind.CREATURE: "is_creature", Kind.LAND: "is_land"}
NOUNS = {
    Kind.ANY: ("card", "cards"),
    Kind.HERO: ("hero", "heroes"),
    Kind.CREATURE: ("creature", "creatures"),
    Kind.LAND: ("land", "lands"),
    Kind.SPELL: ("other spell", "other spells"),
}


@dataclass(frozen=True, kw_only=True)
class Search:
    """What to search for. A card needs any of ``types``; if there are none, any card will do."""

    types: Sequence[str] = ()
    hero: str = ""
    name: str = ""
    kind: str = Kind.ANY
    fit: str = Fit.TYPE
    legal: str = Legal.TODAY
    sort: str = Sort.NAME
    page: int = 1


@dataclass(frozen=True)
class Flag:
    """A word beside a card; ``why`` is the reason, ``css`` the look."""

    word: str
    icon: str
    css: str = ""
    why: str = ""


@dataclass(frozen=True)
class Row:
    """A card as the list shows it."""

    card: KnownCard
    flags: Sequence[Flag]

    @property
    def cost(self) -> str:
        return in_letters(self.card.mana_cost)

    @property
    def types(self) -> str:
        if self.card.every_type:
            return "All types"
        return ", ".join(sorted(self.card.types)) or "Unaffiliated"


def in_letters(mana_cost: str) -> str:
    """Return a mana cost as players write it.

    >>> in_letters("{2}{W}{W/U} // {10}")
    '2W(W/U) // 10'
    """
    symbols = mana_cost.replace("}", "{").split("{")
    return "".join(f"({text})" if "/" in text.strip(" /") else text for text in symbols)


@dataclass(frozen=True)
class Results:
    """A page of a search. ``free`` counts the unaffiliated cards if the search is for types."""

    search: Search
    total: int
    free: int
    rows: Sequence[Row]

    @property
    def noun(self) -> str:
        singular, plural = NOUNS[Kind(self.search.kind)]
        return singular if self.total == 1 else plural

    @property
    def pages(self) -> int:
        return -(-self.total // PAGE)

    @cached_property
    def is_catalogue_empty(self) -> bool:
        """Whether there are no cards at all yet. One query if the search has no results."""
        return not self.total and not queries.has_cards()


def find(search: Search, on: date) -> Results:
    """Return a page of cards, judged by the ban list of a day.

    Two queries; some more if this process has not seen the cards or bans since they changed.
    """
    catalogue = memory.CATALOGUE.now()
    index, entries = catalogue.index, legality.read_bans(COALITION_906, on)
    cards = _of_kind(index, search.kind) & index.with_words(name_key(search.name).split())
    if search.legal == Legal.TODAY:
        # Legends other than the hero are illegal in every deck.
        legends = index.flags["is_legendary"]
        cards &= playable(index, entries) & (~legends | _heroes(index, search))
    fitting = cards & _fitting(index, search)
    start = (search.page - 1) * PAGE
    ordered = index.in_order(fitting, by_mana=search.sort == Sort.MANA)
    page = catalogue.cards(list(islice(ordered, start, start + PAGE)))
    bans = queries.bans(page, entries)
    return Results(
        search,
        total=fitting.bit_count(),
        free=(cards & _free(index)).bit_count() if search.types else 0,
        rows=[Row(card, _flags(card, bans, entries)) for card in page],
    )


def _of_kind(index: Index, kind: str) -> int:
    flags = index.flags
    if kind == Kind.SPELL:
        return index.all & ~flags["is_creature"] & ~flags["is_land"]
    return flags[KINDS[Kind(kind)]] if kind else index.all


def _free(index: Index) -> int:
    return index.all & ~index.affiliated & ~index.flags["every_type"]


def _fitting(index: Index, search: Search) -> int:
    if search.fit == Fit.FREE:
        return _free(index)
    if not search.types:
        return index.all
    of_types = index.of_types(search.types)
    return of_types | _free(index) if search.fit == Fit.BOTH else of_types


def playable(index: Index, entries: Sequence[Ban]) -> int:
    """Return the legal cards: those in the pool, as changed by a list's entries.

    Entries of higher precedence are applied later, so that they win.
    """
    legal = index.in_pool
    for entry in reversed(entries):
        covered = index.flags[entry.field] if entry.field else index.of_rows(entry.cards)
        if entry.status == Status.ALLOWED:
            legal |= covered
        elif entry.status == Status.BANNED:
            legal &= ~covered
    return legal


def _heroes(index: Index, search: Search) -> int:
    """Return the legendary cards that could be the deck's hero."""
    if search.hero:
        return index.legends_named(search.hero)
    types = search.types or index.types.keys() - {NOT_HUMAN}
    return index.flags["can_lead"] & index.of_types(types)


def _flags(card: KnownCard, bans: Bans, entries: Sequence[Ban]) -> list[Flag]:
    flags = []
    if card.name in bans.banned:
        flags.append(Flag("Banned", "no", "bad", bans.banned[card.name].reason))
    elif card.name in bans.allowed:
        flags.append(Flag("Allowed", "check", "good"))
    elif not card.in_pool:
        flags.append(Flag("Not in the pool", "out", "soft"))
    first = next((entry for entry in entries if entry.covers(card)), None)
    if first and first.status == Status.WATCHED:
        flags.append(Flag("Watched", "eye", "warn", first.reason))
    if card.can_lead:
        flags.append(Flag("Hero", "helm"))
    elif card.is_legendary:
        flags.append(Flag("Legendary", "no", "bad", "Only the hero may be legendary."))
    return flags
