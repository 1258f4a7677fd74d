"""The affiliations of the cards that saved decks have, and what an import did to them."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..models import Card
from ..queries import cards_in_decks, latest_lines
from .known import with_types

ALL = "all types"

Types = Mapping[int, Sequence[str]]  # by the primary key of a card


def types_in_decks() -> Types:
    cards = Card.objects.filter(pk__in=latest_lines().order_by().values("card"))
    rows = with_types(cards).values_list("pk", "every_type", "type_names")
    return {
        card: [ALL] if every_type else sorted(names.split(",") if names else ())
        for card, every_type, names in rows
    }


def changed_in_decks(before: Types) -> list[dict[str, Any]]:
    """Return the cards whose affiliations are others now, those of the most decks first."""
    after = types_in_decks()
    counted = cards_in_decks().values_list("card", "card__name", "decks")
    changed = [
        {"card": name, "decks": decks, "before": before[card], "after": after[card]}
        for card, name, decks in counted
        if card in before and before[card] != after[card]
    ]
    return sorted(changed, key=lambda row: (-row["decks"], row["card"]))
