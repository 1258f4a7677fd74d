"""What people type into the finder, turned into heroes and creature types of the catalogue."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from rapidfuzz import fuzz, process

from ..catalogue.known import with_types
from ..models import Card
from ..rules.deck import NOT_HUMAN
from ..rules.names import name_key

SUGGESTIONS_MAX = 8
OFFERS_MAX = 4
SIMILAR_ENOUGH = 60  # from 0 to 100, as rapidfuzz scores


@dataclass(frozen=True)
class Hero:
    """A card that was named as the hero; ``types`` are those that a deck around it can have."""

    name: str
    can_lead: bool
    types: Sequence[str]


def find_hero(name: str, all_types: Sequence[str]) -> Hero | None:
    """Return the card with a name or a front face, as people write them. One query."""
    key = name_key(name)
    cards = list(with_types(Card.objects.filter(Q(key=key) | Q(front_key=key)).order_by("pk")))
    if not cards:
        return None
    # A front face can be the whole name of another card: prefer that card, then one that can lead.
    return _hero(min(cards, key=lambda card: (card.key != key, not card.can_lead)), all_types)


def _hero(card: Any, all_types: Sequence[str]) -> Hero:
    printed = sorted(card.type_names.split(",")) if card.type_names else []
    types = all_types if card.every_type else printed
    return Hero(card.name, card.can_lead, [name for name in types if name != NOT_HUMAN])


def heroes(names: Sequence[str], all_types: Sequence[str]) -> list[Hero]:
    """Return the heroes with these names, as cards print them, in this order. One query."""
    cards = with_types(Card.objects.filter(name__in=names, can_lead=True).order_by("-pk"))
    by_name = {card.name: _hero(card, all_types) for card in cards}
    return [by_name[name] for name in names if name in by_name]


def similar_heroes(name: str) -> list[str]:
    """Return heroes whose names contain all these words, else those most similar. One query."""
    heroes = dict(Card.objects.filter(can_lead=True).order_by("key").values_list("key", "name"))
    return [heroes[key] for key in suggestions(name_key(name), list(heroes))]


def offers(text: str, all_types: Sequence[str]) -> list[Hero]:
    """Return a few heroes that somebody who types this may mean, with their types. Two queries."""
    return heroes(similar_heroes(text)[:OFFERS_MAX], all_types)


def suggestions(text: str, names: Sequence[str]) -> list[str]:
    """Return the names that contain all words of a text, else the most similar ones.

    >>> suggestions("gob", ["Goblin", "Hobgoblin", "Elf"]), suggestions("elv", ["Goblin", "Elf"])
    (['Goblin', 'Hobgoblin'], ['Elf'])
    """
    words = text.casefold().split()
    containing = [name for name in names if all(word in name.casefold() for word in words)]
    if words and containing:
        start_first = sorted(containing, key=lambda name: not name.casefold().startswith(words[0]))
        return start_first[:SUGGESTIONS_MAX]
    similar = process.extract(
        text,
        names,
        scorer=fuzz.ratio,
        processor=str.casefold,
        limit=SUGGESTIONS_MAX,
        score_cutoff=SIMILAR_ENOUGH,
    )
    return [name for name, _, _ in similar]
