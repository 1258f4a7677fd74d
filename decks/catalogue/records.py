"""Records of Scryfall's ``oracle_cards``: which are left out, and how the others become cards."""

import re
from decimal import Decimal
from typing import Any
from uuid import UUID

from ..models import NAME_MAX, NUMBER_MAX, Card, CardFace, Legality
from ..pictures.folder import SIZES
from ..rules import cards
from ..rules.names import name_key
from ..rules.searched import printed_number

# Layouts and types that are never part of a deck.
LEFT_OUT_LAYOUTS = frozenset(
    "token double_faced_token emblem art_series planar scheme vanguard reversible_card".split()
)
LEFT_OUT_TYPES = frozenset(
    "Card Plane Phenomenon Scheme Vanguard Dungeon Emblem Token Stickers Attraction Contraption "
    "Hero Bounty Theme".split()
)

ADDRESS_MAX = 300  # characters
_ADDRESS = re.compile(r"https?://[!-~]*")  # printable ASCII without blanks

COLORS = "WUBRG"
STATS = ("power", "toughness", "loyalty", "defense")


def is_left_out(record: Any) -> bool:
    types = cards.card_types(record.get("type_line") or "")
    return (
        record["layout"] in LEFT_OUT_LAYOUTS
        or bool(types & LEFT_OUT_TYPES)
        or is_meld_result(record)
    )


def is_meld_result(record: dict[str, Any]) -> bool:
    # Unlike the two cards it has no mana cost, and unlike a land with meld it is not a land.
    is_land = "Land" in cards.card_types(record.get("type_line") or "")
    return record["layout"] == "meld" and not record.get("mana_cost") and not is_land


def read_card(record: dict[str, Any]) -> tuple[Card, list[CardFace]]:
    """:raises KeyError, TypeError, ValueError: if a field is missing or has the wrong type."""
    name = _text(record, "name")
    parts = record.get("card_faces") or [record]
    faces = [read_face(record, part, place) for place, part in enumerate(parts)]
    front, *backs = faces
    types = cards.card_types(front.type_line)
    texts = [face.oracle_text for face in faces]
    card = Card(
        oracle_id=UUID(record["oracle_id"]),
        name=name,
        key=_key(name),
        front_key=_key(front.name if backs else name),
        layout=_text(record, "layout")[:30],
        type_line=_text(record, "type_line"),
        # Cards with two faces have their costs on the faces; split cards also on the whole.
        mana_cost=(_text(record, "mana_cost", "") or front.mana_cost)[:100],
        mana_value=_number(record.get("cmc", 0)),
        identity=_colors(record, "color_identity"),
        keywords=",".join(_texts(record, "keywords")),
        vintage=Legality(record["legalities"]["vintage"]),
        legacy=Legality(record["legalities"]["legacy"]),
        reserved=record.get("reserved") is True,
        is_creature="Creature" in types,
        is_land="Land" in types,
        is_basic="Basic" in types,
        is_legendary="Legendary" in types,
        has_legendary_back=any("Legendary" in cards.card_types(face.type_line) for face in backs),
        can_lead="Legendary" in types
        and ("Creature" in types or cards.is_creature_outside_the_battlefield(front.oracle_text)),
        copies=next(filter(None, map(cards.copies_allowed, texts)), None),  # of any face
        is_conspiracy="Conspiracy" in types,
        uses_ante=any(map(cards.uses_ante, texts)),
        uses_stickers=any(
            cards.uses_stickers_or_attractions(face.oracle_text, face.type_line) for face in faces
        ),
    )
    return card, faces


def read_face(record: dict[str, Any], part: dict[str, Any], position: int) -> CardFace:
    stats = {field: _text(part, field, "")[:NUMBER_MAX] for field in STATS}
    return CardFace(
        position=position,
        name=_text(part, "name"),
        type_line=_text(part, "type_line", ""),
        oracle_text=_text(part, "oracle_text", ""),
        mana_cost=_text(part, "mana_cost", "")[:100],
        # The halves of split cards have no colours of their own.
        colors=_colors(part if "colors" in part else record, "colors"),
        **stats,
        **{f"{field}_value": printed_number(text) for field, text in stats.items()},
        # The record's own picture is that of its first face.
        pictures=_pictures(part) or (None if position else _pictures(record)),
        artist=_words(part, "artist") or ("" if position else _words(record, "artist")),
        flavor_name=_words(part, "flavor_name")
        or ("" if position else _words(record, "flavor_name")),
    )


def _pictures(part: dict[str, Any]) -> dict[str, str] | None:
    """Return the addresses of pictures by size. A card is as good without, so none is refused."""
    addresses = part.get("image_uris")
    if not isinstance(addresses, dict) or part.get("image_status") in ("missing", "placeholder"):
        return None
    texts = {size: str(addresses.get(size)) for size in SIZES}
    return {
        size: text
        for size, text in texts.items()
        if len(text) <= ADDRESS_MAX and _ADDRESS.fullmatch(text)
    } or None


def _words(part: dict[str, Any], field: str) -> str:
    words = part.get(field)
    return words.replace("\0", "")[:NAME_MAX] if isinstance(words, str) else ""


def _text(record: dict[str, Any], field: str, default: str | None = None) -> str:
    value = record[field] if default is None else record.get(field, default)
    if not isinstance(value, str) or "\0" in value:
        raise ValueError(f"{field} is not text")
    if field in ("name", "type_line") and len(value) > NAME_MAX:
        raise ValueError(f"{field} is longer than {NAME_MAX} characters")
    if field == "name" and not value.strip():
        raise ValueError("name is empty")
    return value


def _texts(record: dict[str, Any], field: str) -> list[str]:
    values = record.get(field) or []
    if not isinstance(values, list) or any(
        not isinstance(text, str) or "\0" in text for text in values
    ):
        raise ValueError(f"{field} is not a list of texts")
    return values


def _colors(record: dict[str, Any], field: str) -> str:
    letters = _texts(record, field)
    return "".join(letter for letter in COLORS if letter in letters)


def _key(name: str) -> str:
    key = name_key(name)
    if not key:
        raise ValueError("name has no letter or sign to look it up by")
    if len(key) > NAME_MAX:
        raise ValueError(f"name in plain letters is longer than {NAME_MAX} characters")
    return key


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise ValueError("cmc is not a number")
    if not 0 <= value <= 10_000_000:  # an Un-card costs a million
        raise ValueError("cmc is out of range")
    return float(value)
