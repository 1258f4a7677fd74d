"""What is read from the names, types and texts of cards, and from lists of bans."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks.reading import ban_lines
from decks.rules import cards
from decks.rules.cards import ANY_NUMBER
from decks.rules.creature_types import TYPES, objection, plurals
from decks.rules.names import name_key


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


# --- names ---
@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("  LIGHTNING \t bolt ", "lightning bolt"),
        ("Lightning\u00a0Bolt", "lightning bolt"),
        ("Light\u200bning Bolt", "lightning bolt"),
        ("Jo\u0308tun Grunt", "jotun grunt"),
        ("Æther Vial", "aether vial"),
        ("æther vial", "aether vial"),
        ("Cœur", "coeur"),
        ("Smørrebrød", "smorrebrod"),
        ("Urza’s Saga", "urzas saga"),
        ("Urza‘s Saga", "urzas saga"),
        ("Urza´s Saga", "urzas saga"),
        ("Urza`s Saga", "urzas saga"),
        ("Urzaʼs Saga", "urzas saga"),
        ("Urza′s Saga", "urzas saga"),
        ("Urza＇s Saga", "urzas saga"),
        ("Kongming, “Sleeping Dragon”", 'kongming, "sleeping dragon"'),
        ("Sol‑Ring", "sol-ring"),
        ("Sol–Ring", "sol-ring"),
        ("Sol—Ring", "sol-ring"),
        ("Sol−Ring", "sol-ring"),
        ("Fire /// Ice", "fire/ice"),
        ("Who // What // When", "who/what/when"),
        ("R&D's Secret Lair", "r&ds secret lair"),
        ("", ""),
    ],
)
def test_name_is_compared_without_what_people_type_differently(written, key):
    assert name_key(written) == key


def test_other_punctuation_keeps_names_apart():
    names = ["Sol Ring", "Sol-Ring", "Sol, Ring", "Sol: Ring", "SolRing", "Sol Ring!"]

    assert len({name_key(name) for name in names}) == len(names)


@given(st.text())
def test_key_of_a_key_is_itself(name):
    key = name_key(name)

    assert name_key(key) == key


# --- creature types ---
def test_list_has_each_type_once_and_sorted():
    assert len(TYPES) == 316
    assert list(TYPES) == sorted(set(TYPES))


def test_no_form_belongs_to_two_types():
    forms = [form for name in TYPES for form in {name, *plurals(name)}]

    assert len(forms) == len(set(forms))


@pytest.mark.parametrize("name", TYPES)
def test_no_type_of_the_rules_is_objected_to(name):
    assert [objection(form) for form in (name, *plurals(name))] == [""] * (1 + len(plurals(name)))


# --- bans as people write them ---
@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("Balance", ("Balance", "banned", "")),
        ("- Balance", ("Balance", "banned", "")),
        ("1 Balance", ("Balance", "banned", "")),
        ("Lightning Bolt: legal", ("Lightning Bolt", "legal", "")),
        ("Lightning Bolt: Unbanned", ("Lightning Bolt", "legal", "")),
        ("Balance: banned: Too strong.", ("Balance", "banned", "Too strong.")),
        ("Balance – banned – Too strong.", ("Balance", "banned", "Too strong.")),
        ("Balance | watched | Seen often", ("Balance", "watched", "Seen often")),
        ("Balance — Too strong.", ("Balance", "banned", "Too strong.")),
        ("Circle of Protection: Red", ("Circle of Protection: Red", "banned", "")),
        ("Circle of Protection: Red: allowed", ("Circle of Protection: Red", "allowed", "")),
        ("Fire // Ice", ("Fire // Ice", "banned", "")),
        ("Will-o'-the-Wisp", ("Will-o'-the-Wisp", "banned", "")),
    ],
)
def test_a_line_says_what_the_list_does_with_a_card(line, found):
    assert [(one.name, one.status, one.reason) for one in ban_lines.read(line)] == [found]


def test_lines_without_a_status_have_that_of_the_heading_above():
    text = "Balance\n\n## Watch list (2)\nChannel\nOx: legal\n\n**Allowed:**\nElk\n# a note\n"

    found = [(line.number, line.name, line.status) for line in ban_lines.read(text)]

    assert found == [
        (1, "Balance", "banned"),
        (4, "Channel", "watched"),
        (5, "Ox", "legal"),
        (8, "Elk", "allowed"),
    ]
