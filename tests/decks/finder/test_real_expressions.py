"""Expressions on all real cards: what the finder finds, compared whole with a plain pass over them.

The pass reads the records of the file one by one, and shares no code with the finder but for the
affiliations, which have their own cases.
"""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from decks.catalogue import memory
from decks.catalogue.importing import import_cards
from decks.catalogue.records import is_left_out
from decks.finder.page import find
from decks.rules.affiliations import Affiliations, Extractor, Face
from decks.rules.creature_types import TYPES, with_plurals
from tests.shared import load_shared, skip_module_without

POOL_FILE = "data/oracle-cards.json.gz"
skip_module_without(POOL_FILE)
pytestmark = pytest.mark.django_db

ALL = load_shared(POOL_FILE)
RECORDS = [record for record in ALL if not is_left_out(record)]
BY_NAME = {record["name"]: record for record in ALL}
MELDED = {
    "Brisela, Voice of Nightmares": ("Bruna, the Fading Light", "Gisela, the Broken Blade"),
    "Chittering Host": ("Graf Rats", "Midnight Scavengers"),
    "Hanweir, the Writhing Township": ("Hanweir Battlements", "Hanweir Garrison"),
    "Mishra, Lost to Phyrexia": ("Mishra, Claimed by Gix", "Phyrexian Dragon Engine"),
    "Ragnarok, Divine Deliverance": ("Fang, Fearless l'Cie", "Vanille, Cheerful l'Cie"),
    "Titania, Gaea Incarnate": ("Argoth, Sanctum of Nature", "Titania, Voice of Gaea"),
    "Urza, Planeswalker": ("The Mightstone and Weakstone", "Urza, Lord Protector"),
}
BACKS = {name: BY_NAME[back] for back, names in MELDED.items() for name in names}
# What creatures of the pool print, and the list that a site starts with lacks.
PRINTED = """
Andorian Borg Caitian Eternal Gamma Giraffe Gorn Inhuman Kelpien Klingon Kree Lanthanite Officer
Orion Q Shi'ar Skrull Spy Talosian Tholian Tosk Vorta Vulcan Xindi
"""
EXTRACTOR = Extractor(with_plurals([*TYPES, *PRINTED.split()]))
Fits = Callable[[dict[str, Any]], bool]


def faces(record: dict[str, Any]) -> list[dict[str, Any]]:
    back = BACKS.get(record["name"])
    return record.get("card_faces") or [record, *([back] if back else [])]


def text(face: dict[str, Any]) -> str:
    """Return a face's text without reminders, in small letters."""
    text = face.get("oracle_text", "").lower().replace("’", "'")
    while (shorter := re.sub(r"\([^()]*\)", " ", text)) != text:
        text = shorter
    return " ".join(re.sub(" +", " ", line) for line in text.splitlines())


def says(phrase: str) -> Fits:
    return lambda record: any(phrase in text(face) for face in faces(record))


def is_a(*words: str) -> Fits:
    """Return whether some words are on the type line."""
    return lambda record: all(
        re.search(rf"(?<!\S){word}(?!\S)", record["type_line"], re.IGNORECASE) for word in words
    )


def both(*fits: Fits) -> Fits:
    return lambda record: all(fit(record) for fit in fits)


def not_(fit: Fits) -> Fits:
    return lambda record: not fit(record)


def of_colors(fits: Callable[[set[str]], bool]) -> Fits:
    return lambda record: any(
        fits(set(face.get("colors", record.get("colors", [])))) for face in faces(record)
    )


def mv(*values: int) -> Fits:
    return lambda record: record["cmc"] in values


def number(printed: str | None) -> float | None:
    if printed is None or printed == "∞":
        return printed and float("inf")
    digits = re.search(r"-?\d+(\.\d+)?", printed)
    return float(digits[0]) if digits else 0


def at_least(least: int, stat: str) -> Fits:
    return lambda record: any((number(face.get(stat)) or 0) >= least for face in faces(record))


def sizes(record: dict[str, Any]) -> list[tuple[float, float]]:
    printed = [(number(face.get("power")), number(face.get("toughness"))) for face in faces(record)]
    return [(power, toughness) for power, toughness in printed if None not in (power, toughness)]


def affiliations(record: dict[str, Any]) -> Affiliations:
    return EXTRACTOR.of(
        [
            Face(face["name"], face.get("type_line", ""), face.get("oracle_text", ""))
            for face in faces(record)
        ]
    )


def legal(format: str) -> Fits:
    return lambda record: record["legalities"][format] in ("legal", "restricted")


def in_front(word: str) -> Fits:
    return lambda record: word in faces(record)[0]["type_line"].split("—")[0]


def can_lead(record: dict[str, Any]) -> bool:
    is_creature = in_front("Creature")(record) or record["name"] == "Grist, the Hunger Tide"
    return in_front("Legendary")(record) and is_creature


def fits_kaalia(record: dict[str, Any]) -> bool:
    """Return whether a legend can be beside Kaalia: it is she, or legendary on the back only."""
    types = affiliations(record)
    fitting = any(types.include(one) for one in ("Angel", "Cleric", "Demon", "Dragon"))
    return record["name"] == "Kaalia of the Vast" or (
        is_a("legendary")(record) and not in_front("Legendary")(record) and fitting
    )


IS_GREEN = of_colors(lambda one: "G" in one)
EXPECTED: dict[str, Fits] = {
    't:elf c:g mv<=3 o:"draw a card"': both(
        is_a("elf"), IS_GREEN, mv(0, 1, 2, 3), says("draw a card")
    ),
    "(t:elf or t:goblin) (mv=1 or mv=7) pow>=2": both(
        lambda record: is_a("elf")(record) or is_a("goblin")(record), mv(1, 7), at_least(2, "power")
    ),
    "c=wu": of_colors(lambda one: one == {"W", "U"}),
    "c<=wu t:angel": both(is_a("angel"), of_colors(lambda one: one <= {"W", "U"})),
    "id<=gruul t:legendary t:dragon": both(
        is_a("legendary", "dragon"), lambda record: set(record["color_identity"]) <= {"R", "G"}
    ),
    "pow>tou mv=3 t:knight": both(
        is_a("knight"), mv(3), lambda record: any(one > two for one, two in sizes(record))
    ),
    "loy>=6": at_least(6, "loyalty"),
    "kw:flying kw:vigilance kw:lifelink": lambda record: (
        {"Flying", "Vigilance", "Lifelink"} <= set(record["keywords"])
    ),
    'o:"each opponent loses" t:instant': both(is_a("instant"), says("each opponent loses")),
    "fo:damage -o:damage t:goblin": both(
        is_a("goblin"),
        lambda record: any(
            "damage" in face.get("oracle_text", "").lower() for face in faces(record)
        ),
        not_(says("damage")),
    ),
    '!"Fire // Ice"': lambda record: record["name"] == "Fire // Ice",
    "!bolt": lambda record: False,
    "lim-dul": lambda record: "lim-dûl" in record["name"].lower(),
    "is:hero t:sliver": both(is_a("sliver"), can_lead),
    "is:reserved t:wizard": both(is_a("wizard"), lambda record: record["reserved"]),
    "is:adventure t:dragon": both(is_a("dragon"), lambda record: record["layout"] == "adventure"),
    "legal:vintage -legal:legacy": both(legal("vintage"), not_(legal("legacy"))),
    "banned:legacy": lambda record: record["legalities"]["legacy"] == "banned",
    "aff:kithkin -t:kithkin": both(
        lambda record: affiliations(record).include("Kithkin"), not_(is_a("kithkin"))
    ),
    "aff:none t:planeswalker c:g": both(
        is_a("planeswalker"), IS_GREEN, lambda record: affiliations(record) == Affiliations()
    ),
    'hero:"Kaalia of the Vast" -aff:none t:legendary': fits_kaalia,
    "m={1}{G}{G} t:elf": both(
        is_a("elf"),
        lambda record: any(
            sorted(re.findall("{(.*?)}", face.get("mana_cost") or "")) == ["1", "G", "G"]
            for face in faces(record)
        ),
    ),
}


# What somebody types, and the card that comes among the first three.
TYPED = {
    "lightning bolt": "Lightning Bolt",
    "counterspell": "Counterspell",
    "kaalia": "Kaalia of the Vast",
    "elvish m": "Elvish Mystic",
}


def page(expression: str, number: int = 1) -> dict[str, Any]:
    return find(memory.CATALOGUE.now(), expression, number, timezone.localdate())


def found(expression: str) -> list[str]:
    """Return the names of all pages of a search, sorted."""
    pages = [page(expression, number + 1) for number in range(page(expression)["pages"])]
    return sorted(card.name for one in pages for card, *_ in one["rows"])


@pytest.mark.long
def test_expressions_find_what_a_plain_pass_over_the_file_finds_the_likeliest_first():
    """A single test, since each would import all cards."""
    import_cards(ALL)

    expected = {
        expression: sorted(record["name"] for record in RECORDS if fits(record))
        for expression, fits in EXPECTED.items()
    }
    assert {expression: found(expression) for expression in expected} == expected
    assert sum(not names for names in expected.values()) == 1  # !bolt

    unplayable = {
        record["name"] for record in RECORDS if record["legalities"]["vintage"] == "not_legal"
    }
    for expression in ("", "t:elf", "c:w", "is:hero", "mv=2"):
        assert not {card.name for card, *_ in page(expression)["rows"]} & unplayable
    for typed, name in TYPED.items():
        assert name in [card.name for card, *_ in page(typed)["rows"][:3]]
