"""Finding cards that fit into a deck of a creature type, or around a hero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import groupby

from django.db.models import Count, Q, QuerySet
from django.db.models.enums import TextChoices

from .. import legality, queries
from ..models import Affiliation, Card, Status
from ..queries import POOL, Ban
from ..rules.deck import NOT_HUMAN, Bans
from ..rules.names import name_key
from ..rules.rulesets import COALITION_906
from .names import type_names, with_types

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


KINDS = {
    Kind.ANY: Q(),
    Kind.HERO: Q(can_lead=True),
    Kind.CREATURE: Q(is_creature=True),
    Kind.LAND: Q(is_land=True),
    Kind.SPELL: Q(is_creature=False, is_land=False),
}
NOUNS = {
    Kind.ANY: ("card", "cards"),
    Kind.HERO: ("hero", "heroes"),
    Kind.CREATURE: ("creature", "creatures"),
    Kind.LAND: ("land", "lands"),
    Kind.SPELL: ("other spell", "other spells"),
}
ORDERS = {Sort.NAME: ("key", "pk"), Sort.MANA: ("mana_value", "key", "pk")}


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

    card: Card
    flags: Sequence[Flag]

    @property
    def cost(self) -> str:
        """The mana cost as players write it.

        >>> Row(Card(mana_cost="{2}{W}{W/U} // {10}"), ()).cost
        '2W(W/U) // 10'
        """
        symbols = self.card.mana_cost.replace("}", "{").split("{")
        return "".join(f"({text})" if "/" in text.strip(" /") else text for text in symbols)

    @property
    def types(self) -> str:
        if self.card.every_type:
            return "All types"
        return ", ".join(type_names(self.card)) or "Unaffiliated"


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
        return not self.total and not Card.objects.exists()


def find(search: Search, on: date) -> Results:
    """Return a page of cards, judged by the ban list of a day. Four queries."""
    entries = legality.read_bans(COALITION_906, on)
    cards = Card.objects.filter(KINDS[Kind(search.kind)], _has_words(search.name))
    if search.legal == Legal.TODAY:
        # Legends other than the hero are illegal in every deck.
        cards = cards.filter(playable(entries), Q(is_legendary=False) | _hero(search))
    total, free = _count(cards, search)
    return Results(search, total, free, _rows(cards, search, entries) if total else [])


def _rows(cards: QuerySet[Card], search: Search, entries: Sequence[Ban]) -> list[Row]:
    start = (search.page - 1) * PAGE
    order = ORDERS[Sort(search.sort)]
    keys = cards.filter(_fitting(search)).order_by(*order).values("pk")[start : start + PAGE]
    # Select the page first: PostgreSQL would read the types of all cards before it too.
    page = list(with_types(Card.objects.filter(pk__in=keys)).order_by(*order))
    bans = queries.bans(page, entries)
    return [Row(card, _flags(card, bans, entries)) for card in page]


def _has_words(text: str) -> Q:
    has_words = Q()
    for word in name_key(text).split():
        has_words &= Q(key__contains=word)
    return has_words


# IN, not EXISTS: inside an aggregate, PostgreSQL would run EXISTS for each card separately.
_FREE = Q(every_type=False) & ~Q(pk__in=Affiliation.objects.values("card"))


def _of(types: Sequence[str]) -> Q:
    of_types = Affiliation.objects.filter(creature_type__name__in=types)
    return Q(every_type=True) | Q(pk__in=of_types.values("card"))


def _fitting(search: Search) -> Q:
    if search.fit == Fit.FREE:
        return _FREE
    if not search.types:
        return Q()
    return _of(search.types) | _FREE if search.fit == Fit.BOTH else _of(search.types)


def _count(cards: QuerySet[Card], search: Search) -> tuple[int, int]:
    """Return how many cards match, and if types are searched for, how many cards have none."""
    if not search.types:
        return cards.filter(_fitting(search)).count(), 0
    of = Count("pk", filter=_of(search.types))
    counts = cards.aggregate(of=of, free=Count("pk", filter=_FREE))
    by_fit = {Fit.TYPE: counts["of"], Fit.FREE: counts["free"]}
    return by_fit.get(Fit(search.fit), sum(counts.values())), counts["free"]


def playable(entries: Sequence[Ban]) -> Q:
    """Return the condition for legal cards: those in the pool, as changed by a list's entries.

    Entries of higher precedence are applied later, so that they win. Neighbouring entries with the
    same effect are merged, which keeps the database's work small.
    """
    is_legal = Q(vintage__in=POOL)
    deciding = [entry for entry in reversed(entries) if entry.status != Status.WATCHED]
    for (status, field), same in groupby(deciding, key=lambda entry: (entry.status, entry.field)):
        keys = frozenset[int]().union(*(entry.cards for entry in same))
        is_covered = Q(**{field: True}) if field else Q(pk__in=keys)
        is_legal = is_legal | is_covered if status == Status.ALLOWED else is_legal & ~is_covered
    return is_legal


def _hero(search: Search) -> Q:
    """Return the condition for legendary cards: only those that could be the deck's hero."""
    if search.hero:
        return Q(name=search.hero)
    if search.types:
        return Q(can_lead=True) & _of(search.types)
    others = Affiliation.objects.exclude(creature_type__name=NOT_HUMAN)
    return Q(can_lead=True) & (Q(every_type=True) | Q(pk__in=others.values("card")))


def _flags(card: Card, bans: Bans, entries: Sequence[Ban]) -> list[Flag]:
    flags = []
    if card.name in bans.banned:
        flags.append(Flag("Banned", "no", "bad", bans.banned[card.name].reason))
    elif card.name in bans.allowed:
        flags.append(Flag("Allowed", "check", "good"))
    elif card.vintage not in POOL:
        flags.append(Flag("Not in the pool", "out", "soft"))
    first = next((entry for entry in entries if entry.covers(card)), None)
    if first and first.status == Status.WATCHED:
        flags.append(Flag("Watched", "eye", "warn", first.reason))
    if card.can_lead:
        flags.append(Flag("Hero", "helm"))
    elif card.is_legendary:
        flags.append(Flag("Legendary", "no", "bad", "Only the hero may be legendary."))
    return flags
