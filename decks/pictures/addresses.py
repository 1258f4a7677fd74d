"""The addresses of the pictures of cards, from the source that the site's owner chose."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
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
    address = ADDRESSES[settings.CARD_PICTURES]
    pictures: dict[int, list[Picture]] = defaultdict(list)
    names = {}
    for row, card, name, position, face, stored, artist in faces.values_list(*fields):
        names[row] = name
        small, normal, art = (
            address(size, card, position, (stored or {}).get(size, "")) for size in folder.SIZES
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
