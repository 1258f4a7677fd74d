"""Cards as a process remembers them: what the deck check, the ban lists and the pages need."""

import sys
from bisect import bisect_left
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache, partial
from typing import Any

from django.db.models import Aggregate, OuterRef, Q, QuerySet, Subquery, TextField
from rapidfuzz import fuzz, process

from ..models import POOL, Affiliation, Card, CardFace, CardImport, CreatureType, Legality
from ..pictures.addresses import Picture, of_cards
from ..rules import deck
from ..rules.affiliations import Extractor
from ..rules.creature_types import plurals
from ..rules.names import front_key, name_key
from .affiliations import extractor

AT_ONCE = 500  # names per query; SQLite limits the number of parameters
NO_KEYS_MAX = 10_000
UNKNOWN_MAX = 250  # unknown names that get suggestions; a millisecond each
CLOSEST = 2
BEGUN_MIN = 5  # letters of a name that stops inside a word
NEAR_ENOUGH, SURE, CLEARLY = 75, 90, 6  # from 0 to 100, as rapidfuzz scores
MISSPELT_MAX = 1000  # misspelt names whose closest names are remembered
REPEATED = ("type_line", "layout", "mana_cost", "keywords")  # texts that many cards share
AS_STORED = (
    "pk name is_creature is_land is_basic is_legendary has_legendary_back can_lead copies "
    "every_type override_reason mana_value reserved is_conspiracy uses_ante uses_stickers"
).split()


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownCard(deck.Card):
    pk: int
    type_line: str
    layout: str
    mana_cost: str
    keywords: str
    mana_value: float
    reserved: bool
    uses_ante: bool
    uses_stickers: bool
    pictures: tuple[Picture, ...] = ()


class Catalogue:
    """The cards of the catalogue, each read when it is first asked for, all else at once then."""

    def __init__(self) -> None:
        self.shown: dict[Hashable, Any] = {}  # what pages show as long as these are the cards
        self._by_key: dict[str, KnownCard] = {}  # of the whole name, or of the front face
        self._no_keys: set[str] = set()  # that no card has, such as those of headings
        self._by_row: dict[int, KnownCard] = {}
        self._types: dict[frozenset[str], frozenset[str]] = {}  # many cards share the same

    def find(self, names: Collection[str]) -> dict[str, KnownCard]:
        """Return the cards with these names in any spelling: whole, or else the front face."""
        keys = {name: name_key(name) for name in names}
        new = sorted({*keys.values()} - self._by_key.keys() - self._no_keys)
        for start in range(0, len(new), AT_ONCE):
            batch = new[start : start + AT_ONCE]
            by_key: dict[str, KnownCard] = {}
            by_front: dict[str, KnownCard] = {}
            # Of several with the same key the oldest row counts.
            for key, front, card in self._read(Q(key__in=batch) | Q(front_key__in=batch)):
                by_key.setdefault(key, card)
                by_front.setdefault(front, card)
            read = by_front | by_key
            self._by_key |= {key: read[key] for key in batch if key in read}
            if len(self._no_keys) > NO_KEYS_MAX:
                self._no_keys = set()
            self._no_keys |= {*batch} - read.keys()
        return {name: self._by_key[key] for name, key in keys.items() if key in self._by_key}

    def cards(self, rows: Collection[int]) -> list[KnownCard]:
        if new := [row for row in rows if row not in self._by_row]:
            self._read(Q(pk__in=new))
        return [self._by_row[row] for row in rows if row in self._by_row]

    def closest(self, names: Sequence[str]) -> dict[str, list[str]]:
        """Return the names closest to some; of a back face, or of a special printing, its card."""
        keys = {name: name_key(name) for name in names[:UNKNOWN_MAX]}
        return {
            name: [self.other_names[key]] if key in self.other_names else self.closest_to(key)
            for name, key in keys.items()
        }

    def is_sure(self, name: str, closest: Sequence[str]) -> bool:
        """Return whether it is a card's other name, or by far the closest, and all but the same."""
        key = name_key(name)
        alike = [max(fuzz.ratio(key, of(one)) for of in (name_key, front_key)) for one in closest]
        best, second = [*alike, 0, 0][:2]
        return key in self.other_names or best >= max(SURE, second + CLEARLY)

    @cached_property
    def other_names(self) -> dict[str, str]:
        names: dict[str, set[str]] = {}
        rows = CardFace.objects.filter(Q(position__gt=0) | ~Q(flavor_name="")).order_by()
        for place, *own, card in rows.values_list("position", "name", "flavor_name", "card__name"):
            for name in own if place else own[1:]:
                names.setdefault(name_key(name), set()).add(card)
        return {key: min(cards) for key, cards in names.items() if key and len(cards) == 1}

    @cached_property
    def closest_to(self) -> Callable[[str], list[str]]:
        """The names closest to a key. A list that is being typed asks for them again and again."""
        by_key: dict[str, str] = {}
        for front, key, name in Card.objects.values_list("front_key", "key", "name"):
            by_key[key] = name  # a whole name replaces a front face of the same key
            by_key.setdefault(front, name)
        return lru_cache(MISSPELT_MAX)(partial(closest_names, by_key, sorted(by_key)))

    @cached_property
    def keywords(self) -> list[str]:
        rows = Card.objects.exclude(keywords="").order_by().distinct()
        texts = rows.values_list("keywords", flat=True)
        return sorted({word for text in texts for word in text.casefold().split(",")})

    @cached_property
    def costs(self) -> list[str]:
        rows = CardFace.objects.exclude(mana_cost="").order_by().distinct()
        return list(rows.values_list("mana_cost", flat=True))

    @cached_property
    def ranks(self) -> dict[int, int]:
        """How far cards that no deck has are from the top of a list: first the pool, last signs."""
        # Kept, since sorting 33,000 rows in each search takes 40 ms.
        rows = Card.objects.values_list("pk", "vintage", "key")
        return {
            card: 2 * (vintage not in POOL) + (not key[0].isalpha()) for card, vintage, key in rows
        }

    @cached_property
    def as_of(self) -> date | None:
        return CardImport.objects.values_list("as_of", flat=True).first()

    @cached_property
    def types(self) -> list[str]:
        return list(CreatureType.objects.filter(is_none=False).values_list("name", flat=True))

    @cached_property
    def type_forms(self) -> dict[str, str]:
        return {form.casefold(): name for name in self.types for form in (*plurals(name), name)}

    @cached_property
    def extractor(self) -> Extractor:
        return extractor()

    def _read(self, condition: Q) -> list[tuple[str, str, KnownCard]]:
        """Read cards, the oldest row first; return each after its two keys."""
        fields = ("key", "front_key", "vintage", "legacy", "type_names", *AS_STORED, *REPEATED)
        rows = with_types(Card.objects.filter(condition)).order_by("pk").values(*fields)
        pictures = of_cards([row["pk"] for row in rows])
        cards = []
        for row in rows:
            names = row["type_names"]
            types = frozenset(names.split(",") if names else ())
            shared: dict[str, Any] = {field: sys.intern(row[field]) for field in REPEATED}
            card = KnownCard(
                in_pool=row["vintage"] in POOL,
                banned_in_legacy=row["legacy"] == Legality.BANNED,
                types=self._types.setdefault(types, types),
                pictures=pictures.get(row["pk"], ()),
                **shared,
                **{field: row[field] for field in AS_STORED},
            )
            cards.append((row["key"], row["front_key"], self._by_row.setdefault(card.pk, card)))
        return cards


class JoinedTexts(Aggregate):
    """The texts of a group separated by commas; Django has no such aggregate for both databases."""

    function = "STRING_AGG"
    template = "%(function)s(%(expressions)s, ',')"
    output_field = TextField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, function="GROUP_CONCAT", **context)


def with_types(cards: QuerySet[Card]) -> QuerySet[Any]:
    """Add ``type_names`` to each card as a single text, which saves a query for the types."""
    of_card = Affiliation.objects.filter(card=OuterRef("pk")).values("card").order_by()
    names = of_card.annotate(names=JoinedTexts("creature_type__name")).values("names")
    return cards.annotate(type_names=Subquery(names))


def closest_names(by_key: Mapping[str, str], keys: Sequence[str], key: str) -> list[str]:
    """Return a few names that begin with the words of a key, or just with it, else those alike."""
    begun = keys[bisect_left(keys, key) : bisect_left(keys, f"{key}{chr(sys.maxunicode)}")]
    matches = [one for one in begun if not one[len(key) :][:1].isalnum()]
    if len(key) >= BEGUN_MIN:
        matches += sorted(begun, key=len)
    # A dict for its order: both keys of a two-faced card may match, and a key twice.
    names = dict.fromkeys(by_key[one] for one in matches)
    if len(names) < CLOSEST:
        similar = process.extract(
            key, keys, scorer=fuzz.ratio, limit=CLOSEST, score_cutoff=NEAR_ENOUGH
        )
        names |= dict.fromkeys(by_key[one] for one, _, _ in similar)
    return [*names][:CLOSEST]
