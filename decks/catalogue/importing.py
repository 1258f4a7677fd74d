"""Importing cards: what the site needs to know about each is worked out here, once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from uuid import UUID

from django.db import transaction

from ..models import Affiliation, Card, CardFace
from ..rules.affiliations import Affiliations, Face
from . import affiliations
from .files import BrokenCardFile
from .records import is_left_out, read_card

BATCH = 1000
PROBLEMS_MAX = 20  # described in words; further problems are only counted


@dataclass
class Counts:
    """What became of the records of a file; ``problems`` describes the first unusable ones."""

    imported: int = 0
    left_out: int = 0
    unusable: int = 0
    problems: list[str] = field(default_factory=list)

    def add_problem(self, problem: str) -> None:
        self.unusable += 1
        if self.unusable <= PROBLEMS_MAX:
            self.problems.append(problem)


def import_cards(records: Iterable[Any], counts: Counts | None = None) -> Counts:
    """Create or update cards, all or nothing.

    A card is matched by its ``oracle_id``, else by its name, unless the row of that name matches
    another card of the file.
    """
    counts = counts or Counts()
    read_types = affiliations.extractor().of
    seen: set[UUID] = set()
    usable = _usable(records, counts, seen)
    with transaction.atomic():
        type_keys = affiliations.type_keys()
        is_first = not Card.objects.exists()  # then nothing stored needs a look
        while batch := list(islice(usable, BATCH)):
            if not is_first:
                _take_over_namesakes([card for card, _ in batch], seen)
            _store(batch, read_types, type_keys, is_first)
            counts.imported += len(batch)
        if not counts.imported:
            raise BrokenCardFile("There is no usable card in this file.")
    return counts


def _usable(
    records: Iterable[Any], counts: Counts, seen: set[UUID]
) -> Iterator[tuple[Card, list[CardFace]]]:
    """Yield the cards of usable records with their faces; count all others."""
    for number, record in enumerate(records, 1):
        try:
            if is_left_out(record):
                counts.left_out += 1
                continue
            card, faces = read_card(record)
            if card.oracle_id in seen:
                raise ValueError("its oracle_id appears twice")
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            name = record.get("name") if isinstance(record, dict) else None
            why = f"{error.args[0]} is missing" if isinstance(error, KeyError) else error
            counts.add_problem(f"card {number} ({str(name)[:80]}): {why}")
            continue
        seen.add(card.oracle_id)  # only once it is usable: a later record may be good
        yield card, faces


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


def _take_over_namesakes(batch: Sequence[Card], seen: Collection[UUID]) -> None:
    """Give new cards the rows that have their names, so that decks and bans stay attached.

    If several rows have a name, the oldest is taken, as in look-ups.
    """
    stored = Card.objects.filter(oracle_id__in=[card.oracle_id for card in batch])
    stored_ids = set(stored.values_list("oracle_id", flat=True))
    new = {card.key: card.oracle_id for card in batch if card.oracle_id not in stored_ids}
    namesakes = Card.objects.filter(key__in=new).only("oracle_id", "key").order_by("-pk")
    rows = {row.key: row for row in namesakes if row.oracle_id not in seen}
    for key, row in rows.items():
        row.oracle_id = new[key]
    Card.objects.bulk_update(rows.values(), ["oracle_id"])


def _store(
    batch: Sequence[tuple[Card, list[CardFace]]],
    read_types: Callable[[Sequence[Face]], Affiliations],
    type_keys: dict[str, int],
    is_first: bool,
) -> None:
    cards = [card for card, _ in batch]
    types = {card.oracle_id: read_types(affiliations.printed(faces)) for card, faces in batch}
    overridden = {} if is_first else _overridden(cards)
    for card in cards:
        card.every_type = overridden.get(card.oracle_id, types[card.oracle_id].every)
    Card.objects.bulk_create(cards, **({} if is_first else UPDATE))
    reread = [card for card in cards if card.oracle_id not in overridden]
    if not is_first:
        CardFace.objects.filter(card__in=cards).delete()
        Affiliation.objects.filter(card__in=reread).delete()
    _store_faces(batch)
    affiliations.create({card.pk: types[card.oracle_id] for card in reread}, type_keys)


def _store_faces(batch: Sequence[tuple[Card, list[CardFace]]]) -> None:
    for card, faces in batch:
        for face in faces:
            face.card_id = card.pk
    CardFace.objects.bulk_create(face for _, faces in batch for face in faces)


def _overridden(cards: Sequence[Card]) -> dict[UUID, bool]:
    """Return which cards' affiliations an editor set, each with its ``every_type``."""
    rows = Card.objects.filter(oracle_id__in=[card.oracle_id for card in cards])
    return dict(rows.exclude(override_reason="").values_list("oracle_id", "every_type"))
