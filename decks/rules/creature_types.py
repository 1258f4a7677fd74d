"""The creature types a site starts with, and how their plurals are spelled.

Editors can add types later, so the rules never read this list: callers pass the types in.
"""

import re

# The Comprehensive Rules of February 2026 (205.3m). Types that were merged into others in 2024
# (Cephalid, Naga, Viashino) are left out: no current text names them.
_TWO_WORDS = ("Time Lord",)
_ONE_WORD = """
Advisor Aetherborn Alien Ally Angel Antelope Ape Archer Archon Armadillo Army Artificer Assassin
Assembly-Worker Astartes Atog Aurochs Avatar Azra Badger Balloon Barbarian Bard Basilisk Bat Bear
Beast Beaver Beeble Beholder Berserker Bird Bison Blinkmoth Boar Bringer Brushwagg C'tan Camarid
Camel Capybara Caribou Carrier Cat Centaur Child Chimera Citizen Cleric Clown Cockatrice Construct
Coward Coyote Crab Crocodile Custodes Cyberman Cyclops Dalek Dauthi Demigod Demon Deserter
Detective Devil Dinosaur Djinn Doctor Dog Dragon Drake Dreadnought Drix Drone Druid Dryad Dwarf
Echidna Efreet Egg Elder Eldrazi Elemental Elephant Elf Elk Employee Eye Faerie Ferret Fish
Flagbearer Fox Fractal Frog Fungus Gamer Gargoyle Germ Giant Gith Glimmer Gnoll Gnome Goat Goblin
God Golem Gorgon Graveborn Gremlin Griffin Guest Hag Halfling Hamster Harpy Hedgehog Hellion Hero
Hippo Hippogriff Homarid Homunculus Horror Horse Human Hydra Hyena Illusion Imp Incarnation Inkling
Inquisitor Insect Jackal Jellyfish Juggernaut Kangaroo Kavu Kirin Kithkin Knight Kobold Kor Kraken
Lamia Lammasu Leech Lemur Leviathan Lhurgoyf Licid Lizard Llama Lobster Manticore Masticore
Mercenary Merfolk Metathran Minion Minotaur Mite Mole Monger Mongoose Monk Monkey Moogle Moonfolk
Mount Mouse Mutant Myr Mystic Nautilus Necron Nephilim Nightmare Nightstalker Ninja Noble Noggle
Nomad Nymph Octopus Ogre Ooze Orb Orc Orgg Otter Ouphe Ox Oyster Pangolin Peasant Pegasus Pentavite
Performer Pest Phelddagrif Phoenix Phyrexian Pilot Pincher Pirate Plant Platypus Porcupine Possum
Praetor Primarch Prism Processor Qu Rabbit Raccoon Ranger Rat Rebel Reflection Rhino Rigger Robot
Rogue Sable Salamander Samurai Sand Saproling Satyr Scarecrow Scientist Scion Scorpion Scout
Sculpture Seal Serf Serpent Servo Shade Shaman Shapeshifter Shark Sheep Siren Skeleton Skunk Slith
Sliver Sloth Slug Snail Snake Soldier Soltari Sorcerer Spawn Specter Spellshaper Sphinx Spider
Spike Spirit Splinter Sponge Squid Squirrel Starfish Surrakar Survivor Symbiote Synth Tentacle
Tetravite Thalakos Thopter Thrull Tiefling Toy Treefolk Trilobite Triskelavite Troll Turtle Tyranid
Unicorn Utrom Vampire Varmint Vedalken Villain Volver Wall Walrus Warlock Warrior Weasel Weird
Werewolf Whale Wizard Wolf Wolverine Wombat Worm Wraith Wurm Yeti Zombie Zubera
"""
TYPES: tuple[str, ...] = tuple(sorted((*_ONE_WORD.split(), *_TWO_WORDS)))

# Where two spellings are in use, the spelling on cards comes first.
_IRREGULAR = {
    "Child": ("Children",),
    "Cyberman": ("Cybermen",),
    "Cyclops": ("Cyclopes", "Cyclopses"),
    "Dwarf": ("Dwarves", "Dwarfs"),
    "Elf": ("Elves",),
    "Fungus": ("Fungi", "Funguses"),
    "Hero": ("Heroes",),
    "Homunculus": ("Homunculi", "Homunculuses"),
    "Mouse": ("Mice",),
    "Nautilus": ("Nautiluses", "Nautili"),
    "Octopus": ("Octopuses", "Octopi"),
    "Ox": ("Oxen",),
    "Pegasus": ("Pegasi", "Pegasuses"),
    "Werewolf": ("Werewolves",),
    "Wolf": ("Wolves",),
}
_INVARIANT = """
Astartes Aurochs Azra Bison C'tan Custodes Dauthi Eldrazi Fish Gith Jellyfish Kirin Kithkin Kor
Merfolk Metathran Moonfolk Myr Nephilim Qu Samurai Sheep Soltari Spawn Starfish Thalakos
Treefolk Vedalken
"""
_WORD = r"[^\W\d_]+(?:['’][^\W\d_]+)*"
_SPELLED = re.compile(rf"{_WORD}(?:[ -]{_WORD})*")
_OTHER_TYPES = """
Artifact Basic Battle Card Conspiracy Creature Dungeon Elite Enchantment Host Instant Kindred Land
Legendary Ongoing Phenomenon Plane Planeswalker Scheme Snow Sorcery Token Tribal Vanguard World
"""
# The subtypes of other card types that a creature or kindred card can have (205.3g to q).
_ARTIFACT = """
Attraction Blood Bobblehead Book Clue Contraption Equipment Food Fortification Gold Incubator
Infinity Junk Lander Map Mutagen Powerstone Spacecraft Stone Treasure Vehicle
"""
_ENCHANTMENT = """
Aura Background Cartouche Case Class Curse Plan Role Room Rune Saga Shard Shrine
"""
_LAND = """
Cave Desert Forest Gate Island Lair Locus Mine Mountain Plains Planet Power-Plant Sphere Swamp
Tower Town Urza's
"""
_PLANESWALKER = """
Ajani Aminatou Angrath Arlinn Ashiok Bahamut Basri Bolas Calix Chandra Comet Dack Dakkon Daretti
Davriel Dellian Dihada Domri Dovin Ellywick Elminster Elspeth Estrid Freyalise Garruk Gideon Grist
Guff Huatli Jace Jared Jaya Jeska Kaito Karn Kasmina Kaya Kiora Koth Liliana Lolth Lukka Minsc
Mordenkainen Nahiri Narset Niko Nissa Nixilis Oko Quintorius Ral Rowan Saheeli Samut Sarkhan Serra
Sivitri Sorin Szat Tamiyo Tasha Teferi Teyo Tezzeret Tibalt Tyvar Ugin Urza Venser Vivien Vraska
Vronos Will Windgrace Wrenn Xenagos Yanggu Yanling Zariel
"""
_SPELL = "Adventure Arcane Lesson Omen Trap"
OTHER_SUBTYPES = {
    card_type: frozenset(names.split())
    for card_type, names in {
        "Artifact": _ARTIFACT,
        "Battle": "Siege",
        "Enchantment": _ENCHANTMENT,
        "Instant": _SPELL,
        "Land": _LAND,
        "Planeswalker": _PLANESWALKER,
        "Sorcery": _SPELL,
    }.items()
}


def plurals(name: str) -> tuple[str, ...]:
    """Return the plural forms of a creature type, the usual form first.

    >>> plurals("Goblin"), plurals("Time Lord"), plurals("Sphinx"), plurals("Ally")
    (('Goblins',), ('Time Lords',), ('Sphinxes',), ('Allies',))
    >>> plurals("Monkey"), plurals("Elf"), plurals("Merfolk"), plurals("Leech")
    (('Monkeys',), ('Elves',), ('Merfolk',), ('Leeches',))
    """
    if name in _INVARIANT.split():
        return (name,)
    if name in _IRREGULAR:
        return _IRREGULAR[name]
    if name.endswith(("s", "x", "z", "ch", "sh")):
        return (f"{name}es",)
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return (f"{name[:-1]}ies",)
    return (f"{name}s",)


def objection(name: str) -> str:
    """Return what is wrong with the name of a creature type or its plural, "" if nothing is.

    >>> objection("Time Lord"), objection("Assembly-Worker"), objection("C'tan")
    ('', '', '')
    >>> objection("elf")
    'Write it as cards do, each word with a capital: Elf.'
    """
    words = re.split("[ -]", name)
    if not _SPELLED.fullmatch(name):
        return "Write letters, apostrophes, hyphens and single spaces only."
    if not all(word[0].isupper() for word in words):
        return f"Write it as cards do, each word with a capital: {name.title()}."
    barred = [word for word in words if word in _NO_CREATURE_TYPES]
    if barred:
        return f"{barred[0]} is a card type or a supertype, not a creature type: leave it out."
    return ""


_NO_CREATURE_TYPES = frozenset(
    form for name in _OTHER_TYPES.split() for form in (name, *plurals(name))
)
