"""What an import changes: the cards of a file beside those that are stored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from uuid import UUID

from django.db.models import OuterRef, Subquery

from ..models import Affiliation, Card, CardFace, DeckLine, DeckRevision
from ..rules.affiliations import Affiliations

AT_ONCE = 500  # cards per query; SQLite limits the number of parameters


class Change(Enum):
    """What is different about a card."""

    NEW = "new"
    TEXT = "texts"
    AFFILIATIONS = "affiliations"
    LEGALITY = "legalities"
    OTHER = "other"  # such as its picture


COUNTED = (Change.NEW, Change.TEXT, Change.AFFILIATIONS, Change.LEGALITY)
PRINTED = ("name", "type_line", "mana_cost")
LEGAL = ("vintage", "legacy", "reserved")
ON_FACES = ("name", "type_line", "oracle_text")
NOT_FROM_FILES = ("id", "oracle_id", "override_reason", "imported_at", "every_type")
OTHERS_ON_FACES = tuple(
    field.name
    for field in CardFace._meta.concrete_fields
    if field.name not in ("id", "card", "position", *ON_FACES)
)
OTHERS = tuple(
    field.name
    for field in Card._meta.concrete_fields
    if field.name not in (*NOT_FROM_FILES, *PRINTED, *LEGAL)
)


@dataclass(frozen=True, slots=True)
class CardOfFile:
    """A card as a file has it, not stored yet, with the affiliations that its text gives it."""

    card: Card
    faces: Sequence[CardFace]
    types: Affiliations


@dataclass(frozen=True, slots=True)
class StoredCard:
    """A card as it is stored; ``types`` are None if an editor set them."""

    card: Card
    faces: Sequence[CardFace]
    types: Affiliations | None


@dataclass
class Changes:
    """The names of cards by what is different about them.

    ``rows`` are the primary keys of those that are not new.
    """

    names: dict[Change, list[str]] = field(default_factory=lambda: {kind: [] for kind in COUNTED})
    rows: set[int] = field(default_factory=set)

    def add(self, card: Card, kinds: Iterable[Change]) -> None:
        for kind in kinds:
            if kind in self.names:
                self.names[kind].append(card.name)
                if kind is not Change.NEW:
                    self.rows.add(card.pk)

    def count(self, kind: Change) -> int:
        return len(self.names[kind])

    @property
    def is_empty(self) -> bool:
        return not any(self.names.values())


def stored(cards: Sequence[CardOfFile]) -> dict[UUID, StoredCard]:
    """Return the stored cards with the same ids, by id. Three queries."""
    rows = list(Card.objects.filter(oracle_id__in=[read.card.oracle_id for read in cards]))
    faces: dict[int, list[CardFace]] = defaultdict(list)
    for face in CardFace.objects.filter(card__in=rows).order_by("position"):
        faces[face.card_id].append(face)
    types: dict[int, set[str]] = defaultdict(set)
    affiliations = Affiliation.objects.filter(card__in=rows)
    for row, name in affiliations.values_list("card", "creature_type__name"):
        types[row].add(name)
    return {
        row.oracle_id: StoredCard(
            row,
            faces[row.pk],
            None if row.override_reason else Affiliations(frozenset(types[row.pk]), row.every_type),
        )
        for row in rows
    }


def differences(read: CardOfFile, before: StoredCard | None) -> set[Change]:
    """Return what is different about a card; nothing if a file brings nothing new."""
    if before is None:
        return {Change.NEW}
    differ = {
        Change.TEXT: _differ(PRINTED, read.card, before.card)
        or _faces(read.faces, ON_FACES) != _faces(before.faces, ON_FACES),
        Change.AFFILIATIONS: before.types is not None and read.types != before.types,
        Change.LEGALITY: _differ(LEGAL, read.card, before.card),
        Change.OTHER: _differ(OTHERS, read.card, before.card)
        or _faces(read.faces, OTHERS_ON_FACES) != _faces(before.faces, OTHERS_ON_FACES),
    }
    return {kind for kind, is_different in differ.items() if is_different}


def _differ(names: Collection[str], card: Card, before: Card) -> bool:
    return any(getattr(card, name) != getattr(before, name) for name in names)


def _faces(faces: Sequence[CardFace], names: Collection[str]) -> list[list[object]]:
    return [[getattr(face, name) for name in names] for face in faces]


def decks_with(rows: Collection[int]) -> int:
    """Return how many decks have any of some cards in their latest revision."""
    latest = DeckRevision.objects.filter(deck=OuterRef("revision__deck")).order_by("-number")
    lines = DeckLine.objects.filter(revision=Subquery(latest.values("pk")[:1])).order_by()
    keys, decks = sorted(rows), set[int]()
    for start in range(0, len(keys), AT_ONCE):
        having = lines.filter(card__in=keys[start : start + AT_ONCE])
        decks.update(having.values_list("revision__deck", flat=True))
    return len(decks)
