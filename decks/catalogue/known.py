"""Cards as a process remembers them: what the deck check, the ban lists and the pages need."""

from __future__ import annotations

import sys
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from django.db.models import Aggregate, OuterRef, Q, QuerySet, Subquery, TextField

from ..models import POOL, Affiliation, Card, CardFace, CardImport, CreatureType, Legality
from ..pictures.addresses import Picture, of_cards
from ..rules import deck
from ..rules.affiliations import Extractor
from ..rules.creature_types import plurals
from ..rules.names import name_key
from .affiliations import extractor
from .closest import AllNames

AT_ONCE = 500  # names per query; SQLite limits the number of parameters
UNKNOWN_MAX = 20  # unknown names that get suggestions
REPEATED = ("type_line", "layout", "mana_cost")  # texts that many cards share
AS_STORED = (
    "pk name is_creature is_land is_basic is_legendary has_legendary_back can_lead copies "
    "every_type override_reason mana_value reserved is_conspiracy uses_ante uses_stickers"
).split()


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownCard(deck.Card):
    """A card of the catalogue as the rules see it, with what ban lists and pages ask for."""

    pk: int
    type_line: str
    layout: str
    mana_cost: str
    mana_value: float
    reserved: bool
    uses_ante: bool
    uses_stickers: bool
    pictures: tuple[Picture, ...] = ()


class Catalogue:
    """The cards of the catalogue, each read when it is first asked for.

    ``shown`` is for what pages show of decks as long as these are the cards.
    """

    def __init__(self) -> None:
        self.shown: dict[Hashable, Any] = {}
        self._by_key: dict[str, KnownCard] = {}  # of the whole name, or of the front face
        self._by_row: dict[int, KnownCard] = {}
        self._types: dict[str | None, frozenset[str]] = {}

    def find(self, names: Collection[str]) -> dict[str, KnownCard]:
        """Return the cards with these names, as people write them; unknown names are left out.

        Names match regardless of case, accents and apostrophes: the whole name, or else the front
        face, but never a back face alone. A query for up to ``AT_ONCE`` names that are new here.
        """
        keys = {name: name_key(name) for name in names}
        self._read_keys(sorted({key for key in keys.values() if key not in self._by_key}))
        cards = {name: self._by_key.get(key) for name, key in keys.items()}
        return {name: card for name, card in cards.items() if card}

    def cards(self, rows: Collection[int]) -> list[KnownCard]:
        """Return the cards with these primary keys. A query if any of them is new here."""
        if new := [row for row in rows if row not in self._by_row]:
            self._read(Q(pk__in=new))
        return [self._by_row[row] for row in rows if row in self._by_row]

    def closest(self, names: Sequence[str]) -> dict[str, list[str]]:
        """Return the closest card names for the first few of some unknown names."""
        return {name: self.names.closest(name_key(name)) for name in names[:UNKNOWN_MAX]}

    @cached_property
    def names(self) -> AllNames:
        """All names, to find misspelt ones by. A query at the first time."""
        return AllNames(Card.objects.values_list("front_key", "key", "name"))

    @cached_property
    def keywords(self) -> list[str]:
        """The keywords that cards have, in small letters. A query at the first time."""
        rows = Card.objects.exclude(keywords="").order_by().distinct()
        texts = rows.values_list("keywords", flat=True)
        return sorted({word for text in texts for word in text.casefold().split(",")})

    @cached_property
    def costs(self) -> list[str]:
        """The mana costs that faces of cards have. A query at the first time."""
        rows = CardFace.objects.exclude(mana_cost="").order_by().distinct()
        return list(rows.values_list("mana_cost", flat=True))

    @cached_property
    def ranks(self) -> dict[int, int]:
        """How far cards that no deck has are from the top of a list, by primary key.

        Those of the pool come first, in it and outside of it names that begin with a sign last.
        A query at the first time: sorting 33,000 rows in each search takes 40 ms.
        """
        rows = Card.objects.values_list("pk", "vintage", "key")
        return {
            card: 2 * (vintage not in POOL) + (not key[0].isalpha()) for card, vintage, key in rows
        }

    @cached_property
    def as_of(self) -> date | None:
        """The day that the latest imported file describes; None if unknown. A query at first."""
        return CardImport.objects.values_list("as_of", flat=True).first()

    @cached_property
    def types(self) -> list[str]:
        """The names of all creature types. A query at the first time."""
        return list(CreatureType.objects.filter(is_none=False).values_list("name", flat=True))

    @cached_property
    def type_forms(self) -> dict[str, str]:
        """The creature types by their names and plurals, in small letters."""
        return {form.casefold(): name for name in self.types for form in (*plurals(name), name)}

    @cached_property
    def extractor(self) -> Extractor:
        """What finds affiliations in printed texts. A query at the first time."""
        return extractor()

    def _read_keys(self, keys: list[str]) -> None:
        """Read the cards with these keys; of several with the same key the oldest row counts."""
        for start in range(0, len(keys), AT_ONCE):
            batch = keys[start : start + AT_ONCE]
            by_key: dict[str, KnownCard] = {}
            by_front: dict[str, KnownCard] = {}
            for key, front_key, card in self._read(Q(key__in=batch) | Q(front_key__in=batch)):
                by_key.setdefault(key, card)
                by_front.setdefault(front_key, card)
            cards = by_front | by_key
            self._by_key |= {key: cards[key] for key in batch if key in cards}

    def _read(self, condition: Q) -> list[tuple[str, str, KnownCard]]:
        """Read cards, the oldest row first; return each after its two keys."""
        fields = ("key", "front_key", "vintage", "legacy", "type_names", *AS_STORED, *REPEATED)
        rows = with_types(Card.objects.filter(condition)).order_by("pk").values(*fields)
        pictures = of_cards([row["pk"] for row in rows])
        cards = [self._known(row, pictures.get(row["pk"], ())) for row in rows]
        return [
            (row["key"], row["front_key"], self._by_row.setdefault(card.pk, card))
            for row, card in zip(rows, cards, strict=True)
        ]

    def _known(self, row: Mapping[str, Any], pictures: tuple[Picture, ...]) -> KnownCard:
        shared: dict[str, Any] = {field: sys.intern(row[field]) for field in REPEATED}
        return KnownCard(
            in_pool=row["vintage"] in POOL,
            banned_in_legacy=row["legacy"] == Legality.BANNED,
            types=self._types_of(row["type_names"]),
            pictures=pictures,
            **shared,
            **{field: row[field] for field in AS_STORED},
        )

    def _types_of(self, names: str | None) -> frozenset[str]:
        """Return the types in a text; many cards share the same."""
        if names not in self._types:
            self._types[names] = frozenset(names.split(",") if names else ())
        return self._types[names]


class JoinedTexts(Aggregate):
    """The texts of a group separated by commas, in no order.

    Django has no such aggregate for both databases yet.
    """

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
