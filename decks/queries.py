"""Reading the catalogue, the ban lists and the decks."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce, TruncDate
from rapidfuzz import fuzz, process

from .models import (
    BanEntry,
    BanList,
    Card,
    CreatureType,
    Deck,
    DeckLine,
    DeckRevision,
    Legality,
    Rule,
    Status,
)
from .rules import deck
from .rules.names import name_key

AT_ONCE = 500  # names in one query
CLOSEST = 2
UNKNOWN_MAX = 20  # unknown names that get suggestions
NEAR_ENOUGH = 75  # of 100
POOL = (Legality.LEGAL, Legality.RESTRICTED, Legality.BANNED)
RULE_FIELDS = {
    "reserved-list": "reserved",
    "conspiracy": "is_conspiracy",
    "ante": "uses_ante",
    "stickers-attractions": "uses_stickers",
}


def whole_catalogue() -> Iterator[Card]:
    """Yield every card by name, with its types."""
    return Card.objects.prefetch_related("types").order_by("name").iterator(chunk_size=1000)


def find_cards(names: Collection[str]) -> dict[str, Card]:
    """Return the cards of names as people write them; unknown names are left out.

    Without regard to case, accents and apostrophes, by whole name or front face, never by a back
    face alone. A whole name goes before a front one. Two queries for up to ``AT_ONCE`` names.
    """
    keys = {name: name_key(name) for name in names}
    wanted = sorted(set(keys.values()))
    found: dict[str, Card] = {}
    for start in range(0, len(wanted), AT_ONCE):
        some = wanted[start : start + AT_ONCE]
        cards = Card.objects.filter(Q(key__in=some) | Q(front_key__in=some))
        for card in cards.prefetch_related("types").order_by("pk"):
            found.setdefault(f"front {card.front_key}", card)
            found.setdefault(card.key, card)
    by_name: dict[str, Card] = {}
    for name, key in keys.items():
        card = found.get(key) or found.get(f"front {key}")
        if card:
            by_name[name] = card
    return by_name


def closest_names(names: Sequence[str]) -> dict[str, list[str]]:
    """Return for unknown names the names of cards closest to them, for the first few only."""
    if not names:
        return {}
    known = _known_names(Card.objects.aggregate(newest=Max("imported_at"))["newest"])
    return {name: _closest(name_key(name), known) for name in names[:UNKNOWN_MAX]}


class KnownNames(NamedTuple):
    """All names by key, and their keys sorted."""

    by_key: Mapping[str, str]
    keys: Sequence[str]


@lru_cache(maxsize=1)
def _known_names(_newest: datetime | None) -> KnownNames:
    """Return all names, read once by a process for each import."""
    names: dict[str, str] = {}
    for front, key, name in Card.objects.values_list("front_key", "key", "name"):
        names[key] = name
        names.setdefault(front, name)
    return KnownNames(names, sorted(names))


def _closest(key: str, known: KnownNames) -> list[str]:
    """Return names that begin with the words of a key, or else look most like it."""
    found = dict.fromkeys(known.by_key[one] for one in _beginning_with(key, known.keys))
    if len(found) < CLOSEST:
        alike = process.extract(
            key, known.keys, scorer=fuzz.ratio, limit=CLOSEST, score_cutoff=NEAR_ENOUGH
        )
        found |= dict.fromkeys(known.by_key[one] for one, _, _ in alike)
    return [*found][:CLOSEST]


def _beginning_with(words: str, keys: Sequence[str]) -> Iterator[str]:
    """Yield the keys that begin with whole words; ``keys`` are sorted."""
    for key in islice(keys, bisect_left(keys, words), None):
        if not key.startswith(words):
            return
        if not key[len(words) :][:1].isalnum():
            yield key


def as_rules_see(card: Card) -> deck.Card:
    """Return a card, read with its types, as judging sees it. No query."""
    return deck.Card(
        name=card.name,
        is_creature=card.is_creature,
        is_land=card.is_land,
        is_basic=card.is_basic,
        is_legendary=card.is_legendary,
        has_legendary_back=card.has_legendary_back,
        can_lead=card.can_lead,
        copies=card.copies,
        types=frozenset(one.name for one in card.types.all()),
        every_type=card.every_type,
        override_reason=card.override_reason,
        in_pool=card.vintage in POOL,
        banned_in_legacy=card.legacy == Legality.BANNED,
    )


def creature_types() -> list[str]:
    """Return all creature types. One query."""
    return list(CreatureType.objects.values_list("name", flat=True))


def find_list(key: str) -> BanList | None:
    """Return the ban list of a format, or of a house, by its key. One query."""
    return BanList.objects.filter(key=key).first()


def in_force(ban_list: BanList, on: date) -> QuerySet[BanEntry]:
    """Return the entries of a list, and of what it stands on, that are in force on a day."""
    lists = [key for key in (ban_list.pk, ban_list.base_id) if key]
    return BanEntry.objects.filter(ban_list__in=lists, starts_on__lte=on).filter(
        Q(ends_on=None) | Q(ends_on__gt=on)
    )


@dataclass(frozen=True, slots=True)
class Ban:
    """An entry of a list with what is needed to see whether it means a card.

    ``cards`` are the keys of its card, or of those that its rule names; a rule without names goes
    by the mark of that ``field`` on the card.
    """

    status: str
    reason: str
    since: date
    field: str
    cards: frozenset[int]

    def means(self, card: Card) -> bool:
        return getattr(card, self.field) if self.field else card.pk in self.cards


def precedence(status: str, rule: str, *, is_house: bool) -> tuple[bool, bool, bool]:
    """Return what sorts the entries in force so that the one that counts for a card is the first.

    To watch a card lifts no ban; a house goes before what it stands on, a card before rules.
    """
    return status == Status.WATCHED, not is_house, bool(rule)


def read_bans(ban_list: BanList, on: date) -> list[Ban]:
    """Return what a list says on a day, the entries that go first first. One query."""
    rows = in_force(ban_list, on).values_list(
        "pk", "ban_list_id", "status", "reason", "starts_on", "rule", "card_id", "cards"
    )
    cards: dict[int, set[int]] = {}
    said = {}
    for key, list_key, status, reason, since, rule, card, named in rows:
        goes = precedence(status, rule, is_house=list_key == ban_list.pk)
        said[key] = (goes, status, reason, since, rule)
        cards.setdefault(key, set()).update(one for one in (card, named) if one)
    in_order = sorted(said.items(), key=lambda one: one[1][0])
    return [
        Ban(
            status,
            reason or Rule(rule).label if rule else reason,
            since,
            RULE_FIELDS.get(rule, ""),
            frozenset(cards[key]),
        )
        for key, (_, status, reason, since, rule) in in_order
    ]


def bans(cards: Iterable[Card], entries: Sequence[Ban]) -> deck.Bans:
    """Return what a list says of some cards: the first entry that bans or allows counts."""
    banned, allowed = {}, set()
    for card in cards:
        says = next((e for e in entries if e.status != Status.WATCHED and e.means(card)), None)
        if says and says.status == Status.ALLOWED:
            allowed.add(card.name)
        elif says:
            banned[card.name] = deck.Banned(says.reason, says.since)
    return deck.Bans(banned, frozenset(allowed))


def has_cards() -> bool:
    """Say whether a card catalogue was imported. One query."""
    return Card.objects.exists()


def houses() -> list[BanList]:
    """Return the lists that playgroups keep on top of a format's. One query."""
    return list(BanList.objects.exclude(base=None).select_related("group"))


def decks(held: Collection[str]) -> list[Deck]:
    """Return the decks of some codes, the latest first. One query."""
    return list(Deck.objects.filter(code__in=list(held)).order_by("-created_at", "-pk"))


def unused_decks(since: date) -> QuerySet[Deck]:
    """Return the decks that no seat carries and that nobody opened since a day."""
    carried = DeckRevision.objects.filter(deck=OuterRef("pk"), seats__isnull=False)
    opened = Coalesce("opened_on", TruncDate("created_at", tzinfo=UTC))
    return Deck.objects.annotate(opened=opened).filter(~Exists(carried), opened__lt=since)


REVISIONS_MAX = 50  # listed of a deck's history


def revisions(deck: Deck) -> list[DeckRevision]:
    """Return a deck's latest revisions, the latest first, without their text. One query."""
    return list(deck.revisions.defer("text").order_by("-number")[:REVISIONS_MAX])


Places = Counter[tuple[str, str]]  # how many of a card, by its name and section


def places(deck: Deck, numbers: Collection[int]) -> list[Places]:
    """Return how many of each card some revisions of a deck have where. One query."""
    counted: dict[int, Places] = {number: Counter() for number in numbers}
    lines = DeckLine.objects.filter(revision__deck=deck, revision__number__in=numbers)
    rows = lines.values_list("revision__number", "card__name", "section", "count")
    for number, name, section, count in rows.order_by():
        counted[number][name, section] += count
    return list(counted.values())
