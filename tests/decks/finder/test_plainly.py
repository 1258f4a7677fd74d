"""The finder's sets find what looking at each card finds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from decks.finder import search
from decks.finder.search import Fit, Kind, Legal, Search, Sort
from decks.models import POOL, Card

from ..cards import given, record
from ..lists import TODAY, YESTERDAY, coalition

NOT_LEGAL = {"vintage": "not_legal"}


@pytest.fixture
def cards(db: None) -> list[Card]:
    """Cards of each sort, and bans of each sort; two of them have the same name."""
    given(
        record("Llanowar Elves", cmc=1.0),
        record("Goblin Guide", "Creature — Goblin Scout", cmc=1.0),
        record("Elvish Fury", "Instant", "Target Elf gets +4/+4.", cmc=5.0),
        record("Cryptic Cave", "Land", cmc=0.0),
        record("Elvish Grove", "Land Creature — Elf", cmc=0.0),
        record("Éowyn’s Oath", "Sorcery", cmc=3.0),
        record("Lathril", "Legendary Creature — Elf Noble", cmc=4.0),
        record("Kaalia", "Legendary Creature — Human Cleric", "Put an Angel there.", cmc=4.0),
        record("Rose", "Legendary Creature — Human"),
        record("Morophon", "Legendary Creature — Shapeshifter", "Changeling", cmc=7.0),
        record("Changeling", "Creature — Shapeshifter", "Changeling"),
        record("Karn's Vault", "Legendary Land", cmc=0.0),
        record("Silver Elf", legalities=NOT_LEGAL),
        record("Frankie", "Legendary Creature — Elf", legalities=NOT_LEGAL),
        record("Elf Lord", reserved=True),
        record("Elf King", reserved=True),
    )
    twin = Card.objects.get(name="Lathril")
    twin.pk, twin.oracle_id, twin.vintage = None, "0" * 32, "restricted"
    twin.save()
    entries = coalition().entries
    entries.create(rule="reserved-list", starts_on=YESTERDAY)
    entries.create(card=Card.objects.get(name="Elf King"), status="allowed", starts_on=YESTERDAY)
    entries.create(card=Card.objects.get(name="Silver Elf"), status="allowed", starts_on=TODAY)
    entries.create(card=Card.objects.get(name="Goblin Guide"), starts_on=TODAY)
    entries.create(card=Card.objects.get(name="Elvish Fury"), status="watched", starts_on=TODAY)
    return list(Card.objects.order_by("key", "pk").prefetch_related("types"))


ALLOWED, BANNED = {"Elf King", "Silver Elf"}, {"Elf Lord", "Goblin Guide"}


def plainly(cards: list[Card], wanted: Search) -> list[Card]:
    """Return the cards of a search, by looking at each."""
    cards = [card for card in cards if _is_wanted(card, wanted)]
    return sorted(cards, key=lambda card: card.mana_value) if wanted.sort else cards


def _is_wanted(card: Card, wanted: Search) -> bool:
    kinds = {
        Kind.ANY: True,
        Kind.HERO: card.can_lead,
        Kind.CREATURE: card.is_creature,
        Kind.LAND: card.is_land,
        Kind.SPELL: not card.is_creature and not card.is_land,
    }
    is_legal = _is_legal(card) and (not card.is_legendary or _may_lead(card, wanted))
    return (
        kinds[Kind(wanted.kind)]
        and all(word in card.key for word in wanted.name.split())
        and (wanted.legal == Legal.ALL or is_legal)
        and _fits(card, wanted)
    )


def _types(card: Card) -> set[str]:
    return {creature_type.name for creature_type in card.types.all()}


def _is_legal(card: Card) -> bool:
    return (card.vintage in POOL and card.name not in BANNED) or card.name in ALLOWED


def _may_lead(card: Card, wanted: Search) -> bool:
    if wanted.hero:
        return card.name == wanted.hero
    types = set(wanted.types) & _types(card) if wanted.types else _types(card) - {"Human"}
    return card.can_lead and (card.every_type or bool(types))


def _fits(card: Card, wanted: Search) -> bool:
    is_free = not card.every_type and not _types(card)
    is_of_type = card.every_type or bool(set(wanted.types) & _types(card))
    if wanted.fit == Fit.FREE:
        return is_free
    return not wanted.types or is_of_type or (wanted.fit == Fit.BOTH and is_free)


def searches() -> Iterator[Search]:
    """Yield every combination of what can be searched for."""
    some = product(
        ((), ("Elf",), ("Elf", "Goblin", "Nobody")),
        ("", "Lathril", "Kaalia"),
        ("", "el", "elf", "ves l", "zzz"),
        Kind.values,
        Fit.values,
        Legal.values,
        Sort.values,
        (1, 2, 3),
    )
    for types, hero, name, kind, fit, legal, sort, page in some:
        yield Search(
            types=types, hero=hero, name=name, kind=kind, fit=fit, legal=legal, sort=sort, page=page
        )


def test_each_search_finds_what_looking_at_each_card_finds(cards, monkeypatch):
    monkeypatch.setattr(search, "PAGE", 4)

    for wanted in searches():
        found, of_page = search.find(wanted, TODAY), slice((wanted.page - 1) * 4, wanted.page * 4)
        expected = plainly(cards, wanted)
        assert (found.total, [row.card.pk for row in found.rows]) == (
            len(expected),
            [card.pk for card in expected][of_page],
        ), wanted
