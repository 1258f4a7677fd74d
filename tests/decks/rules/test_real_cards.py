"""The shared cases and the pool of real cards, where they stand beside the repository."""

from collections import Counter

import pytest

from decks.reading import lists
from decks.rules import building, cards
from decks.rules.affiliations import Affiliations, Extractor, Face
from decks.rules.creature_types import TYPES, plurals
from decks.rules.entries import Entry, Section
from tests.shared import load_shared, skip_module_without

POOL_FILE = "data/oracle-cards.json.gz"
CASES_FILE = "cases/affiliations.json"
ALL = "all"

skip_module_without(POOL_FILE, CASES_FILE)


def faces_of(record):
    return [
        Face(part["name"], part.get("type_line", ""), part.get("oracle_text", ""))
        for part in record.get("card_faces") or [record]
    ]


EXTRACTOR = Extractor({name: plurals(name) for name in TYPES})
RECORDS = {record["name"]: record for record in load_shared(POOL_FILE)}
POOL = {name: faces_of(record) for name, record in RECORDS.items()}
CASES = load_shared(CASES_FILE)


def affiliations(name):
    found = EXTRACTOR.of(POOL[name])
    return ALL if found.every else sorted(found.types)


@pytest.mark.parametrize("name", CASES)
def test_case_has_the_expected_affiliations(name):
    assert affiliations(name) == CASES[name]["affiliations"]


def test_type_lines_of_the_pool_print_only_these_types_that_the_list_lacks():
    printed = {
        creature_type
        for name, faces in POOL.items()
        if RECORDS[name]["legalities"]["vintage"] != "not_legal"
        for face in faces
        for creature_type in EXTRACTOR.unknown_on_type_line(face.type_line)
    }

    assert sorted(printed) == [
        *("Andorian", "Borg", "Caitian", "Eternal", "Gamma", "Giraffe", "Gorn", "Inhuman"),
        *("Kelpien", "Klingon", "Kree", "Lanthanite", "Officer", "Orion", "Q", "Shi'ar"),
        *("Skrull", "Spy", "Talosian", "Tholian", "Tosk", "Vorta", "Vulcan", "Xindi"),
    ]


def test_pool_is_read_whole():
    found = [EXTRACTOR.of(faces) for faces in POOL.values()]

    assert sum(one.every for one in found) == 65
    assert found.count(Affiliations()) == pytest.approx(12_504, abs=50)


def names_with(fact):
    return {name for name, faces in POOL.items() if any(map(fact, faces))}


def test_only_these_cards_allow_more_copies():
    found = {
        name: copies
        for name, (face, *_) in POOL.items()
        if (copies := cards.copies_allowed(face.oracle_text))
    }

    assert Counter(found.values()) == {cards.ANY_NUMBER: 10, 9: 1, 7: 1}
    assert (found["Nazgûl"], found["Seven Dwarves"]) == (9, 7)


def test_only_grist_is_a_creature_elsewhere():
    assert names_with(lambda face: cards.is_creature_outside_the_battlefield(face.oracle_text)) == {
        "Grist, the Hunger Tide"
    }


def test_batches_are_banned_in_vintage():
    """But for un-cards that are not in the pool at all."""
    ante = names_with(lambda face: cards.uses_ante(face.oracle_text))
    conspiracies = names_with(lambda face: "Conspiracy" in cards.card_types(face.type_line))
    stickers = names_with(
        lambda face: cards.uses_stickers_or_attractions(face.oracle_text, face.type_line)
    )

    assert (len(ante), len(conspiracies), len(stickers)) == (9, 25, 110)
    by_status = Counter(
        RECORDS[name]["legalities"]["vintage"] for name in ante | conspiracies | stickers
    )
    assert by_status == {"banned": 125, "not_legal": 19}


def test_every_name_is_read_as_it_is_written_in_a_deck():
    def read_again(name: str) -> str:
        build = building.Build((Entry(0, 1, name, Section.MAIN),))
        return lists.read(building.written(build)).entries[0].name

    assert [name for name in RECORDS if read_again(name) != name] == []
