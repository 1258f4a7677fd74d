"""The addresses of the pictures of cards, from the source that the site's owner chose."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

from django.conf import settings
from django.urls import reverse

from ..models import CardFace
from . import folder

DIGITS = 12  # of the hash that stands for an address

Addresses = Callable[[str, UUID, int, str], str]


@dataclass(frozen=True, slots=True)
class Picture:
    """The picture of a face by size; ``art`` is "" without an artist to name beside it."""

    name: str
    small: str
    normal: str
    art: str = ""
    artist: str = ""


def of_cards(rows: Collection[int]) -> dict[int, tuple[Picture, ...]]:
    """Return the pictures of cards by primary key, the front first.

    One query; none on a site without pictures.
    """
    if settings.CARD_PICTURES == "none":
        return {}
    fields = ("card", "card__oracle_id", "card__name", "position", "name", "pictures", "artist")
    faces = CardFace.objects.filter(card__in=rows).order_by("card", "position")
    pictures: dict[int, list[Picture]] = defaultdict(list)
    names = {}
    for row, card, name, position, face, stored, artist in faces.values_list(*fields):
        names[row] = name
        if picture := _picture(face, card, position, stored or {}, artist):
            pictures[row].append(picture)
    return {row: _named(names[row], shown) for row, shown in pictures.items()}


def _named(name: str, pictures: Sequence[Picture]) -> tuple[Picture, ...]:
    """Return the pictures of a card; a single one shows the whole card."""
    if len(pictures) > 1:
        return tuple(pictures)
    (only,) = pictures
    return (Picture(name, only.small, only.normal, only.art, only.artist),)


def _picture(
    name: str, card: UUID, position: int, stored: Mapping[str, str], artist: str
) -> Picture | None:
    address = ADDRESSES[settings.CARD_PICTURES]
    small, normal, art = (
        address(size, card, position, stored.get(size, "")) for size in folder.SIZES
    )
    if not (small or normal):
        return None
    return Picture(name, small or normal, normal or small, art if artist else "", artist)


def is_of_source(address: str) -> bool:
    return address.startswith(f"{settings.CARD_PICTURES_SOURCE}/")


def version(address: str) -> str:
    """Return what stands for an address in ours: with another address ours changes, too."""
    return sha256(address.encode()).hexdigest()[:DIGITS]


def _at_source(size: str, card: UUID, position: int, stored: str) -> str:
    return stored if is_of_source(stored) else ""


def _in_cache(size: str, card: UUID, position: int, stored: str) -> str:
    if not is_of_source(stored):
        return ""
    return reverse("card_picture", args=[size, card, position, version(stored)])


def _in_folder(size: str, card: UUID, position: int, stored: str) -> str:
    path = folder.find(size, card, position)
    if path is None:
        return ""
    changed = str(int(path.stat().st_mtime))
    return reverse("card_picture", args=[size, card, position, changed])


ADDRESSES: Mapping[str, Addresses] = {
    "scryfall": _at_source,
    "cache": _in_cache,
    "folder": _in_folder,
}
