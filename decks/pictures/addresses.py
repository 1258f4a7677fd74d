"""The addresses of the pictures of cards, from the source that the site's owner chose."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, replace
from hashlib import sha256
from uuid import UUID

from django.conf import settings
from django.urls import reverse

from ..models import CardFace
from . import folder

DIGITS = 12  # of the hash that stands for an address


@dataclass(frozen=True, slots=True)
class Picture:
    """The picture of a face by size; ``art`` is "" without an artist to name beside it."""

    name: str
    small: str
    normal: str
    art: str = ""
    artist: str = ""


def of_cards(rows: Collection[int]) -> dict[int, tuple[Picture, ...]]:
    """Return the pictures of cards by primary key, the front first. One query at most."""
    if settings.CARD_PICTURES == "none":
        return {}
    fields = ("card", "card__oracle_id", "card__name", "position", "name", "pictures", "artist")
    faces = CardFace.objects.filter(card__in=rows).order_by("card", "position")
    pictures: dict[int, list[Picture]] = defaultdict(list)
    names = {}
    for row, card, name, position, face, stored, artist in faces.values_list(*fields):
        names[row] = name
        small, normal, art = (
            _address(size, card, position, (stored or {}).get(size, "")) for size in folder.SIZES
        )
        if small or normal:
            art = art if artist else ""
            pictures[row].append(Picture(face, small or normal, normal or small, art, artist))
    for row, shown in pictures.items():
        if len(shown) == 1:  # it shows the whole card
            pictures[row] = [replace(shown[0], name=names[row])]
    return {row: tuple(shown) for row, shown in pictures.items()}


def is_of_source(address: str) -> bool:
    return address.startswith(f"{settings.CARD_PICTURES_SOURCE}/")


def version(address: str) -> str:
    """Return what stands for an address in ours: with another address ours changes, too."""
    return sha256(address.encode()).hexdigest()[:DIGITS]


def _address(size: str, card: UUID, position: int, stored: str) -> str:
    """Return where a page finds a picture, "" if there is none; ``stored`` is its source's."""
    if settings.CARD_PICTURES == "folder":
        path = folder.find(size, card, position)
        changed = int(path.stat().st_mtime) if path else 0
        return reverse("card_picture", args=[size, card, position, changed]) if path else ""
    if settings.CARD_PICTURES == "scryfall" or not is_of_source(stored):
        return stored if is_of_source(stored) else ""
    return reverse("card_picture", args=[size, card, position, version(stored)])
