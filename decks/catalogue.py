"""The card catalogue: card files read as a stream, and what is worked out of each card once."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from gzip import GzipFile
from http.client import HTTPResponse
from io import BufferedReader
from itertools import islice
from typing import Any
from uuid import UUID

import ijson
from django.db import transaction
from django.db.models import Q

from .models import NAME_MAX, Affiliation, Card, CardFace, CreatureType, Legality
from .rules import cards
from .rules.affiliations import Affiliations, Extractor, Face
from .rules.creature_types import plurals
from .rules.names import name_key

BATCH = 1000
TOLD = 20  # records that can't be used are told one by one up to so many
GZIP_MAGIC = b"\x1f\x8b"
DEPTH = 1000  # of brackets in a file, far more than any card has
CARD_MAX = 2_000_000  # bytes of text, far more than any card has

# Never in a deck.
LEFT_OUT_LAYOUTS = frozenset(
    "token double_faced_token emblem art_series planar scheme vanguard reversible_card".split()
)
LEFT_OUT_TYPES = frozenset(
    "Card Plane Phenomenon Scheme Vanguard Dungeon Emblem Token Stickers Attraction Contraption "
    "Hero Bounty Theme".split()
)


Peekable = BufferedReader | GzipFile | HTTPResponse  # what opening a file or an address returns


class BrokenCardFile(ValueError):
    """Not a list of cards; the message says what is wrong, and where."""


@dataclass
class Counts:
    """What became of the records of a file; ``problems`` tells the first ones not used."""

    imported: int = 0
    left_out: int = 0
    unusable: int = 0
    problems: list[str] = field(default_factory=list)

    def add_problem(self, problem: str) -> None:
        self.unusable += 1
        if self.unusable <= TOLD:
            self.problems.append(problem)


def extractor() -> Extractor:
    """Return what reads affiliations by the creature types as they are now. One query."""
    known = CreatureType.objects.values_list("name", "plural")
    return Extractor({name: [plural] if plural else plurals(name) for name, plural in known})


def read_records(file: Peekable) -> Iterator[Any]:
    """Yield the records of a card file, also of a gzipped one, without reading it whole.

    :raises BrokenCardFile: if it is no JSON array, or is cut off.
    """
    buffered = GzipFile(fileobj=file) if file.peek(2)[:2] == GZIP_MAGIC else file
    bounded = _Bounded(buffered)
    try:
        if not _begins_a_list(buffered):
            raise BrokenCardFile("This is no list of cards: a JSON array is expected.")
        for record in ijson.items(bounded, "item"):
            yield record
            bounded.next_card()
    except (ijson.JSONError, EOFError, OSError, zlib.error) as error:
        raise BrokenCardFile(
            f"The file is broken after card {bounded.cards}: {error}. Nothing was changed."
        ) from error


def _begins_a_list(file: Peekable) -> bool:
    """Whether a list comes next in a file, which is read up to there."""
    while (ahead := file.peek(64)) and not ahead.strip():
        file.read(len(ahead))
    return ahead.lstrip().startswith(b"[")


class _Bounded:
    """A file that is refused once a card of it has no end, or nests without end, which would take
    memory without end.

    Brackets in texts count as well: they come in pairs, and ``DEPTH`` leaves room for others.
    """

    def __init__(self, file: Peekable) -> None:
        self.file, self.depth, self.cards, self.size = file, 0, 0, 0

    def read(self, size: int = -1) -> bytes:
        data = self.file.read(size)
        opened, closed = data.count(b"[") + data.count(b"{"), data.count(b"]") + data.count(b"}")
        self.depth += opened - closed
        self.size += len(data)
        if self.depth > DEPTH:
            raise BrokenCardFile(
                "The file is nested without end, as no list of cards is. Nothing was changed."
            )
        if self.size > CARD_MAX:
            raise BrokenCardFile(
                f"Card {self.cards + 1} is larger than {CARD_MAX // 1_000_000} MB, as no card is. "
                f"Nothing was changed."
            )
        return data

    def next_card(self) -> None:
        self.cards, self.size = self.cards + 1, 0


def import_cards(records: Iterable[Any], counts: Counts | None = None) -> Counts:
    """Store cards, or bring those that are known up to date; all or nothing.

    A card is known by its ``oracle_id``, else by its name if no card of the file has that row.
    """
    counts = counts or Counts()
    read_types = extractor().of
    seen: set[UUID] = set()
    usable = _usable(records, counts, seen)
    with transaction.atomic():
        type_keys = _type_keys()
        is_first = not Card.objects.exists()
        while batch := list(islice(usable, BATCH)):
            if not is_first:
                _take_over_namesakes([card for card, _ in batch], seen)
            _store(batch, read_types, type_keys, is_first)
            counts.imported += len(batch)
        if not counts.imported:
            raise BrokenCardFile("There is no card in this file that can be used.")
    return counts


def _usable(
    records: Iterable[Any], counts: Counts, seen: set[UUID]
) -> Iterator[tuple[Card, list[Face]]]:
    for number, record in enumerate(records, 1):
        try:
            if _is_left_out(record):
                counts.left_out += 1
                continue
            card, faces = read_card(record)
            if card.oracle_id in seen:
                raise ValueError("its oracle_id is there twice")
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            name = record.get("name") if isinstance(record, dict) else None
            why = f"{error.args[0]} is missing" if isinstance(error, KeyError) else error
            counts.add_problem(f"card {number} ({str(name)[:80]}): {why}")
            continue
        seen.add(card.oracle_id)
        yield card, faces


def _is_left_out(record: Any) -> bool:
    types = cards.card_types(record.get("type_line") or "")
    return (
        record["layout"] in LEFT_OUT_LAYOUTS
        or bool(types & LEFT_OUT_TYPES)
        or (record["layout"] == "meld" and _is_meld_result(record, types))
    )


def _is_meld_result(record: dict[str, Any], types: frozenset[str]) -> bool:
    """Whether it is what two cards become: unlike those it costs nothing and is no land."""
    return not record.get("mana_cost") and "Land" not in types


def read_card(record: dict[str, Any]) -> tuple[Card, list[Face]]:
    """Return the card of a record of Scryfall's ``oracle_cards``, not saved, and its faces.

    :raises KeyError, TypeError, ValueError: if a field is missing or of another kind.
    """
    name = _text(record, "name")
    faces = [
        Face(_text(part, "name"), _text(part, "type_line", ""), _text(part, "oracle_text", ""))
        for part in record.get("card_faces") or [record]
    ]
    front, *backs = faces
    is_creature = cards.is_creature(front.type_line)
    is_legendary = cards.is_legendary(front.type_line)
    texts = [face.oracle_text for face in faces]
    card = Card(
        oracle_id=UUID(record["oracle_id"]),
        name=name,
        key=_key(name),
        front_key=_key(front.name if backs else name),
        layout=_text(record, "layout")[:30],
        type_line=_text(record, "type_line"),
        mana_cost=_mana_cost(record),
        mana_value=_number(record.get("cmc", 0)),
        vintage=Legality(record["legalities"]["vintage"]),
        legacy=Legality(record["legalities"]["legacy"]),
        reserved=record.get("reserved") is True,
        is_creature=is_creature,
        is_land=cards.is_land(front.type_line),
        is_basic=cards.is_basic(front.type_line),
        is_legendary=is_legendary,
        has_legendary_back=any(cards.is_legendary(face.type_line) for face in backs),
        can_lead=is_legendary
        and (is_creature or cards.is_creature_outside_the_battlefield(front.oracle_text)),
        copies=next(filter(None, map(cards.copies_allowed, texts)), None),
        is_conspiracy=cards.is_conspiracy(front.type_line),
        uses_ante=any(map(cards.uses_ante, texts)),
        uses_stickers=any(
            cards.uses_stickers_or_attractions(face.oracle_text, face.type_line) for face in faces
        ),
    )
    return card, faces


def _text(record: dict[str, Any], field: str, default: str | None = None) -> str:
    value = record[field] if default is None else record.get(field, default)
    if not isinstance(value, str) or "\0" in value:
        raise ValueError(f"{field} is no text")
    if field in ("name", "type_line") and len(value) > NAME_MAX:
        raise ValueError(f"{field} is longer than {NAME_MAX} characters")
    if field == "name" and not value.strip():
        raise ValueError("name is empty")
    return value


def _key(name: str) -> str:
    key = name_key(name)
    if not key:
        raise ValueError("name has nothing to be found by")
    if len(key) > NAME_MAX:
        raise ValueError(f"name in plain letters is longer than {NAME_MAX} characters")
    return key


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise ValueError("cmc is no number")
    if not 0 <= value <= 10_000_000:  # an Un-card costs a million
        raise ValueError("cmc is out of range")
    return float(value)


def _mana_cost(record: dict[str, Any]) -> str:
    front, *_ = record.get("card_faces") or [record]
    return (_text(record, "mana_cost", "") or _text(front, "mana_cost", ""))[:100]


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
    """Let new cards have the rows of their names, and all that is attached to those.

    The oldest row of a name, which look-ups find, is the one taken.
    """
    known = Card.objects.filter(oracle_id__in=[card.oracle_id for card in batch])
    known_ids = set(known.values_list("oracle_id", flat=True))
    new = {card.key: card.oracle_id for card in batch if card.oracle_id not in known_ids}
    namesakes = Card.objects.filter(key__in=new).only("oracle_id", "key").order_by("-pk")
    rows = {row.key: row for row in namesakes if row.oracle_id not in seen}
    for key, row in rows.items():
        row.oracle_id = new[key]
    Card.objects.bulk_update(rows.values(), ["oracle_id"])


def _store(
    batch: Sequence[tuple[Card, list[Face]]],
    read_types: Callable[[Sequence[Face]], Affiliations],
    type_keys: dict[str, int],
    is_first: bool,
) -> None:
    found = {card.oracle_id: read_types(faces) for card, faces in batch}
    for card, _ in batch:
        card.every_type = found[card.oracle_id].every
    overridden = {} if is_first else _overridden([card for card, _ in batch])
    for card, _ in batch:
        if card.oracle_id in overridden:
            card.every_type = overridden[card.oracle_id]
    Card.objects.bulk_create([card for card, _ in batch], **({} if is_first else UPDATE))
    if not is_first:
        CardFace.objects.filter(card__in=[card for card, _ in batch]).delete()
        kept = [card for card, _ in batch if card.oracle_id not in overridden]
        Affiliation.objects.filter(card__in=kept).delete()
    CardFace.objects.bulk_create(
        CardFace(
            card_id=card.pk,
            position=position,
            name=face.name,
            type_line=face.type_line,
            oracle_text=face.oracle_text,
        )
        for card, faces in batch
        for position, face in enumerate(faces)
    )
    read = {card.pk: found[card.oracle_id] for card, _ in batch if card.oracle_id not in overridden}
    _affiliate(read, type_keys)


def _overridden(batch: Sequence[Card]) -> dict[UUID, bool]:
    """Return the cards whose affiliations an editor settled, and whether to every type."""
    rows = Card.objects.filter(oracle_id__in=[card.oracle_id for card in batch])
    return dict(rows.exclude(override_reason="").values_list("oracle_id", "every_type"))


def read_again(creature_type: CreatureType) -> int:
    """Read the affiliations of all cards anew that print a creature type; return how many.

    Cards that an editor settled stay as they are.
    """
    forms = [creature_type.name, creature_type.plural, *plurals(creature_type.name)]
    prints = Q()
    for form in filter(None, forms):
        prints |= Q(type_line__contains=form) | Q(oracle_text__contains=form)
    printing = CardFace.objects.filter(prints).values("card")
    found = Card.objects.filter(pk__in=printing, override_reason="").prefetch_related("faces")
    read_types, type_keys = extractor().of, _type_keys()
    count = 0
    with transaction.atomic():
        cards_read = found.iterator(chunk_size=BATCH)
        while batch := list(islice(cards_read, BATCH)):
            count += len(batch)
            faces = {card.pk: map(_as_read, card.faces.all()) for card in batch}
            _settle({key: read_types([*some]) for key, some in faces.items()}, type_keys)
    return count


def override(card: Card, types: Affiliations, reason: str) -> None:
    """Settle a card's affiliations as an editor sees them; without a reason its text counts."""
    with transaction.atomic():
        card.override_reason = reason
        card.save(update_fields=["override_reason"])
        if not reason:
            types = extractor().of([_as_read(face) for face in card.faces.all()])
        _settle({card.pk: types}, _type_keys())


def _as_read(face: CardFace) -> Face:
    return Face(face.name, face.type_line, face.oracle_text)


def _settle(found: Mapping[int, Affiliations], type_keys: dict[str, int]) -> None:
    """Give cards, by their keys, the affiliations found."""
    for every in (False, True):
        keys = [key for key, types in found.items() if types.every is every]
        Card.objects.filter(pk__in=keys).update(every_type=every)
    Affiliation.objects.filter(card__in=found).delete()
    _affiliate(found, type_keys)


def _affiliate(found: Mapping[int, Affiliations], type_keys: dict[str, int]) -> None:
    Affiliation.objects.bulk_create(
        Affiliation(card_id=key, creature_type_id=type_keys[name])
        for key, types in found.items()
        for name in sorted(types.types)
    )


def _type_keys() -> dict[str, int]:
    return dict(CreatureType.objects.values_list("name", "pk"))
