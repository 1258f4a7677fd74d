"""The list of creature types that a site starts with, and their plurals."""

import pytest

from decks.rules.creature_types import TYPES, objection, plurals, with_plurals


def test_list_has_each_type_once_and_sorted():
    assert len(TYPES) == 316
    assert list(TYPES) == sorted(set(TYPES))


def test_types_of_two_words_and_with_signs_in_them_are_whole():
    assert {"Time Lord", "Assembly-Worker", "C'tan"} <= set(TYPES)
    assert {"Time", "Lord", "Assembly", "Worker"}.isdisjoint(TYPES)


def test_types_of_2024_to_2026_are_on_the_list():
    newer = {"Bison", "Drix", "Echidna", "Glimmer", "Hedgehog", "Hero", "Kangaroo", "Lemur"}
    newer |= {"Lobster", "Moogle", "Platypus", "Qu", "Seal", "Skunk", "Sorcerer", "Symbiote"}
    newer |= {"Toy", "Utrom", "Villain", "Weasel"}

    assert newer <= set(TYPES)


def test_words_that_are_no_creature_types_are_not_on_the_list():
    assert {"Forest", "Saga", "Equipment", "Vehicle", "Food", "Grist", "Townsfolk"}.isdisjoint(
        TYPES
    )


@pytest.mark.parametrize(
    ("name", "plural"),
    [
        ("Goblin", "Goblins"),
        ("Time Lord", "Time Lords"),
        ("Assembly-Worker", "Assembly-Workers"),
        ("Monkey", "Monkeys"),
        ("Fox", "Foxes"),
        ("Sphinx", "Sphinxes"),
        ("Leech", "Leeches"),
        ("Octopus", "Octopuses"),
        ("Ally", "Allies"),
        ("Army", "Armies"),
        ("Harpy", "Harpies"),
        ("Mercenary", "Mercenaries"),
        ("Elf", "Elves"),
        ("Hero", "Heroes"),
        ("Wolf", "Wolves"),
        ("Werewolf", "Werewolves"),
        ("Dwarf", "Dwarves"),
        ("Mouse", "Mice"),
        ("Ox", "Oxen"),
        ("Pegasus", "Pegasi"),
        ("Child", "Children"),
        ("Fungus", "Fungi"),
        ("Cyberman", "Cybermen"),
        ("Human", "Humans"),
        ("Merfolk", "Merfolk"),
        ("Kithkin", "Kithkin"),
        ("Eldrazi", "Eldrazi"),
        ("Vedalken", "Vedalken"),
        ("Myr", "Myr"),
        ("Fish", "Fish"),
        ("Sheep", "Sheep"),
        ("Kor", "Kor"),
        ("Moonfolk", "Moonfolk"),
        ("Samurai", "Samurai"),
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
