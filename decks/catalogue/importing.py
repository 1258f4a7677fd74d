"""Importing cards: what the site needs to know about each is worked out here, once."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from itertools import islice
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from .. import versions
from ..decks import commands as deck_commands
from ..decks.planned import judged_decks
from ..models import Affiliation, Card, CardFace, CardImport, Deck, today
from ..queries import cards_in_decks, latest_lines
from ..rules.affiliations import Affiliations, Extractor
from ..rules.searched import searched_text
from . import affiliations
from .files import BrokenCardFile
from .known import with_types
from .records import is_left_out, is_meld_result, read_card, read_face

BATCH = 1000
MELDS = re.compile("Melds with |meld them into ")
PROBLEMS_MAX = 20  # described in words; further problems are only counted
NAMES_STORED = 200  # of each kind of change


class Change(Enum):
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
_OTHERS_ON_FACES = tuple(
    field.name
    for field in CardFace._meta.concrete_fields
    if field.name not in ("id", "card", "position", *ON_FACES)
)
_OTHERS = tuple(
    field.name
    for field in Card._meta.concrete_fields
    if field.name not in (*NOT_FROM_FILES, *PRINTED, *LEGAL)
)
COMPARED = {  # fields of the card, and those of its faces
    Change.TEXT: (PRINTED, ON_FACES),
    Change.LEGALITY: (LEGAL, ()),
    Change.OTHER: (_OTHERS, _OTHERS_ON_FACES),
}


@dataclass(frozen=True, slots=True)
class CardWithFaces:
    """A card of a file, or a stored one; ``is_settled`` if an editor set its ``types``."""

    card: Card
    faces: Sequence[CardFace]
    types: Affiliations
    is_settled: bool = False


@dataclass
class Counts:
    seen: set[UUID] = field(default_factory=set)  # the Oracle ids of those imported
    left_out: int = 0
    unusable: int = 0
    problems: list[str] = field(default_factory=list)  # of the first unusable ones
    # The names of cards by what is different about them.
    changes: dict[Change, list[str]] = field(default_factory=lambda: {kind: [] for kind in COUNTED})
    changed: set[int] = field(default_factory=set)  # the rows of those that are not new
    new_names: set[str] = field(default_factory=set)  # of new cards, and of those renamed
    # Creature types that no list had, with the names of the cards that print them.
    new_types: dict[str, list[str]] = field(default_factory=dict)
    decks: int = 0  # those that have a changed card
    broken: list[int] = field(default_factory=list)  # decks that became illegal
    in_decks: list[dict[str, Any]] = field(default_factory=list)  # see changed_in_decks

    @property
    def imported(self) -> int:
        return len(self.seen)

    @property
    def report(self) -> dict[str, Any]:
        """What editors read about the import later, with the first names of each kind."""
        return {
            "cards": {kind.value: names[:NAMES_STORED] for kind, names in self.changes.items()},
            "types": {name: cards[:NAMES_STORED] for name, cards in self.new_types.items()},
            "broken": self.broken,
            "in_decks": self.in_decks[:NAMES_STORED],
            "in_decks_count": len(self.in_decks),
        }

    def add_change(self, card: Card, kinds: Iterable[Change]) -> None:
        for kind in self.changes.keys() & kinds:
            self.changes[kind].append(card.name)
            if kind is not Change.NEW:
                self.changed.add(card.pk)


def import_cards(records: Iterable[Any], as_of: date | None = None) -> Counts:
    """Create or update cards, all or nothing; ``as_of`` is the day that the file describes."""
    # The file is read and compared before anything is locked, so that others wait only while what
    # is different is written; the first import writes as it reads.
    counts = Counts()
    cards = _cards(records, counts)
    different: Iterable[CardWithFaces] = cards
    touched = set[int]()
    if Card.objects.exists():
        different = []
        while batch := list(islice(cards, BATCH)):
            before = stored(batch)
            for read in batch:
                row = before.get(read.card.oracle_id)
                if changes := differences(read, row):
                    different.append(read)
                if row and changes - {Change.OTHER}:
                    touched.add(row.card.pk)
    legal = legal_decks(touched)
    with transaction.atomic():
        versions.draw(versions.CARDS)  # two imports follow one another
        before_it = types_in_decks()
        _store_all(different, counts)
        if not counts.imported:
            raise BrokenCardFile("There is no usable card in this file.")
        counted = {*counts.changes[Change.NEW], *counts.changes[Change.AFFILIATIONS]}
        for new in affiliations.add_printed_types():
            having = list(new.cards.all())
            counts.new_types[new.name] = [card.name for card in having]
            for card in having:
                if card.name not in counted:
                    counted.add(card.name)
                    counts.add_change(card, [Change.AFFILIATIONS])
        if counts.new_names:
            deck_commands.read_again(counts.new_names)
        counts.decks = len(decks_with(counts.changed))
        counts.broken = sorted(legal - legal_decks(touched))
        counts.in_decks = changed_in_decks(before_it)
        CardImport.objects.create(
            as_of=as_of or today(),
            cards=counts.imported,
            decks=counts.decks,
            report=counts.report,
            **{kind.value: len(names) for kind, names in counts.changes.items()},
        )
    return counts


def _cards(records: Iterable[Any], counts: Counts) -> Iterator[CardWithFaces]:
    """Yield the cards of usable records, last those that meld, with the result as their back."""
    results: list[CardFace] = []
    extractor, melding = affiliations.extractor(), []
    for card, faces in _usable(records, counts, results):
        if MELDS.search(faces[0].oracle_text):
            melding.append((card, faces))
        else:
            yield _searchable(card, faces, extractor)
    # 906.5c. One of the two cards names the result, the other one names its partner.
    backs = {
        f"Melds with {card.name}.": back
        for card, faces in melding
        for back in results
        if f"meld them into {back.name}." in faces[0].oracle_text
    }
    backs |= {f"meld them into {back.name}.": back for back in results}
    for card, faces in melding:
        melded = [copy(back) for words, back in backs.items() if words in faces[0].oracle_text]
        yield _searchable(card, faces + melded, extractor)


def _searchable(card: Card, faces: Sequence[CardFace], extractor: Extractor) -> CardWithFaces:
    printed = affiliations.printed(faces)
    types = extractor.of(printed)
    card.every_type = types.every
    card.rules_key = searched_text(printed)
    card.text_key = searched_text(printed, has_reminders=True)
    return CardWithFaces(card, faces, types)


def _usable(
    records: Iterable[Any], counts: Counts, results: list[CardFace]
) -> Iterator[tuple[Card, list[CardFace]]]:
    """Yield the cards of usable records; count the others, and add what melds to ``results``."""
    for number, record in enumerate(records, 1):
        try:
            if is_meld_result(record):
                results.append(read_face(record, record, 1))
            if is_left_out(record):
                counts.left_out += 1
                continue
            card, faces = read_card(record)
            if card.oracle_id in counts.seen:
                raise ValueError("its oracle_id appears twice")
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            name = record.get("name") if isinstance(record, dict) else None
            why = f"{error.args[0]} is missing" if isinstance(error, KeyError) else error
            counts.unusable += 1
            if counts.unusable <= PROBLEMS_MAX:
                counts.problems.append(f"card {number} ({str(name)[:80]}): {why}")
            continue
        counts.seen.add(card.oracle_id)  # only once it is usable: a later record may be good
        yield card, faces


def _store_all(cards: Iterable[CardWithFaces], counts: Counts) -> None:
    type_keys = affiliations.type_keys()
    remaining = iter(cards)
    while batch := list(islice(remaining, BATCH)):
        # New cards take the rows that have their names, so that decks and bans stay attached: of
        # several rows the oldest, as in look-ups.
        known = Card.objects.filter(oracle_id__in=[read.card.oracle_id for read in batch])
        known_ids = set(known.values_list("oracle_id", flat=True))
        new_cards = [read.card for read in batch if read.card.oracle_id not in known_ids]
        new = {card.key: card.oracle_id for card in new_cards}
        namesakes = Card.objects.filter(key__in=new).only("oracle_id", "key").order_by("-pk")
        rows = {row.key: row for row in namesakes if row.oracle_id not in counts.seen}
        for key, row in rows.items():
            row.oracle_id = new[key]
        Card.objects.bulk_update(rows.values(), ["oracle_id"])
        before = stored(batch)
        _store(batch, before, type_keys)
        for read in batch:
            was = before.get(read.card.oracle_id)
            counts.add_change(read.card, differences(read, was))
            if was is None or was.card.name != read.card.name:
                counts.new_names.add(read.card.name)


# Everything but the editors' reasons, which an import must not overwrite.
UPDATE: dict[str, Any] = {
    "update_conflicts": True,
    "unique_fields": ["oracle_id"],
    "update_fields": [
        field.name
        for field in Card._meta.concrete_fields
        if field.name not in ("id", "oracle_id", "override_reason")
    ],
}


def _store(
    batch: Sequence[CardWithFaces], before: Mapping[UUID, CardWithFaces], type_keys: dict[str, int]
) -> None:
    """Write cards over those that are stored; affiliations that an editor set stay."""
    cards = [read.card for read in batch]
    overridden = {key: row.card for key, row in before.items() if row.is_settled}
    for card in cards:
        if card.oracle_id in overridden:
            card.every_type = overridden[card.oracle_id].every_type
    Card.objects.bulk_create(cards, **(UPDATE if before else {}))
    reread = [read for read in batch if read.card.oracle_id not in overridden]
    if before:
        CardFace.objects.filter(card__in=cards).delete()
        Affiliation.objects.filter(card__in=[read.card for read in reread]).delete()
    for read in batch:
        for face in read.faces:
            face.card_id = read.card.pk
    CardFace.objects.bulk_create(face for read in batch for face in read.faces)
    affiliations.create({read.card.pk: read.types for read in reread}, type_keys)


def stored(cards: Sequence[CardWithFaces]) -> dict[UUID, CardWithFaces]:
    rows = Card.objects.filter(oracle_id__in=[read.card.oracle_id for read in cards])
    return {
        row.oracle_id: CardWithFaces(
            row,
            list(row.faces.all()),
            Affiliations(frozenset(one.name for one in row.types.all()), row.every_type),
            is_settled=bool(row.override_reason),
        )
        for row in rows.prefetch_related("faces", "types")
    }


def differences(read: CardWithFaces, before: CardWithFaces | None) -> set[Change]:
    if before is None:
        return {Change.NEW}
    changes = {
        kind
        for kind, fields in COMPARED.items()
        if _values(read, *fields) != _values(before, *fields)
    }
    if not before.is_settled and read.types != before.types:
        changes.add(Change.AFFILIATIONS)
    return changes


def _values(
    one: CardWithFaces, names: Collection[str], on_faces: Collection[str]
) -> list[list[object]]:
    of_faces = [[getattr(face, name) for name in on_faces] for face in one.faces if on_faces]
    return [[getattr(one.card, name) for name in names], *of_faces]


def decks_with(rows: Collection[int]) -> set[int]:
    played = latest_lines().order_by().values_list("card", "revision__deck").iterator()
    return {deck for card, deck in played if card in rows}


def legal_decks(rows: Collection[int]) -> set[int]:
    """Return the keys of the saved decks with any of some cards that are legal today."""
    decks = Deck.objects.in_bulk(decks_with(rows))
    judged = judged_decks([*decks.values()], timezone.localdate())
    return {row["deck"].pk for row in judged if "report" in row and row["report"].legal}


# --- the affiliations of the cards that saved decks have ---
def types_in_decks() -> dict[int, list[str]]:
    """Return them by the primary key of a card."""
    cards = Card.objects.filter(pk__in=latest_lines().order_by().values("card"))
    rows = with_types(cards).values_list("pk", "every_type", "type_names")
    return {
        card: ["all types"] if every_type else sorted(names.split(",") if names else ())
        for card, every_type, names in rows
    }


def changed_in_decks(before: Mapping[int, Sequence[str]]) -> list[dict[str, Any]]:
    """Return the cards whose affiliations are others now, those of the most decks first."""
    after = types_in_decks()
    counted = cards_in_decks().values_list("card", "card__name", "decks")
    changed = [
        {"card": name, "decks": decks, "before": before[card], "after": after[card]}
        for card, name, decks in counted
        if card in before and before[card] != after[card]
    ]
    return sorted(changed, key=lambda row: (-row["decks"], row["card"]))
