"""Lists to copy into other sites, which are read as they were written."""

import pytest

from decks.reading.lists import read
from decks.reading.writers import write_archidekt, write_arena, write_moxfield, write_mtgo
from decks.rules.entries import Entry, Section

MAIN, SIDE = Section.MAIN, Section.SIDEBOARD
DECK = [
    Entry(1, 4, "Ox", MAIN, printing="(DOM) 16 *F*"),
    Entry(2, 1, "Zug // Zog", MAIN, is_hero=True),
    Entry(3, 2, "Fire // Ice", Section.LEVEL_2),
    Entry(4, 3, "Egg // Dragon", SIDE),
]


@pytest.mark.parametrize(
    ("write", "main", "side"),
    [
        (
            write_moxfield,
            "4 Ox (DOM) 16 *F*\n2 Fire // Ice\n",
            "SIDEBOARD:\n1 Zug // Zog\n3 Egg // Dragon\n",
        ),
        (write_arena, "Deck\n4 Ox\n2 Fire // Ice\n", "Sideboard\n1 Zug\n3 Egg\n"),
        (write_mtgo, "4 Ox\n2 Fire/Ice\n", "Sideboard\n1 Zug\n3 Egg\n"),
    ],
)
def test_a_list_has_the_hero_in_its_sideboard_sub_decks_as_one_and_no_empty_part(write, main, side):
    assert [write(part, {"Fire // Ice"}) for part in (DECK, DECK[::2], DECK[1::2], [])] == [
        f"{main}\n{side}",
        main,
        side,
        "",
    ]
    assert [(one.count, one.section) for one in read(f"{main}\n{side}").entries] == [
        *((4, MAIN), (2, MAIN), (1, SIDE), (3, SIDE))
    ]


def test_a_list_for_archidekt_names_the_hero_as_its_commander_and_is_read_as_it_was():
    written = write_archidekt(DECK, {"Fire // Ice"})

    assert written == (
        "4x Ox (DOM) 16\n1x Zug // Zog [Commander{top}]\n"
        "2x Fire // Ice\n3x Egg // Dragon [Sideboard]\n"
    )
    assert [(one.count, one.section, one.is_hero) for one in read(written).entries] == [
        *((4, MAIN, False), (1, SIDE, True), (2, MAIN, False), (3, SIDE, False))
    ]
