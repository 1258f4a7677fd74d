"""Finding cards: which of them a deck of a creature type, or around a hero, can play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import groupby
from typing import Any

from django.db.models import Aggregate, Count, OuterRef, Q, QuerySet, Subquery, TextField
from django.db.models.enums import TextChoices
from rapidfuzz import fuzz, process

from .. import legality, queries
from ..models import Affiliation, Card, Status
from ..queries import POOL, Ban
from ..rules.deck import NOT_HUMAN, Bans
from ..rules.names import name_key
from ..rules.rulesets import COALITION_906

PAGE = 60
OFFERED = 8  # names that may have been meant
LIKELY = 60  # of 100


class Kind(TextChoices):
    """What a deck needs of a card; a card that is a creature and a land is found as either."""

    ANY = "", "Any kind"
    HERO = "heroes", "Heroes"
    CREATURE = "creatures", "Creatures"
    LAND = "lands", "Lands"
    SPELL = "spells", "Other spells"


class Fit(TextChoices):
    """Cards of the type, those of none, which go into every deck, or both."""

    TYPE = "", "Of the type"
    FREE = "unaffiliated", "Unaffiliated"
    BOTH = "both", "Both"


class Legal(TextChoices):
    """Only what a deck may hold today, or the whole catalogue."""

    TODAY = "", "Legal today"
    ALL = "all", "All cards"


class Sort(TextChoices):
    """By which a list is sorted; equal mana values by name."""

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
    """What is looked for. ``types`` are those of which one is enough; none asks for no type."""

    types: Sequence[str] = ()
    hero: str = ""
    name: str = ""
    kind: str = Kind.ANY
    fit: str = Fit.TYPE
    legal: str = Legal.TODAY
    sort: str = Sort.NAME
    page: int = 1


class Joined(Aggregate):
    """The texts of a group by commas, in no order; Django has none for both databases yet."""

    function = "STRING_AGG"
    template = "%(function)s(%(expressions)s, ',')"
    output_field = TextField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, function="GROUP_CONCAT", **context)


def with_types(cards: QuerySet[Card]) -> QuerySet[Card]:
    """Read ``type_names`` with each card, as one text: a query less than with their types."""
    of_card = Affiliation.objects.filter(card=OuterRef("pk")).values("card").order_by()
    names = of_card.annotate(names=Joined("creature_type__name")).values("names")
    return cards.annotate(type_names=Subquery(names))


@dataclass(frozen=True)
class Hero:
    """A card that was named as the hero; ``types`` are those a deck around it can be of."""

    name: str
    can_lead: bool
    types: Sequence[str]


def find_hero(said: str, all_types: Sequence[str]) -> Hero | None:
    """Return the card of a name as people write it, or of its front face. One query."""
    key = name_key(said)
    found = list(with_types(Card.objects.filter(Q(key=key) | Q(front_key=key)).order_by("pk")))
    if not found:
        return None
    card = min(found, key=lambda one: (one.key != key, not one.can_lead))
    types = all_types if card.every_type else _type_names(card)
    return Hero(card.name, card.can_lead, [one for one in types if one != NOT_HUMAN])


def likely_heroes(said: str) -> list[str]:
    """Return heroes with all these words in their names, else those called nearly so. One query."""
    heroes = dict(Card.objects.filter(can_lead=True).order_by("key").values_list("key", "name"))
    return [heroes[key] for key in likely(name_key(said), list(heroes))]


def likely(said: str, known: Sequence[str]) -> list[str]:
    """Return the known words that begin with or have in them what was said, else the closest.

    >>> likely("gob", ["Goblin", "Hobgoblin", "Elf"]), likely("elv", ["Goblin", "Elf"])
    (['Goblin', 'Hobgoblin'], ['Elf'])
    """
    words = said.casefold().split()
    having = [one for one in known if all(word in one.casefold() for word in words)]
    if words and having:
        return sorted(having, key=lambda one: not one.casefold().startswith(words[0]))[:OFFERED]
    closest = process.extract(
        said,
        known,
        scorer=fuzz.ratio,
        processor=str.casefold,
        limit=OFFERED,
        score_cutoff=LIKELY,
    )
    return [one for one, _, _ in closest]


@dataclass(frozen=True)
class Flag:
    """A word beside a card, and why."""

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
        return "".join(f"({one})" if "/" in one.strip(" /") else one for one in symbols)

    @property
    def types(self) -> str:
        if self.card.every_type:
            return "All types"
        return ", ".join(_type_names(self.card)) or "Unaffiliated"


@dataclass(frozen=True)
class Found:
    """A page of what was found. ``free`` counts the unaffiliated cards, where a type is asked."""

    search: Search
    total: int
    free: int
    rows: Sequence[Row]

    @property
    def noun(self) -> str:
        one, several = NOUNS[Kind(self.search.kind)]
        return one if self.total == 1 else several

    @property
    def pages(self) -> int:
        return -(-self.total // PAGE)

    @cached_property
    def is_unfilled(self) -> bool:
        """Whether nothing was found because there is nothing yet. One query, if so."""
        return not self.total and not Card.objects.exists()


def find(search: Search, on: date) -> Found:
    """Return the page of a search, legal by the list of a day. Four queries."""
    entries = legality.read_bans(COALITION_906, on)
    cards = Card.objects.filter(KINDS[Kind(search.kind)], _named(search.name))
    if search.legal == Legal.TODAY:
        cards = cards.filter(playable(entries), Q(is_legendary=False) | _hero(search))
    total, free = _count(cards, search)
    return Found(search, total, free, _rows(cards, search, entries) if total else [])


def _rows(cards: QuerySet[Card], search: Search, entries: Sequence[Ban]) -> list[Row]:
    start = (search.page - 1) * PAGE
    order = ORDERS[Sort(search.sort)]
    keys = cards.filter(_fitting(search)).order_by(*order).values("pk")[start : start + PAGE]
    # The page first: PostgreSQL would read the types of all that stand before it.
    shown = list(with_types(Card.objects.filter(pk__in=keys)).order_by(*order))
    bans = queries.bans(shown, entries)
    return [Row(card, _flags(card, bans, entries)) for card in shown]


def _named(name: str) -> Q:
    named = Q()
    for word in name_key(name).split():
        named &= Q(key__contains=word)
    return named


# Sets, not EXISTS: PostgreSQL asks for each card by itself where an aggregate counts them.
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
    """Return how many cards are found, and where a type is asked how many are of none."""
    if not search.types:
        return cards.filter(_fitting(search)).count(), 0
    of = Count("pk", filter=_of(search.types))
    counts = cards.aggregate(of=of, free=Count("pk", filter=_FREE))
    by_fit = {Fit.TYPE: counts["of"], Fit.FREE: counts["free"]}
    return by_fit.get(Fit(search.fit), sum(counts.values())), counts["free"]


def playable(entries: Sequence[Ban]) -> Q:
    """Return which cards a list, and where it is silent the pool, lets be played.

    Entries that go first are applied last. Neighbours that say the same are put together: the
    database compares each card with each.
    """
    may = Q(vintage__in=POOL)
    says = [entry for entry in reversed(entries) if entry.status != Status.WATCHED]
    for (status, field), same in groupby(says, key=lambda entry: (entry.status, entry.field)):
        keys = frozenset[int]().union(*(entry.cards for entry in same))
        meant = Q(**{field: True}) if field else Q(pk__in=keys)
        may = may | meant if status == Status.ALLOWED else may & ~meant
    return may


def _hero(search: Search) -> Q:
    """Return the legendary cards of a deck: its hero alone, which needs a type that fits."""
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
    watching = next((one for one in entries if one.means(card)), None)
    if watching and watching.status == Status.WATCHED:
        flags.append(Flag("Watched", "eye", "warn", watching.reason))
    if card.can_lead:
        flags.append(Flag("Hero", "helm"))
    elif card.is_legendary:
        flags.append(Flag("Legendary", "no", "bad", "Only the hero may be legendary."))
    return flags


def _type_names(card: Any) -> list[str]:
    return sorted((card.type_names or "").split(",")) if card.type_names else []
