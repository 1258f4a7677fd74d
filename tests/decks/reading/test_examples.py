"""A list of each tool, written by hand, and what it means: see ``examples/expected.json``."""

import json
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from decks.reading import lists
from decks.rules.entries import DeckList, Section
from decks.rules.names import name_key
from tests.shared import SHARED

OWN, GIVEN = Path(__file__).parent / "examples", SHARED / "cases/lists"
NAMES = (
    *("Llanowar Elves", "Forest", "Naturalize", "Marwyn, the Nurturer", "Fire // Ice"),
    *("Giant Growth", "Sol Ring", "Lurrus of the Dream-Den"),
    *("Circle of Protection: Red", "Summon: Shiva"),
)


def meant_in(folder: Path) -> dict[str, dict[str, Any]]:
    told: dict[str, Any] = json.loads((folder / "expected.json").read_text())
    return {file: meant for file, meant in told.items() if file != "about"}


def read(folder: Path, file: str, names: Collection[str]) -> tuple[DeckList, str]:
    known = {name_key(name) for name in names}

    def find(asked: Collection[str]) -> set[str]:
        return {name for name in asked if name_key(name) in known}

    text = lists.decode((folder / file).read_bytes())
    return lists.with_known_names(lists.read(text, find=find), find), text


def answer(deck_list: DeckList) -> dict[str, Any]:
    """Return what a list says, in the form of the files that expect it."""
    counts: dict[str, Counter[str]] = {part: Counter() for part in ("main", "side", "out")}
    for entry in deck_list.entries:
        part = "main" if entry.section is Section.MAIN else "side"
        counts[part][entry.name] += entry.count
    for one in deck_list.left_out:
        counts["out"][one.name] += one.count
    parts = {part: {name_key(name): count for name, count in some.items()}
             for part, some in counts.items()}  # fmt: skip
    hero = next((entry.name for entry in deck_list.entries if entry.is_hero), None)
    return parts | {"hero": hero, "bad": list(deck_list.bad_lines)}


def wanted(meant: dict[str, Any]) -> dict[str, Any]:
    parts = {
        part: {name_key(name): count for name, count in meant.get(part, {}).items()}
        for part in ("main", "side", "out")
    }
    return parts | {"hero": meant.get("hero"), "bad": []}


@pytest.mark.parametrize("file", meant_in(OWN))
def test_list_of_a_tool_is_read_as_that_tool_means_it(file):
    meant = meant_in(OWN)[file]

    deck_list, text = read(OWN, file, NAMES)

    assert answer(deck_list) == wanted(meant)
    assert (deck_list.read_as, deck_list.name) == (meant["tool"], meant.get("name", ""))
    assert missing_lines(deck_list, text) == []


def missing_lines(deck_list: DeckList, text: str) -> list[str]:
    """Return the lines that are no card, heading, left out or bad; XML is read by its elements."""
    if text.lstrip().startswith("<"):
        return []
    listed = (*deck_list.entries, *deck_list.left_out, *deck_list.bad_lines)
    told = {one.line for one in listed} | deck_list.headings
    return [line for at, line in enumerate(text.splitlines(), 1) if line.strip() and at not in told]


def test_every_example_is_expected_and_at_least_sixteen_tools_have_one():
    files = {path.name for path in OWN.iterdir()} - {"expected.json"}

    assert files == meant_in(OWN).keys()
    titles = {tool.title or tool.__name__ for tool in lists.TOOLS}
    assert titles <= {meant["tool"] for meant in meant_in(OWN).values()}
    assert len(titles) >= 16


@pytest.mark.skipif(not GIVEN.exists(), reason=f"SHARED CASES NOT PLAYED: there is no {GIVEN}")
def test_the_given_lists_are_read_as_their_tools_mean_them():
    for file, meant in meant_in(GIVEN).items():
        names = {name for part in ("main", "side", "out") for name in meant.get(part, {})}

        deck_list, text = read(GIVEN, file, names)

        assert (file, answer(deck_list)) == (file, wanted(meant))
        assert (file, deck_list.read_as) == (file, meant.get("tool", deck_list.read_as))
        assert (file, missing_lines(deck_list, text)) == (file, [])
