"""Affiliations, pitfall by pitfall, on invented cards. The real ones are in test_real_cards."""

from time import process_time

import pytest

from decks.rules.affiliations import Affiliations, Extractor, Face
from decks.rules.creature_types import TYPES, with_plurals

EXTRACTOR = Extractor(with_plurals(TYPES))
ALL = "all"
OUTLAWS = "Assassin Mercenary Pirate Rogue Warlock"


def affiliations(*faces, extractor=EXTRACTOR):
    """Return the types of a card, joined; a face is its text, or (name, type line, text)."""
    found = extractor.of(
        [
            Face("Some Card", "Instant", face) if isinstance(face, str) else Face(*face)
            for face in faces
        ]
    )
    return ALL if found.every else " ".join(sorted(found.types))


def of_card(name, text, type_line="Instant"):
    return affiliations((name, type_line, text))


def of_type_line(type_line):
    return affiliations(("Some Card", type_line, ""))


def test_types_are_those_of_the_type_line_and_those_the_text_names():
    card = ("Hedge Scribe", "Creature — Human Wizard", "Create a 1/1 green Goblin creature token.")

    assert affiliations(card) == "Goblin Human Wizard"


def test_card_that_names_none_is_unaffiliated():
    found = EXTRACTOR.of([Face("Some Card", "Instant", "Draw a card.")])

    assert found == Affiliations(frozenset(), every=False)
    assert not found.include("Elf")


def test_card_of_every_type_includes_also_types_that_are_on_no_list():
    found = EXTRACTOR.of([Face("Some Card", "Instant", "Changeling")])

    assert found == Affiliations(every=True)
    assert found.include("Quokka")


# 1. Own name in own text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Goblin Catapult", "{T}: Goblin Catapult deals 1 damage to any target."),
        ("Angel's Kazoo", "Sacrifice Angel's Kazoo: Draw a card."),
        ("Angel’s Kazoo", "Sacrifice Angel's Kazoo: Draw a card."),
        ("Hive of Ants (Wolf Edition)", "Hive of Ants (Wolf Edition) enters tapped."),
        ("A-Orc Bakery", "Orc Bakery enters tapped."),
    ],
)
def test_own_name_is_not_a_reference_to_a_type(name, text):
    assert of_card(name, text) == ""


def test_own_name_hides_only_itself():
    assert of_card("Goblin Catapult", "Goblin Catapult hits a Goblin.") == "Goblin"
    assert of_card("Goblin Cat", "Goblin Catapult enters tapped.") == "Goblin"
    assert of_card("Time", "Time Lord spells cost {1} less.") == "Time Lord"


def test_name_of_another_face_is_own_too():
    front = ("Meek Clerk", "Creature — Human", "Transform Meek Clerk into Demon Clerk.")
    back = ("Demon Clerk", "Creature — Horror", "Demon Clerk can't block.")

    assert affiliations(front, back) == "Horror Human"


# 2. Short names of legends


def test_short_name_of_a_legend_is_not_a_reference_to_a_type():
    legend = "Legendary Creature — Human"

    assert of_card("Lady Squid, the Wet", "Whenever Lady Squid attacks, draw.", legend) == "Human"
    assert of_card("Rhino, the Calm", "Rhino's power is 3. Untap Rhino.", legend) == "Human"


def test_part_before_the_comma_is_no_name_of_a_card_that_is_not_legendary():
    assert of_card("Lady Squid, Fried", "Lady Squid enters tapped.") == "Squid"


def test_short_name_is_hidden_as_a_whole_word_only():
    legend = "Legendary Creature — Human"

    assert of_card("Rat, the Calm", "Rats you control have haste.", legend) == "Human Rat"


@pytest.mark.parametrize(
    "text",
    [
        "Target creature becomes a Rhino.",
        "Rhino creatures you control have trample.",
        "Untap each Rhino you control.",
        "Put a counter on each other attacking Rhino.",
        "Create a 4/4 green Rhino Warrior creature token, then untap Rhino.",
        "Whenever a Wolf or Rhino enters, draw a card.",
        "Choose a Wolf, Bear, or Rhino.",
        "Rhinos you control have trample.",
    ],
)
def test_name_that_is_exactly_a_type_counts_where_the_text_uses_it_as_a_type(text):
    legend = "Legendary Creature — Human"

    assert "Rhino" in of_card("Rhino", text).split()
    assert "Rhino" in of_card("Rhino, the Calm", text, legend).split()


@pytest.mark.parametrize(
    "text",
    [
        "Whenever Rhino attacks, draw a card.",
        "When Rhino enters, Rhino deals 2 damage to any target.",
        "Whenever Rhino or another creature you control dies, draw a card.",
        "Regenerate Rhino.",
        "Double all damage Rhino would deal.",
        "If damage would be dealt to Rhino, prevent it.",
        "Fear Gas — Rhino can't be blocked.",
    ],
)
def test_name_that_is_exactly_a_type_does_not_count_where_it_names_the_card(text):
    assert of_card("Rhino, the Calm", text, "Legendary Creature — Human") == "Human"


def test_full_name_is_hidden_before_the_short_name():
    text = "Whenever Rhino, Wolf Lord attacks, draw a card."

    assert of_card("Rhino, Wolf Lord", text, "Legendary Creature — Human") == "Human"


# 3. and 4. Negations


@pytest.mark.parametrize(
    "text",
    [
        "Destroy target non-Vampire, non-Werewolf, non-Zombie creature.",
        "Non-Archon creatures can't attack.",
        "Destroy target non\u2011Goblin creature.",
        "Destroy target non-Time Lord creature.",
        "Destroy target non-Assembly-Worker creature.",
        "Exile all non-Elves.",
        "Sacrifice a nonartifact, nonland, non-Equipment permanent.",
    ],
)
def test_non_type_does_not_count(text):
    assert affiliations(text) == ""


def test_type_behind_a_negated_type_counts():
    assert affiliations("Non-Human Werewolves you control can't transform.") == "Werewolf"


def test_type_that_is_negated_and_also_used_counts():
    assert affiliations("Destroy all Dragons, or all non-Dragon creatures.") == "Dragon"


def test_negation_in_other_words_still_names_the_type():
    assert affiliations("Destroy each creature other than a Wolf.") == "Wolf"
    assert affiliations("Destroy target creature that isn't a Demon or Imp.") == "Demon Imp"
    assert affiliations("The new type can't be Wall.") == "Wall"


# 5. Reminder text


@pytest.mark.parametrize(
    "text",
    [
        "Afterlife 1 (When this dies, create a 1/1 Spirit token.)",
        "(Create a 1/1 Spirit token.)\nDraw a card.",
        "Draw (as a Spirit (or a Zombie) would) a card.",
        'Draw ("Sacrifice a Spirit.") a card.',
        "Draw (like\na Spirit) a card.",
        "Draw ((((a Spirit)))) a card.",
    ],
)
def test_reminder_text_does_not_count(text):
    assert affiliations(text) == ""


def test_text_around_reminders_counts():
    assert affiliations("(Elf) Cat (Imp (Orc) Ox) Dog") == "Cat Dog"


@pytest.mark.parametrize("text", ["Elf) Cat (Imp) Dog", "Elf Cat (Imp) (Dog"])
def test_bracket_without_its_partner_hides_nothing(text):
    assert affiliations(text) == "Cat Dog Elf"


def test_type_that_the_text_names_counts_with_and_without_the_reminder():
    assert affiliations("Amass Zombies 2.") == "Zombie"
    assert affiliations("Amass Zombies 2. (Put counters on an Army.)") == "Zombie"


# 6. Plurals


@pytest.mark.parametrize(
    ("plural", "name"),
    [
        ("Goblins", "Goblin"),
        ("Elves", "Elf"),
        ("Merfolk", "Merfolk"),
        ("Time Lords", "Time Lord"),
    ],
)
def test_plural_counts_as_its_type(plural, name):
    assert affiliations(f"Other {plural} you control get +1/+1.") == name


def test_possessives_count():
    assert affiliations("Doctor's companion") == "Doctor"
    assert affiliations("Use the Elves' power, or an Imp’s.") == "Elf Imp"


# 7. Two words, hyphens, apostrophes


def test_type_of_two_words_is_one_type():
    assert of_type_line("Legendary Creature — Time Lord Doctor") == "Doctor Time Lord"
    assert affiliations("Create two Time Lords.") == "Time Lord"
    assert affiliations("The Lord of Time") == ""


@pytest.mark.parametrize("hyphen", ["-", "\u2010", "\u2011"])
def test_hyphenated_type_counts(hyphen):
    assert affiliations(f"It becomes an Assembly{hyphen}Worker.") == "Assembly-Worker"
    assert of_type_line(f"Creature — Assembly{hyphen}Worker") == "Assembly-Worker"


@pytest.mark.parametrize("apostrophe", ["'", "\u2019"])
def test_apostrophe_of_a_type_may_be_of_either_kind(apostrophe):
    written = f"C{apostrophe}tan"

    assert affiliations(f"Destroy target {written}.") == "C'tan"
    assert of_type_line(f"Creature — {written}") == "C'tan"
    curly = Extractor({"C\u2019tan": ["C\u2019tan"]})
    assert affiliations(f"Destroy target {written}.", extractor=curly) == "C\u2019tan"


@pytest.mark.parametrize(
    "word", ["God-Pharaoh's", "Power-Plant", "Spider-Man", "Ur-Dragon", "Keen-Eye"]
)
def test_part_of_a_hyphenated_word_does_not_count(word):
    assert affiliations(f"Search for a card named {word} Gift.") == ""


# 8. Word boundaries


@pytest.mark.parametrize(
    "word",
    [
        *("Ninjutsu", "Dragonlord", "Angelic", "Ratcatcher", "Wolfir", "Cathar", "Mutagen"),
        *("Wizardcycling", "Slivercycling", "Shi'Rat", "L'Imp", "Imp'ish"),
    ],
)
def test_type_inside_a_word_does_not_count(word):
    assert affiliations(f"{word} {{2}}") == ""


@pytest.mark.parametrize("sign", [".", ",", ":", "/", '"', "—", "\n", "!", ")"])
def test_type_beside_a_sign_counts(sign):
    assert affiliations(f"Champion an{sign}Elf{sign}now") == "Elf"


# 9. to 12. Where a type may stand


def test_granted_abilities_and_tokens_count():
    text = "It has \"{T}: Create a token with 'This can block only Walls.'\" and 'Elf spells'."

    assert affiliations(text) == "Elf Wall"


def test_names_of_other_cards_and_tokens_count():
    assert affiliations("Create a token named Minor Demon.") == "Demon"
    assert affiliations("Search for a card named Spirit of the Attic.") == "Spirit"


def test_flavor_words_anchor_words_and_names_of_modes_count():
    assert affiliations("Bear Hug — Draw a card.") == "Bear"
    assert affiliations("As this enters, choose Clans or Dragons.") == "Dragon"
    assert affiliations("Choose one —\n• Hire a Mercenary — Draw a card.") == "Mercenary"


def test_keywords_that_carry_a_type_count():
    assert affiliations("Champion an Elf") == "Elf"
    assert affiliations("Goblin offering") == "Goblin"
    assert affiliations("Partner—Survivors") == "Survivor"
    assert affiliations("Protection from Vampires") == "Vampire"


# 13. Changeling and every creature type


@pytest.mark.parametrize(
    "text",
    [
        "Changeling",
        "Draw a card.\nFlying, changeling",
        "Some Card is every creature type.",
        "Some Card is every creature type (even if this card isn't on the battlefield).",
        "Flying\nThis card is every creature type.",
        "Flying. This creature is all creature types.",
    ],
)
def test_changeling_and_what_says_so_gives_every_type(text):
    assert affiliations(text) == ALL


def test_legend_may_say_that_it_is_every_type_by_its_short_name():
    legend = "Legendary Creature — Ooze"

    assert of_card("Dr. Blob, the Vague", "Dr. Blob is every creature type.", legend) == ALL


@pytest.mark.parametrize(
    "text",
    [
        "Create a 2/2 token with changeling. (It has every creature type.)",
        "It has “Flying, changeling”",
        "• Hire one — Changeling",
        "Some Changeling can't block.",
        "Equipped creature gets +1/+1 and is every creature type.",
        "As long as you control a land, this creature is all creature types.",
        "This land becomes a 2/2 creature with all creature types until end of turn.",
        '"Some Card is every creature type."',
        "This creature is every creature type until end of turn.",
        "(This card is every creature type.)",
    ],
)
def test_every_type_of_something_else_adds_nothing(text):
    assert affiliations(text) == ""


def test_changeling_in_the_name_gives_no_type():
    text = "Slow Changeling can't block."

    assert of_card("Slow Changeling", text, "Creature — Shapeshifter") == "Shapeshifter"


def test_changeling_on_one_face_counts_for_the_card():
    assert affiliations("Draw a card.", ("Back", "Creature — Shapeshifter", "Changeling")) == ALL


def test_creature_outside_the_battlefield_has_the_type_it_has_there():
    text = "As long as Gnat isn't on the battlefield, it's a 1/1 Insect creature."

    assert of_card("Gnat, Hungry", text, "Legendary Planeswalker — Gnat") == "Insect"


# 14. to 16. Batches, and types that the player chooses


@pytest.mark.parametrize("word", ["outlaw", "outlaws", "Outlaw", "Outlaws", "outlaw's", "outlaws'"])
def test_outlaw_stands_for_five_types(word):
    assert affiliations(f"Each {word} you control gets +1/+0.") == OUTLAWS


@pytest.mark.parametrize(
    "text", ["Outlawed spells cost {1} more.", "Tap target non-outlaw creature."]
)
def test_outlaw_inside_a_word_or_negated_adds_nothing(text):
    assert affiliations(text) == ""


def test_outlaw_in_the_own_name_or_a_reminder_adds_nothing():
    assert of_card("Outlaws' Picnic", "Outlaws' Picnic enters tapped.") == ""
    assert affiliations("Commit a crime. (Outlaws do.)") == ""
    assert of_card("Outlaws' Picnic", "Outlaws' Picnic taps an outlaw.") == OUTLAWS


def test_outlaw_stands_for_types_on_the_list_only():
    small = Extractor({"Pirate": ["Pirates"], "Elf": ["Elves"]})

    assert affiliations("Untap each outlaw.", extractor=small) == "Pirate"


def test_party_adds_nothing():
    assert affiliations("Draw a card for each creature in your party.") == ""


def test_chosen_type_names_none():
    assert affiliations("Choose a creature type. Creatures of the chosen type get +1/+1.") == ""


# 17. Faces


def test_types_of_all_faces_are_the_cards():
    front = ("Quiet Inn", "Land", "{T}: Add {C}.")
    back = ("Loud Inn", "Creature — Demon", "Create a Rat.")

    assert affiliations(front, back) == "Demon Rat"


def test_card_without_faces_is_unaffiliated():
    assert EXTRACTOR.of([]) == Affiliations()


# 18. Part names that are other cards: the names of faces add nothing by themselves.


def test_name_of_a_face_adds_nothing():
    assert affiliations(("Elf Lane", "Land", ""), ("Goblin", "Sorcery", "")) == ""


# 19. Subtypes that are not creature types


@pytest.mark.parametrize(
    ("type_line", "types"),
    [
        ("Land Creature — Forest Dryad", "Dryad"),
        ("Enchantment Land — Urza's Saga", ""),
        ("Legendary Planeswalker — Duck", ""),
        ("Creature — Townsfolk", ""),
        ("Kindred Instant — Elf", "Elf"),
        ("Artifact Creature -- Construct", "Construct"),
        ("Creature Human Soldier", "Human Soldier"),
        ("Creature — Elves", ""),
    ],
)
def test_type_line_is_read_against_the_list(type_line, types):
    assert of_type_line(type_line) == types


# 20. Ordinary words


def test_types_that_are_ordinary_words_count_when_capitalised():
    text = "Create an Egg, an Orb, a Sand, a Germ, a Prism, a Spike and a Hero creature token."

    assert affiliations(text) == "Egg Germ Hero Orb Prism Sand Spike"


def test_types_in_lower_case_do_not_count():
    assert affiliations("Put an egg counter by the wall, scout ahead and bear an eye.") == ""


# 21. The list


def test_list_is_the_callers():
    with_quokka = Extractor({"Quokka": ["Quokkas"], "Sky Fairy": ["Sky Fairies"], "Q": []})
    text = "Quokkas, Sky Fairies and Elves fear Q."

    assert affiliations(text, extractor=with_quokka) == "Q Quokka Sky Fairy"
    assert affiliations(text) == "Elf"


@pytest.mark.parametrize("plurals", [{}, {"": [""]}, {"Elf": []}, {"Elf": [""]}])
def test_list_may_be_short_of_types_and_of_plurals(plurals):
    found = Extractor(plurals).of([Face("Some Card", "Creature — Elf", "A Goblin.")])

    assert found.types == {name for name in plurals if name}


def test_sign_with_a_meaning_in_patterns_may_stand_in_a_type():
    odd = Extractor({"(Imp": [], "Ox+": ["Ox++"], "]": []})

    assert affiliations("An Ox+ here.", extractor=odd) == "Ox+"


def test_long_text_is_read_fast():
    text = "Elf ( " * 10_000 + "outlaw, " * 10_000
    begun = process_time()

    assert affiliations(text) == f"{OUTLAWS.replace('Assassin', 'Assassin Elf')}"
    assert process_time() - begun < 2
