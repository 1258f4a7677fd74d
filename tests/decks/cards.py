"""Small cards of our own making, in the shape of Scryfall's bulk file."""

from __future__ import annotations

from typing import Any
from uuid import NAMESPACE_URL, uuid5

from decks.catalogue import import_cards


def record(
    name: str, type_line: str = "Creature — Elf", text: str = "", **more: Any
) -> dict[str, Any]:
    """Return a record of Scryfall's; its ``oracle_id`` follows from its name."""
    return {
        "oracle_id": str(uuid5(NAMESPACE_URL, name)),
        "name": name,
        "layout": "normal",
        "type_line": type_line,
        "oracle_text": text,
        "mana_cost": "",
        "cmc": 0.0,
        "legalities": {"vintage": "legal", "legacy": "legal"},
        "reserved": False,
        **more,
    }


def given(*records: dict[str, Any]) -> None:
    """Import cards."""
    import_cards(records)
