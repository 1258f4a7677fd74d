"""What the deck check needs to know about a card, read from its type line and its text."""

from __future__ import annotations

import re
from functools import lru_cache

from .oracle_text import rules_text

ANY_NUMBER = 9_999

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

_COPIES = re.compile(r"A deck can have (?:any number of|up to (\w+)) cards named ")
_CREATURE_ELSEWHERE = re.compile(
    r"\bisn't on the battlefield, (?:it's|he's|she's|they're) [^.\n]*\bcreature\b"
)
_ANTE = re.compile(r"\bante[ds]?\b", re.IGNORECASE)
# "Attraction" counts only after a lowercase word, so that the name of Fatal Attraction does not.
_STICKER_OR_ATTRACTION = re.compile(r"\bstickers?\b|\b[a-z]+ [Aa]ttractions?\b")


@lru_cache(maxsize=1024)
def card_types(type_line: str) -> frozenset[str]:
    """Return the supertypes and card types of a face's type line.

    >>> sorted(card_types("Legendary Artifact Creature — Golem"))
    ['Artifact', 'Creature', 'Legendary']
    """
    return frozenset(type_line.partition("—")[0].split())


def is_creature(type_line: str) -> bool:
    """Return whether a type line is a creature's.

    >>> is_creature("Artifact Creature — Wall"), is_creature("Kindred Instant — Elf")
    (True, False)
    """
    return "Creature" in card_types(type_line)


def is_land(type_line: str) -> bool:
    """Return whether a type line is a land's.

    >>> is_land("Land Creature — Forest Dryad"), is_land("Enchantment — Aura")
    (True, False)
    """
    return "Land" in card_types(type_line)


def is_basic(type_line: str) -> bool:
    """Return whether a type line is a basic card's.

    >>> is_basic("Basic Snow Land — Swamp"), is_basic("Land — Swamp Forest")
    (True, False)
    """
    return "Basic" in card_types(type_line)


def is_legendary(type_line: str) -> bool:
    """Return whether a type line is a legendary card's.

    >>> is_legendary("Legendary Planeswalker — Jace"), is_legendary("Creature — Elf")
    (True, False)
    """
    return "Legendary" in card_types(type_line)


def is_conspiracy(type_line: str) -> bool:
    """Return whether a type line is a conspiracy's.

    >>> is_conspiracy("Conspiracy"), is_conspiracy("Enchantment")
    (True, False)
    """
    return "Conspiracy" in card_types(type_line)


def copies_allowed(oracle_text: str) -> int | None:
    """Return how many copies a card's own text allows in a deck, or None if it sets no limit.

    >>> copies_allowed("A deck can have any number of cards named Ant.") == ANY_NUMBER
    True
    >>> copies_allowed("A deck can have up to seven cards named Ant.")
    7
    >>> copies_allowed("Search your library for up to three cards named Ant.") is None
    True
    """
    match = _COPIES.search(rules_text(oracle_text))
    if match is None:
        return None
    return ANY_NUMBER if match[1] is None else _number(match[1])


def is_creature_outside_the_battlefield(oracle_text: str) -> bool:
    """Return whether a card's text makes it a creature outside the battlefield, like Grist's.

    >>> is_creature_outside_the_battlefield(
    ...     "As long as Ant isn't on the battlefield, it's a 1/1 Insect creature."
    ... )
    True
    """
    return _CREATURE_ELSEWHERE.search(rules_text(oracle_text)) is not None


def uses_ante(oracle_text: str) -> bool:
    """Return whether a card refers to playing for ante.

    >>> uses_ante("Each player antes a card."), uses_ante("Search the antechamber.")
    (True, False)
    """
    return _ANTE.search(rules_text(oracle_text)) is not None


def uses_stickers_or_attractions(oracle_text: str, type_line: str) -> bool:
    """Return whether a card uses stickers or Attractions. Tickets alone bring in neither.

    >>> uses_stickers_or_attractions("When this creature enters, open an Attraction.", "Creature")
    True
    >>> uses_stickers_or_attractions("You get {TK}.", "Creature")
    False
    """
    if "Attraction" in type_line.split():
        return True
    return _STICKER_OR_ATTRACTION.search(rules_text(oracle_text)) is not None


def _number(word: str) -> int | None:
    if word.isdecimal():
        return int(word)
    return _NUMBERS.index(word) + 1 if word in _NUMBERS else None
