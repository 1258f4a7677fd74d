"""Heroes by the names that people type, with the types that decks around them can have."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from django.conf import settings
from rapidfuzz import fuzz, process

from ..models import Card
from ..pictures.addresses import Picture
from ..rules.deck import NOT_HUMAN
from ..rules.names import name_key
from .known import Catalogue, KnownCard
from .memory import find_cards

SUGGESTIONS_MAX = 8
OFFERS_MAX = 4
SIMILAR_ENOUGH = 60  # from 0 to 100, as rapidfuzz scores


class Hero(NamedTuple):
    """A card that was named as the hero; ``types`` are those that a deck around it can have."""

    name: str
    can_lead: bool
    types: Sequence[str]


def find_hero(name: str, catalogue: Catalogue) -> Hero | None:
    card = catalogue.find([name]).get(name)
    return _hero(card, catalogue) if card else None


def _hero(card: KnownCard, catalogue: Catalogue) -> Hero:
    types = catalogue.types if card.every_type else sorted(card.types)
    return Hero(card.name, card.can_lead, [name for name in types if name != NOT_HUMAN])


def heroes(names: Collection[str], catalogue: Catalogue) -> list[Hero]:
    """Return the heroes with these names, as cards print them, in this order."""
    cards = catalogue.find(names)
    named = [cards[name] for name in names if name in cards and cards[name].name == name]
    return [_hero(card, catalogue) for card in named if card.can_lead]


def similar_heroes(name: str) -> list[str]:
    """Return heroes whose names contain all these words, else those most similar. One query."""
    heroes = dict(Card.objects.filter(can_lead=True).order_by("key").values_list("key", "name"))
    return [heroes[key] for key in suggestions(name_key(name), list(heroes))]


def offers(text: str, catalogue: Catalogue) -> list[Hero]:
    return heroes(similar_heroes(text)[:OFFERS_MAX], catalogue)


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


def art(names: Collection[str]) -> dict[str, Picture]:
    """Return the pictures of those heroes that have art, by name. No query without pictures."""
    if settings.CARD_PICTURES == "none" or not any(names):
        return {}
    cards = find_cards([name for name in names if name])
    fronts = {name: card.pictures[0] for name, card in cards.items() if card.pictures}
    return {name: picture for name, picture in fronts.items() if picture.art}
