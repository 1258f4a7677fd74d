"""Lists to copy into other sites, which are read as they were written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks.rules.entries import Section
from decks.rules.lists import read
from decks.rules.writers import Line, write_arena, write_moxfield, write_mtgo

MAIN, SIDE = Section.MAIN, Section.SIDEBOARD

DECK = [
    Line(4, "Ox", "Ox", MAIN),
    Line(1, "Zug // Zog", "Zug", SIDE, is_hero=True),
    Line(2, "Fire // Ice", "Fire", MAIN, is_split=True),
    Line(3, "Egg // Dragon", "Egg", SIDE),
]


@pytest.mark.parametrize(
    ("write", "main", "side"),
    [
        (write_moxfield, "4 Ox\n", "SIDEBOARD:\n3 Egg // Dragon\n"),
        (write_arena, "Deck\n4 Ox\n", "Sideboard\n3 Egg\n"),
        (write_mtgo, "4 Ox\n", "Sideboard\n3 Egg\n"),
    ],
)
def test_parts_without_a_card_are_left_out(write, main, side):
    assert [write([]), write(DECK[:1]), write(DECK[3:])] == ["", main, side]


def test_sub_decks_are_one_main_deck_elsewhere():
    levels = [Section.LEVEL_1, Section.LEVEL_2, Section.LEVEL_3]
    lines = [Line(1, name, name, level) for name, level in zip("ABC", levels, strict=True)]

    assert write_arena(lines) == "Deck\n1 A\n1 B\n1 C\n"


FACES = st.sampled_from(
    ["Ox", "X", "_____", "+2 Mace", "1996 World Champion", "Sideboard", "Hero of Bladehold",
     "Hazmat Suit (Used)", "Sly Spy [A]", "B.F.M. (Big Furry Monster) [B]", "Jötun Grunt",
     "Look at Me, I'm R&D", "Rumors of My Death . . .", "Circle of Protection: Red", "Level 1"]
)  # fmt: skip


@st.composite
def lines(draw):
    front, back = draw(FACES), draw(st.none() | FACES)
    is_hero = draw(st.booleans())
    return Line(
        draw(st.integers(1, 999)),
        f"{front} // {back}" if back else front,
        front,
        SIDE if is_hero else draw(st.sampled_from([MAIN, SIDE])),
        is_hero,
        is_split=bool(back) and draw(st.booleans()),
    )


NAMES = {
    write_moxfield: lambda line: line.full_name,
    write_arena: lambda line: line.full_name if line.is_split else line.front_name,
    write_mtgo: lambda line: (
        line.full_name.replace(" // ", "/") if line.is_split else line.front_name
    ),
}


@pytest.mark.parametrize("write", NAMES)
@given(deck=st.lists(lines(), min_size=1))
def test_written_list_is_read_as_it_was(write, deck):
    told = read(write(deck))

    written = sorted(deck, key=lambda line: line.section is SIDE)
    assert told.bad_lines == ()
    assert [(entry.count, entry.name, entry.section) for entry in told.entries] == [
        (line.count, NAMES[write](line), line.section) for line in written
    ]
