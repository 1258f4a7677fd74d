"""What the deck check needs to know about a card, read from its type line and its text."""

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
    word = match[1]
    if word is None:
        return ANY_NUMBER
    if word.isdecimal():
        return int(word)
    return _NUMBERS.index(word) + 1 if word in _NUMBERS else None


def is_creature_outside_the_battlefield(oracle_text: str) -> bool:
    """Return whether a card's text makes it a creature outside the battlefield, like Grist's."""
    return _CREATURE_ELSEWHERE.search(rules_text(oracle_text)) is not None


def uses_ante(oracle_text: str) -> bool:
    return _ANTE.search(rules_text(oracle_text)) is not None


def uses_stickers_or_attractions(oracle_text: str, type_line: str) -> bool:
    """Return whether a card uses stickers or Attractions. Tickets alone bring in neither."""
    if "Attraction" in type_line.split():
        return True
    return _STICKER_OR_ATTRACTION.search(rules_text(oracle_text)) is not None
