"""What a deck's judge needs to know of a card."""

import pytest

from decks.rules import cards
from decks.rules.cards import ANY_NUMBER


def test_subtype_is_no_card_type():
    assert cards.card_types("Enchantment — Land") == {"Enchantment"}


@pytest.mark.parametrize(
    ("text", "copies"),
    [
        ("Flying\nA deck can have any number of cards named Tiny Gnat.", ANY_NUMBER),
        ("A deck can have up to 12 cards named Tiny Gnat.", 12),
        ("(A deck can have up to nine cards named Tiny Gnat.)", None),
        ("A deck can have only one card named Tiny Gnat.", None),
    ],
)
def test_copies_are_as_many_as_the_text_allows(text, copies):
    assert cards.copies_allowed(text) == copies


@pytest.mark.parametrize(
    ("text", "elsewhere"),
    [
        ("As long as Gnat isn't on the battlefield, it's a 1/1 Insect creature.", True),
        ("As long as Gnat isn’t on the battlefield, it’s a 1/1 Insect creature.", True),
        ("Creature cards you own that aren't on the battlefield have flash.", False),
        ("Each Elf creature card you own that isn't on the battlefield has madness.", False),
        ("Gnat is every creature type (even if this card isn't on the battlefield).", False),
        ("This land becomes a 2/2 creature until end of turn.", False),
    ],
)
def test_card_is_a_creature_outside_the_battlefield_only_if_it_says_so(text, elsewhere):
    assert cards.is_creature_outside_the_battlefield(text) is elsewhere


@pytest.mark.parametrize(
    ("text", "ante"),
    [
        ("{T}: Ante this card.", True),
        ("Ponder in the antechamber of Dante.", False),
        ("(This was once played for ante.)", False),
    ],
)
def test_ante_is_recognised_by_the_word(text, ante):
    assert cards.uses_ante(text) is ante


@pytest.mark.parametrize(
    ("text", "type_line", "uses"),
    [
        ("Open two Attractions.", "Sorcery", True),
        ("Roll to visit your Attractions.", "Sorcery", True),
        ("You may put a sticker on it.", "Creature — Clown", True),
        ("Put up to two name stickers on it.", "Artifact", True),
        ("Visit — Draw a card.", "Artifact — Attraction", True),
        ("When Lethal Attraction enters, it deals 3 damage.", "Enchantment — Aura", False),
        (
            "This creature has menace as long as you control a stickered permanent.",
            "Creature",
            False,
        ),
        ("Draw a card. (Stickers stay on it, and so does a sticker.)", "Instant", False),
    ],
)
def test_stickers_and_attractions_are_recognised_by_text_or_type(text, type_line, uses):
    assert cards.uses_stickers_or_attractions(text, type_line) is uses
