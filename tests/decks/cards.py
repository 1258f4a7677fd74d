"""Small cards of our own making, in the shape of Scryfall's records."""

from typing import Any
from uuid import NAMESPACE_URL, uuid5

from decks.catalogue.importing import import_cards
from decks.models import Card


def record(
    name: str, type_line: str = "Creature — Elf", text: str = "", **fields: Any
) -> dict[str, Any]:
    """Return a card as Scryfall describes it.

    ``legalities`` says what differs from being legal; other ``fields`` are taken as they are.
    """
    legalities = {"vintage": "legal", "legacy": "legal", **fields.pop("legalities", {})}
    return {
        "oracle_id": str(uuid5(NAMESPACE_URL, name)),
        "name": name,
        "layout": "normal",
        "type_line": type_line,
        "oracle_text": text,
        "mana_cost": "{G}",
        "cmc": 1.0,
        "reserved": False,
        "legalities": legalities,
        **fields,
    }


def face(name: str, type_line: str = "Creature", text: str = "", **fields: Any) -> dict[str, Any]:
    return {"name": name, "type_line": type_line, "oracle_text": text, **fields}


def given(*records: dict[str, Any]) -> list[Card]:
    """Import records, and return their cards in that order."""
    import_cards(records)
    found = {card.name: card for card in Card.objects.all()}
    return [found[one["name"]] for one in records]


def card(name: str, type_line: str = "Creature — Elf", text: str = "", **legalities: str) -> Card:
    """Import one card: ``card("Black Lotus", "Artifact", legacy="banned")``."""
    return given(record(name, type_line, text, legalities=legalities))[0]
