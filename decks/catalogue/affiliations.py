"""The affiliations that the catalogue stores: read from cards' texts, or set by an editor."""

from collections.abc import Iterable, Mapping
from itertools import islice

from django.db import transaction
from django.db.models import Q

from ..models import POOL, TYPE_MAX, Affiliation, Card, CardFace, CreatureType
from ..rules.affiliations import Affiliations, Extractor, Face
from ..rules.creature_types import plurals

BATCH = 1000  # cards in memory at a time


def extractor() -> Extractor:
    types = CreatureType.objects.filter(is_none=False).values_list("name", "plural")
    return Extractor({name: [plural] if plural else plurals(name) for name, plural in types})


def add_printed_types() -> list[CreatureType]:
    """Add the creature types that only type lines know, and read again who prints them."""
    known = Extractor(dict.fromkeys(CreatureType.objects.values_list("name", flat=True), ()))
    lines = CardFace.objects.filter(card__vintage__in=POOL).values_list("type_line", flat=True)
    names = {
        name
        for line in lines.order_by().distinct()
        for name in known.unknown_on_type_line(line)
        if len(name) <= TYPE_MAX
    }
    new = CreatureType.objects.bulk_create(CreatureType(name=name) for name in sorted(names))
    if new:
        reread(*new)
    return new


def reread(*creature_types: CreatureType) -> int:
    """Read the affiliations of all cards that print some types again, but those an editor set."""
    # Rereading all 30,000 cards would keep the editor waiting.
    forms = {form for one in creature_types for form in (one.name, one.plural, *plurals(one.name))}
    prints = Q()
    for form in filter(None, forms):
        prints |= Q(type_line__contains=form) | Q(oracle_text__contains=form)
    printing = CardFace.objects.filter(prints).values("card")
    cards = Card.objects.filter(pk__in=printing, override_reason="").prefetch_related("faces")
    read_types, keys = extractor().of, type_keys()
    count = 0
    with transaction.atomic():
        remaining = cards.iterator(chunk_size=BATCH)
        while batch := list(islice(remaining, BATCH)):
            count += len(batch)
            _replace({card.pk: read_types(printed(card.faces.all())) for card in batch}, keys)
    return count


def override(card: Card, types: Affiliations, reason: str) -> None:
    """Set a card's affiliations for an editor; without a reason, read them from its text."""
    with transaction.atomic():
        card.override_reason = reason
        card.save(update_fields=["override_reason"])
        if not reason:
            types = extractor().of(printed(card.faces.all()))
        _replace({card.pk: types}, type_keys())


def printed(faces: Iterable[CardFace]) -> list[Face]:
    return [Face(face.name, face.type_line, face.oracle_text) for face in faces]


def _replace(by_card: Mapping[int, Affiliations], keys: dict[str, int]) -> None:
    for every in (False, True):
        cards = [key for key, types in by_card.items() if types.every is every]
        Card.objects.filter(pk__in=cards).update(every_type=every)
    Affiliation.objects.filter(card__in=by_card).delete()
    create(by_card, keys)


def create(by_card: Mapping[int, Affiliations], keys: dict[str, int]) -> None:
    """Store the affiliations of cards that have none; ``keys`` are those of the types."""
    Affiliation.objects.bulk_create(
        Affiliation(card_id=card, creature_type_id=keys[name])
        for card, types in by_card.items()
        for name in sorted(types.types)
    )


def type_keys() -> dict[str, int]:
    return dict(CreatureType.objects.values_list("name", "pk"))
