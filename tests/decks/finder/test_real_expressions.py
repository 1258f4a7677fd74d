"""Expressions on all real cards: what the finder finds, compared whole with a plain pass over them.

The pass reads the records of the file one by one, and shares no code with the finder.
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
from tests.shared import load_shared, skip_module_without

POOL_FILE = "data/oracle-cards.json.gz"
skip_module_without(POOL_FILE)
pytestmark = pytest.mark.django_db

ALL = load_shared(POOL_FILE)
RECORDS = [record for record in ALL if not is_left_out(record)]
Fits = Callable[[dict[str, Any]], bool]


def faces(record: dict[str, Any]) -> list[dict[str, Any]]:
    return record.get("card_faces") or [record]


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


def mv(*values: int) -> Fits:
    return lambda record: record["cmc"] in values


def legal(format: str) -> Fits:
    return lambda record: record["legalities"][format] in ("legal", "restricted")


EXPECTED: dict[str, Fits] = {
    '(t:elf or t:goblin) mv<=1 o:"draw a card"': both(
        lambda record: is_a("elf")(record) or is_a("goblin")(record), mv(0, 1), says("draw a card")
    ),
    "kw:flying kw:vigilance kw:lifelink": lambda record: (
        {"Flying", "Vigilance", "Lifelink"} <= set(record["keywords"])
    ),
    "fo:damage -o:damage t:goblin": both(
        is_a("goblin"),
        lambda record: any(
            "damage" in face.get("oracle_text", "").lower() for face in faces(record)
        ),
        not_(says("damage")),
    ),
    "lim-dul": lambda record: "lim-dûl" in record["name"].lower(),
    "legal:vintage -legal:legacy": both(legal("vintage"), not_(legal("legacy"))),
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
    assert all(expected.values())

    unplayable = {
        record["name"] for record in RECORDS if record["legalities"]["vintage"] == "not_legal"
    }
    for expression in ("", "t:elf", "c:w", "is:hero", "mv=2"):
        assert not {card.name for card, *_ in page(expression)["rows"]} & unplayable
    for typed, name in TYPED.items():
        assert name in [card.name for card, *_ in page(typed)["rows"][:3]]
