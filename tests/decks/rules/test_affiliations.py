"""Affiliations, pitfall by pitfall, on invented cards. The real ones are in test_real_cards."""

from time import process_time

import pytest

from decks.rules.affiliations import Extractor, Face
from decks.rules.creature_types import TYPES, plurals

EXTRACTOR = Extractor({name: plurals(name) for name in TYPES})
ALL = "all"
OUTLAWS = "Assassin Mercenary Pirate Rogue Warlock"
LEGEND = "Legendary Creature — Human"
HYPHENATED = ("God-Pharaoh's", "Power-Plant", "Spider-Man", "Ur-Dragon", "Keen-Eye")
WORDS = (
    *("Ninjutsu", "Dragonlord", "Angelic", "Ratcatcher", "Wolfir", "Cathar", "Mutagen"),
    *("Wizardcycling", "Slivercycling", "Shi'Rat", "L'Imp", "Imp'ish"),
)


def affiliations(*faces, extractor=EXTRACTOR):
    """Return the types of a card, joined; a face is its text, or (name, type line, text)."""
    found = extractor.of(
        [
            Face("Some Card", "Instant", face) if isinstance(face, str) else Face(*face)
            for face in faces
        ]
    )
    return ALL if found.every else " ".join(sorted(found.types))


@pytest.mark.parametrize(
    ("text", "types"),
    [
        # Non type does not count.
        ("Destroy target non-Vampire, non-Werewolf, non-Zombie creature.", ""),
        ("Non-Archon creatures can't attack.", ""),
        ("Destroy target non\u2011Goblin creature.", ""),
        ("Destroy target non-Time Lord creature.", ""),
        ("Destroy target non-Assembly-Worker creature.", ""),
        ("Exile all non-Elves.", ""),
        ("Sacrifice a nonartifact, nonland, non-Equipment permanent.", ""),
        # Type behind a negated type counts.
        ("Non-Human Werewolves you control can't transform.", "Werewolf"),
        # Type that is negated and also used counts.
        ("Destroy all Dragons, or all non-Dragon creatures.", "Dragon"),
        # Negation in other words still names the type.
        ("Destroy each creature other than a Wolf.", "Wolf"),
        ("Destroy target creature that isn't a Demon or Imp.", "Demon Imp"),
        ("The new type can't be Wall.", "Wall"),
        # Reminder text does not count.
        ("Afterlife 1 (When this dies, create a 1/1 Spirit token.)", ""),
        ("(Create a 1/1 Spirit token.)\nDraw a card.", ""),
        ("Draw (as a Spirit (or a Zombie) would) a card.", ""),
        ('Draw ("Sacrifice a Spirit.") a card.', ""),
        ("Draw (like\na Spirit) a card.", ""),
        ("Draw ((((a Spirit)))) a card.", ""),
        # Text around reminders counts.
        ("(Elf) Cat (Imp (Orc) Ox) Dog", "Cat Dog"),
        # Bracket without its partner hides nothing.
        ("Elf) Cat (Imp) Dog", "Cat Dog Elf"),
        ("Elf Cat (Imp) (Dog", "Cat Dog Elf"),
        # Type that the text names counts with and without the reminder.
        ("Amass Zombies 2.", "Zombie"),
        ("Amass Zombies 2. (Put counters on an Army.)", "Zombie"),
        # Possessives count.
        ("Doctor's companion", "Doctor"),
        ("Use the Elves' power, or an Imp’s.", "Elf Imp"),
        # Names of other cards and tokens count.
        ("Create a token named Minor Demon.", "Demon"),
        ("Search for a card named Spirit of the Attic.", "Spirit"),
        # Flavor words anchor words and names of modes count.
        ("Bear Hug — Draw a card.", "Bear"),
        ("As this enters, choose Clans or Dragons.", "Dragon"),
        ("Choose one —\n• Hire a Mercenary — Draw a card.", "Mercenary"),
        # Keywords that carry a type count.
        ("Champion an Elf", "Elf"),
        ("Goblin offering", "Goblin"),
        ("Partner—Survivors", "Survivor"),
        ("Protection from Vampires", "Vampire"),
        # Changeling and what says so gives every type.
        ("Changeling", ALL),
        ("Draw a card.\nFlying, changeling", ALL),
        ("Some Card is every creature type.", ALL),
        ("Some Card is every creature type (even if this card isn't on the battlefield).", ALL),
        ("Flying\nThis card is every creature type.", ALL),
        ("Flying. This creature is all creature types.", ALL),
        # Every type of something else adds nothing.
        ("Create a 2/2 token with changeling. (It has every creature type.)", ""),
        ("It has “Flying, changeling”", ""),
        ("• Hire one — Changeling", ""),
        ("Some Changeling can't block.", ""),
        ("Equipped creature gets +1/+1 and is every creature type.", ""),
        ("As long as you control a land, this creature is all creature types.", ""),
        ("This land becomes a 2/2 creature with all creature types until end of turn.", ""),
        ('"Some Card is every creature type."', ""),
        ("This creature is every creature type until end of turn.", ""),
        ("(This card is every creature type.)", ""),
        # Outlaw inside a word or negated adds nothing.
        ("Outlawed spells cost {1} more.", ""),
        ("Tap target non-outlaw creature.", ""),
        # Party adds nothing.
        ("Draw a card for each creature in your party.", ""),
        # Chosen type names none.
        ("Choose a creature type. Creatures of the chosen type get +1/+1.", ""),
        # Two words are one type; a part of a word or of a hyphenated word is none.
        ("Create two Time Lords.", "Time Lord"),
        ("The Lord of Time", ""),
        *((f"Search for a card named {word} Gift.", "") for word in HYPHENATED),
        *((f"{word} {{2}}", "") for word in WORDS),
        *((f"Champion an{sign}Elf{sign}now", "Elf") for sign in '.,:/"—\n!)'),
        *((f"It becomes an Assembly{sign}Worker.", "Assembly-Worker") for sign in "-\u2010\u2011"),
        *((f"Destroy target C{sign}tan.", "C'tan") for sign in "'\u2019"),
        # Plurals count.
        ("Other Goblins you control get +1/+1.", "Goblin"),
        ("Other Elves you control get +1/+1.", "Elf"),
        ("Other Merfolk you control get +1/+1.", "Merfolk"),
        # Granted abilities and tokens count.
        ("It has \"{T}: Create a token with 'This blocks only Walls.'\" and 'Elf'.", "Elf Wall"),
        # Outlaw stands for five types.
        *((f"Each {word} you control gets +1/+0.", OUTLAWS) for word in ("outlaw", "Outlaws")),
        *((f"Each {word} you control gets +1/+0.", OUTLAWS) for word in ("outlaw's", "outlaws'")),
        ("Commit a crime. (Outlaws do.)", ""),
        # Ordinary words count when they are capitalised only.
        ("Create an Egg, an Orb, a Sand, a Germ and a Prism token.", "Egg Germ Orb Prism Sand"),
        ("Put a Spike and a Hero counter on it.", "Hero Spike"),
        ("Put an egg counter by the wall, scout ahead and bear an eye.", ""),
    ],
)
def test_text_gives_the_types_that_it_names_and_no_others(text, types):
    assert affiliations(text) == types


@pytest.mark.parametrize(
    ("name", "text", "type_line", "types"),
    [
        # The own name is no reference to a type, and hides only itself.
        ("Goblin Catapult", "{T}: Goblin Catapult deals 1 damage to any target.", "Instant", ""),
        ("Angel's Kazoo", "Sacrifice Angel's Kazoo: Draw a card.", "Instant", ""),
        ("Angel’s Kazoo", "Sacrifice Angel's Kazoo: Draw a card.", "Instant", ""),
        ("Hive (Wolf Edition)", "Hive (Wolf Edition) enters tapped.", "Instant", ""),
        ("A-Orc Bakery", "Orc Bakery enters tapped.", "Instant", ""),
        ("Goblin Catapult", "Goblin Catapult hits a Goblin.", "Instant", "Goblin"),
        ("Goblin Cat", "Goblin Catapult enters tapped.", "Instant", "Goblin"),
        ("Time", "Time Lord spells cost {1} less.", "Instant", "Time Lord"),
        ("Outlaws' Picnic", "Outlaws' Picnic enters tapped.", "Instant", ""),
        ("Outlaws' Picnic", "Outlaws' Picnic taps an outlaw.", "Instant", OUTLAWS),
        ("Slow Changeling", "Slow Changeling can't block.", "Creature — Elf", "Elf"),
        # So is the short name of a legend, as a whole word; the full name is hidden before it.
        ("Lady Squid, the Wet", "Whenever Lady Squid attacks, draw.", LEGEND, "Human"),
        ("Rhino, the Calm", "Rhino's power is 3. Untap Rhino.", LEGEND, "Human"),
        ("Rhino, Wolf Lord", "Whenever Rhino, Wolf Lord attacks, draw a card.", LEGEND, "Human"),
        ("Lady Squid, Fried", "Lady Squid enters tapped.", "Instant", "Squid"),
        ("Rat, the Calm", "Rats you control have haste.", LEGEND, "Human Rat"),
        # A legend may say by it that it is every type.
        ("Dr. Blob, the Vague", "Dr. Blob is every creature type.", LEGEND, ALL),
        # A creature outside the battlefield has the type that it has there.
        ("Gnat, Hungry", "As long as Gnat isn't on the battlefield, it's a 1/1 Insect creature.",
         "Legendary Planeswalker — Gnat", "Insect"),
        # The type line is read against the list, in the singular.
        ("Card", "", "Legendary Creature — Time Lord Doctor", "Doctor Time Lord"),
        ("Card", "", "Creature — Assembly\u2010Worker C\u2019tan", "Assembly-Worker C'tan"),
        ("Card", "", "Land Creature — Forest Dryad", "Dryad"),
        ("Card", "", "Enchantment Land — Urza's Saga", ""),
        ("Card", "", "Legendary Planeswalker — Duck", ""),
        ("Card", "", "Creature — Townsfolk", ""),
        ("Card", "", "Kindred Instant — Elf", "Elf"),
        ("Card", "", "Artifact Creature -- Construct", "Construct"),
        ("Card", "", "Creature Human Soldier", "Human Soldier"),
        ("Card", "", "Creature — Elves", ""),
    ],
)  # fmt: skip
def test_names_and_type_lines_are_read_as_they_are_meant(name, text, type_line, types):
    assert affiliations((name, type_line, text)) == types


@pytest.mark.parametrize(
    ("text", "is_type"),
    [
        ("Target creature becomes a Rhino.", True),
        ("Rhino creatures you control have trample.", True),
        ("Untap each Rhino you control.", True),
        ("Put a counter on each other attacking Rhino.", True),
        ("Create a 4/4 green Rhino Warrior creature token, then untap Rhino.", True),
        ("Whenever a Wolf or Rhino enters, draw a card.", True),
        ("Choose a Wolf, Bear, or Rhino.", True),
        ("Rhinos you control have trample.", True),
        ("Whenever Rhino attacks, draw a card.", False),
        ("When Rhino enters, Rhino deals 2 damage to any target.", False),
        ("Whenever Rhino or another creature you control dies, draw a card.", False),
        ("Regenerate Rhino.", False),
        ("Double all damage Rhino would deal.", False),
        ("If damage would be dealt to Rhino, prevent it.", False),
        ("Fear Gas — Rhino can't be blocked.", False),
    ],
)
def test_name_that_is_exactly_a_type_counts_where_the_text_uses_it_as_a_type(text, is_type):
    assert ("Rhino" in affiliations(("Rhino", "Instant", text)).split()) is is_type
    assert ("Rhino" in affiliations(("Rhino, the Calm", LEGEND, text)).split()) is is_type


@pytest.mark.parametrize(
    ("faces", "types"),
    [
        ([], ""),
        ([("Inn", "Land", "{T}: Add {C}."), ("Inn", "Creature — Demon", "A Rat.")], "Demon Rat"),
        (["Draw a card.", ("Back", "Creature — Shapeshifter", "Changeling")], ALL),
        # The names of faces add nothing, and each face knows the names of the others.
        ([("Elf Lane", "Land", ""), ("Goblin", "Sorcery", "")], ""),
        ([("Clerk", LEGEND, "Transform Clerk into Demon Clerk."),
          ("Demon Clerk", "Creature — Horror", "Demon Clerk can't block.")], "Horror Human"),
    ],
)  # fmt: skip
def test_types_of_all_faces_are_the_cards(faces, types):
    assert affiliations(*faces) == types


@pytest.mark.parametrize(
    ("listed", "text", "types"),
    [
        ({"Quokka": ["Quokkas"], "Sky Fairy": ["Sky Fairies"], "Q": []},
         "Quokkas, Sky Fairies and Elves fear Q.", "Q Quokka Sky Fairy"),
        ({"Pirate": ["Pirates"], "Elf": ["Elves"]}, "Untap each outlaw.", "Pirate"),
        ({"C\u2019tan": ["C\u2019tan"]}, "Destroy target C'tan.", "C\u2019tan"),
        ({"(Imp": [], "Ox+": ["Ox++"], "]": []}, "An Ox+ here.", "Ox+"),
        ({}, "A Goblin.", ""),
        ({"": [""]}, "A Goblin.", ""),
        ({"Elf": [""]}, "An Elf, a Goblin.", "Elf"),
    ],
)  # fmt: skip
def test_list_is_the_callers(listed, text, types):
    assert affiliations(text, extractor=Extractor(listed)) == types


def test_long_text_is_read_fast():
    text = "Elf ( " * 10_000 + "outlaw, " * 10_000
    begun = process_time()

    assert affiliations(text) == f"{OUTLAWS.replace('Assassin', 'Assassin Elf')}"
    assert process_time() - begun < 2
