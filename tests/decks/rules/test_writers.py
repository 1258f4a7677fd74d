"""Lists to copy into other sites, which are read as they were written."""

import pytest

from decks.rules.entries import Section
from decks.rules.lists import read
from decks.rules.writers import Line, write_arena, write_moxfield, write_mtgo

MAIN, SIDE = Section.MAIN, Section.SIDEBOARD
DECK = [
    Line(4, "Ox", "Ox", MAIN),
    Line(1, "Zug // Zog", "Zug", MAIN, is_hero=True),
    Line(2, "Fire // Ice", "Fire", Section.LEVEL_2, is_split=True),
    Line(3, "Egg // Dragon", "Egg", SIDE),
]


@pytest.mark.parametrize(
    ("write", "main", "side"),
    [
        (
            write_moxfield,
            "4 Ox\n2 Fire // Ice\n",
            "SIDEBOARD:\n1 Zug // Zog\n3 Egg // Dragon\n",
        ),
        (write_arena, "Deck\n4 Ox\n2 Fire // Ice\n", "Sideboard\n1 Zug\n3 Egg\n"),
        (write_mtgo, "4 Ox\n2 Fire/Ice\n", "Sideboard\n1 Zug\n3 Egg\n"),
    ],
)
def test_a_list_has_the_hero_in_its_sideboard_sub_decks_as_one_and_no_empty_part(write, main, side):
    assert [write(part) for part in (DECK, DECK[::2], DECK[1::2], [])] == [
        f"{main}\n{side}",
        main,
        side,
        "",
    ]
    assert [(one.count, one.section) for one in read(f"{main}\n{side}").entries] == [
        *((4, MAIN), (2, MAIN), (1, SIDE), (3, SIDE))
    ]
