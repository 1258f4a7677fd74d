"""What the formats say of a single card, in sentences for its page."""

from collections.abc import Iterator

from .deck import NOT_HUMAN, Card

MANY = 6  # types that a sentence can name


def sentences(card: Card) -> Iterator[str]:
    """Yield what to know about a card before it goes into a Coalition deck (000, 906.6e).

    >>> list(sentences(Card(name="Ant", is_creature=True, types=frozenset({"Insect"}))))
    ['Up to 4 copies in a deck.', 'It fits decks of the type Insect.']
    >>> list(sentences(Card(name="Bolt")))
    ['1 copy in a deck.', 'It has no affiliation, so it fits decks of every type.']
    """
    if card.can_lead:
        yield "It can be the hero of a deck."
        yield "A deck with another hero may not have it."
    elif card.is_legendary:
        yield "It is legendary and can't be a hero, so no deck may have it."
    if not card.is_legendary:
        limit = card.limit
        if limit is None:
            yield "Any number of copies in a deck."
        else:
            yield "1 copy in a deck." if limit == 1 else f"Up to {limit} copies in a deck."
    if card.has_legendary_back:
        yield "It can turn into a legendary card. The 2026 rules bar it for that."
    names = sorted(card.types - {NOT_HUMAN})
    if card.every_type:
        yield "It has every creature type, so it fits decks of every type."
    elif not card.types:
        yield "It has no affiliation, so it fits decks of every type."
    elif not names:
        yield "It is affiliated with Human alone, which no deck can be built around."
    elif len(names) > MANY:
        yield f"It fits decks of {len(names)} types, its affiliations."
    else:
        yield f"It fits decks of the type {' or '.join(names)}."


def in_leveler(card: Card) -> str:
    """Return what Leveler says of a card (002)."""
    if card.is_basic:
        return "Any number of copies, in each sub-deck."
    return "1 copy in all three sub-decks together."
