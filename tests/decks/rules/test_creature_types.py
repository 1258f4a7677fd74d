"""The list of creature types that a site starts with, and their plurals."""

import pytest

from decks.rules.creature_types import TYPES, objection, plurals, with_plurals


def test_list_has_each_type_once_and_sorted():
    assert len(TYPES) == 316
    assert list(TYPES) == sorted(set(TYPES))


def test_words_that_are_no_creature_types_are_not_on_the_list():
    assert {"Forest", "Saga", "Equipment", "Vehicle", "Food", "Grist", "Townsfolk"}.isdisjoint(
        TYPES
    )


@pytest.mark.parametrize(
    ("name", "plural"),
    [
        ("Goblin", "Goblins"),
        ("Monkey", "Monkeys"),
        ("Fox", "Foxes"),
        ("Leech", "Leeches"),
        ("Ally", "Allies"),
        ("Elf", "Elves"),
        ("Hero", "Heroes"),
        ("Mouse", "Mice"),
        ("Ox", "Oxen"),
        ("Cyberman", "Cybermen"),
        ("Human", "Humans"),
        ("Merfolk", "Merfolk"),
        ("Moonfolk", "Moonfolk"),
    ],
)
def test_plural_is_spelled_as_cards_print_it(name, plural):
    assert plurals(name)[0] == plural


def test_type_that_an_editor_adds_has_the_regular_plural():
    assert with_plurals(["Quokka", "Sky Fairy"]) == {
        "Quokka": ("Quokkas",),
        "Sky Fairy": ("Sky Fairies",),
    }


def test_no_form_belongs_to_two_types():
    forms = [form for name, more in with_plurals(TYPES).items() for form in {name, *more}]

    assert len(forms) == len(set(forms))


@pytest.mark.parametrize("name", TYPES)
def test_no_type_of_the_rules_is_objected_to(name):
    assert [objection(form) for form in (name, *plurals(name))] == [""] * (1 + len(plurals(name)))
