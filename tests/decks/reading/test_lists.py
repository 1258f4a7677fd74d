"""Deck lists are read as people have them."""

import codecs
import re
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from decks.reading.lists import decode, read
from decks.reading.plain import lines_of
from decks.rules.entries import BadLine, DeckList, Entry, LeftOut, Section, Unreadable

NOT_A_NAME = "No card name can be read here. Write a count and a name, like 4 Forest."
COUNT = "The count must be from 1 to 999."
CONTROL = "This line has a character that can't be shown. Type it again."
NO_CARD = "There is no card in this list. Write one card per line, like 4 Forest."
LEVELS_APART = "Sub-decks are for Leveler. Take this line out, or check the list as a Leveler deck."
TOO_LONG = "This list is too long: 200 kB at most. Send the list of a single deck."
NO_TEXT = "This is not a text file. Export the deck as text, .dek or .cod, or paste it."
DECLARES = (
    "This file declares a document type or entities, which no deck list needs."
    " Export the deck again, or paste it as text."
)


ENTRY = re.compile(r"(?:(side|hero|level-\d) )?(\d+): (\d+) (.*)")
SECTIONS = {None: Section.MAIN, "side": Section.SIDEBOARD, "hero": Section.SIDEBOARD}


def deck(*entries, bad=(), name="", out=()):
    """Return a list; ``"1: 4 Ox | side 3: 1 Elk"`` has 4 on line 1, and 1 in the sideboard."""
    read = []
    for entry in " | ".join(entries).split(" | "):
        where, line, count, card = ENTRY.fullmatch(entry).groups()
        section = SECTIONS.get(where) or Section(where)
        read.append(Entry(int(line), int(count), card, section, where == "hero"))
    left_out = tuple(LeftOut(*line) for line in out)
    return DeckList(tuple(read), tuple(BadLine(*line) for line in bad), name, left_out)


def under(heading, line, count, name):
    return line, count, name, f"It is under “{heading}”."


def of(*names):
    """Return a catalogue that has only these cards."""
    return lambda asked: {name for name in asked if name in names}


def refusal(function, *arguments):
    with pytest.raises(Unreadable) as caught:
        function(*arguments)
    return str(caught.value)


# What a plain list says, by its headings and blank lines


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        # Plain list.
        ("// Dragons\n4 Red Dragon\n4x Blue Dragon\n20 Mountain\nIsland\n\n1 Zug, the Tall\n",
         "2: 4 Red Dragon | 3: 4 Blue Dragon | 4: 20 Mountain | 5: 1 Island | "
         "side 7: 1 Zug, the Tall"),
        # Companion that stands nowhere else is of the sideboard.
        ("Companion\n1 Cat\n\nDeck\n4 Ox", "side 2: 1 Cat | 5: 4 Ox"),
        # Groups of the sideboard are of the sideboard.
        ("Creatures\n4 Ox\nSideboard\nCreatures\n1 Elk\nLands\n1 Cow",
         "2: 4 Ox | side 5: 1 Elk | side 7: 1 Cow"),
        # Several blank lines count as one and those at the ends as none.
        ("\n \n4 Ox\n\n \t\n\n1 Elk\n\n\n", "3: 4 Ox | side 7: 1 Elk"),
        ("4 Ox\n\n\n", "1: 4 Ox"),
        # Blank lines are between groups where a header names the sideboard.
        ("4 Ox\n\n4 Elk\n\n20 Plains\n\nSideboard\n\n1 Cow\n\n1 Hen",
         "1: 4 Ox | 3: 4 Elk | 5: 20 Plains | side 9: 1 Cow | side 11: 1 Hen"),
        # Blank lines are between groups where lines name the sideboard.
        ("4 Ox\n\n4 Elk\n\nSB: 1 Cow\nSideboard: 2 Hen\n4 Emu",
         "1: 4 Ox | 3: 4 Elk | side 5: 1 Cow | side 6: 2 Hen | 7: 4 Emu"),
        # Last group without a heading is the sideboard.
        ("// Creatures\n4 Ox\n// so far 4\n\n// Lands\n20 Plains\n\n1 Cow",
         "2: 4 Ox | 6: 20 Plains | side 8: 1 Cow"),
        # Sideboard starts where the main deck is full.
        ("36 Ox\n\n24 Plains\n\n1 Zug\n\n9 Elk",
         "1: 36 Ox | 3: 24 Plains | side 5: 1 Zug | side 7: 9 Elk"),
        ("Deck\n60 Ox\n\n10 Elk", "2: 60 Ox | side 4: 10 Elk"),
        ("59 Ox\n\n1 Elk\n\n9 Cow", "1: 59 Ox | 3: 1 Elk | side 5: 9 Cow"),
        # Hero first then the main deck.
        ("Hero\n\n1 Zug\n\n4 Ox\n\n1 Elk", "hero 3: 1 Zug | 5: 4 Ox | side 7: 1 Elk"),
        ("Hero\n1 Zug\n\n4 Ox", "hero 2: 1 Zug | 4: 4 Ox"),
        ("Hero\n1 Zug\n// Creatures\n4 Ox", "hero 2: 1 Zug | 4: 4 Ox"),
        # Cards after the hero are of the sideboard where the main deck was before.
        ("4 Ox\n\n20 Plains\n\nHero\n1 Zug\n\n1 Elk\n\n1 Cow",
         "1: 4 Ox | 3: 20 Plains | hero 6: 1 Zug | side 8: 1 Elk | side 10: 1 Cow"),
        # Main deck may come last.
        ("Sideboard\n1 Elk\n\nDeck\n4 Ox\n\n4 Cow", "side 2: 1 Elk | 5: 4 Ox | 7: 4 Cow"),
    ],
)  # fmt: skip
def test_list_is_read_as_it_is_meant(written, expected):
    assert read(written) == deck(expected)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        # Sub decks are apart by blank lines.
        ("4 Ox\n\n\n4 Elk\n1 Hen\n\n4 Cow\n",
         "level-1 1: 4 Ox | level-2 4: 4 Elk | level-2 5: 1 Hen | level-3 7: 4 Cow"),
        # Sub decks in groups end where they are full.
        ("20 Ox\n\n30 Plains\n\n10 Elk\n\n20 Island\n\n5 Cow\n\n15 Swamp",
         "level-1 1: 20 Ox | level-1 3: 30 Plains | level-2 5: 10 Elk | "
         "level-2 7: 20 Island | level-3 9: 5 Cow | level-3 11: 15 Swamp"),
    ],
)  # fmt: skip
def test_list_for_leveler_is_parted_into_sub_decks(written, expected):
    assert read(written, sub_decks=True) == deck(expected)


# One list of each site


DEK = """<?xml version="1.0" encoding="utf-8"?>
<Deck xmlns:xsd="http://www.w3.org/2001/XMLSchema">
  <NetDeckID>0</NetDeckID>
  <Cards CatID="1" Quantity="4" Sideboard="false" Name="Red Dragon" Annotation="0" />
  <Cards CatID="2" Quantity="2" Sideboard="false" Name="Fire/Ice" Annotation="0" />
  <Cards CatID="3" Quantity="1" Sideboard="true" Name="Zug &amp; Zog" Annotation="0" />
</Deck>
"""


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ('"Count","Name","Edition"', '"4","Zug, the Tall","dom"'),
        ("Quantity,Name,Simple Name,Set", '4,"Zug, the Tall (Showcase)","Zug, the Tall",Dominaria'),
        ("Quantity;Name;Finish", "4;Zug, the Tall;Normal"),
        ("Count\tName\tEdition", "4x\tZug, the Tall\tDominaria"),
    ],
)
def test_table_is_read_by_its_header(header, row):
    assert read(f"{header}\n{row}\n") == deck("2: 4 Zug, the Tall")
    assert read(f'"sep=,"\n\n{header}\n{row}\n') == deck("4: 4 Zug, the Tall")


def test_table_that_a_mail_quotes_is_read_as_well():
    assert read("> Count,Name\n> 4,Ox\n> 1,Elk") == deck("2: 4 Ox | 3: 1 Elk")
    assert read("> Name,Set,Foil\n> Ox,DOM,no") == deck("2: 1 Ox")


def test_row_that_can_not_be_read_is_a_bad_line():
    assert read('Count,Name,Set\n4,Ox,A\nfour,Elk,A\n2,,A\n3\n1,"Hen,A\n1,Cow,A') == deck(
        "2: 4 Ox | 6: 1 Hen,A | 7: 1 Cow",
        bad=[(3, "four,Elk,A", COUNT), (4, "2,,A", NOT_A_NAME), (5, "3", NOT_A_NAME)],
    )


def test_xml_pasted_below_blank_lines_keeps_its_line_numbers():
    assert read("\ufeff\n\r\n" + DEK).entries[0] == Entry(6, 4, "Red Dragon", Section.MAIN)


def test_xml_that_declares_another_encoding_is_read_as_the_text_it_is():
    latin = '<?xml version="1.0" encoding="iso-8859-1"?><Cards Quantity="1" Name="Jötun"/>'

    assert read(decode(latin.encode("latin-1"))) == deck("1: 1 Jötun")


# The parts of a line


@pytest.mark.parametrize(
    "line",
    ["4 Ox", "4x Ox", "4× Ox", "4 x Ox", "004 Ox", "4 Ox (M10)", "4 Ox (plst) 2XM-12★ *F*",
     "4 Ox [M10]", "4 Ox <141> [M10] (F)", "4 Ox *F* [Big] ^Got it,#fff^", "4 Ox # cheap",
     "4 O\u200bx", "- 4 Ox", "x4 Ox", "(4) Ox", "4: Ox", "4 - Ox", "4,Ox", "Ox x4", "Ox x 4",
     "Ox 4x", "Ox 4", "Ox (4)", "Ox [4]", "Ox - 4", "Ox: 4", "Ox (M10) 12 x4", "4 [M10] Ox",
     "4 [M10:12*] Ox", "4 (M10) Ox", "4 Ox [M10] 12", "4 Ox (M10) 12 F", "4 Ox|M10|1",
     "4 Ox+|M10", "4\tOx\tMagic 2010", "Ox\t4"],
)  # fmt: skip
def test_line_means_four_oxen(line):
    assert read(line) == deck("1: 4 Ox")


@pytest.mark.parametrize(
    ("line", "count", "name"),
    [
        ("Ox", 1, "Ox"),
        ("1 X", 1, "X"),
        ("X", 1, "X"),
        ("1 +2 Mace", 1, "+2 Mace"),
        ("2 1996 World Champion", 2, "1996 World Champion"),
        ("1 _____", 1, "_____"),
        ("SP//dr, Piloted by Peni", 1, "SP//dr, Piloted by Peni"),
        ("1 Fire // Ice (MH2) 290", 1, "Fire // Ice"),
        ("1 Hazmat Suit (Used) (UST) 57", 1, "Hazmat Suit (Used)"),
        ("1 B.F.M. (Big Furry Monster) [A]", 1, "B.F.M. (Big Furry Monster) [A]"),
        ("1 X // Ox", 1, "X // Ox"),
        ("- Ox", 1, "Ox"),
        ("Ox, the Old, 4", 4, "Ox, the Old"),
        ("Ox (M10) 12", 1, "Ox"),
        ("3X [A] Ox (9)", 3, "Ox"),
        ("4 Jace&#39;s Ox", 4, "Jace's Ox"),
        ("4 Ox&comma; the Old", 4, "Ox, the Old"),
        ("4 Ox &amp; Elk", 4, "Ox & Elk"),
    ],
)
def test_line_is_read_for_its_count_and_name(line, count, name):
    assert read(line) == deck(f"1: {count} {name}")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        # A hero is named on a line, and is of the sideboard.
        *((f"4 Ox\n{line}\n4 Elk", "1: 4 Ox | hero 2: 1 Zug | 3: 4 Elk") for line in (
            "1 Zug *HERO*", "1 Zug *Leader*", "1 Zug *CMDR*", "1 Zug *HERO* (CMD) 12",
            "1 Zug # !Commander", "Hero: Zug", "Leader: 1 Zug", "COMMANDER: 1x Zug (CMD) 12",
            "SB: 1 Zug *HERO*",
        )),
        # It has a section of its own.
        *((f"4 Ox\nSideboard\n2 Elk\n\n{header}\n1 Zug", "1: 4 Ox | side 3: 2 Elk | hero 6: 1 Zug")
          for header in ("Hero", "Leader", "Commander", "HERO:", "Hero (1)", "// Hero")),
        # The sideboard has a header, however that is set out.
        *((f"4 Ox\n{header}\n2 Elk", "1: 4 Ox | side 3: 2 Elk") for header in (
            "Sideboard", "SIDEBOARD:", "Side-board", "Sideboard: 2 cards", "== Sideboard ==",
            "**Sideboard**", "[Sideboard]", "SB:", "// Sideboard (2 cards)", "# Sideboard",
        )),
        # Comments and headings of groups say nothing.
        *((f"4 Ox\n{comment}\n2 Elk", "1: 4 Ox | 3: 2 Elk") for comment in (
            "// Creatures", "//", "# Lands (24)", "# mine, not the sideboard", "Creatures",
            "Lands:", "Instants and Sorceries (8)", "Removal:", "Elves (2)", "== Elves ==",
            "# Level 1",
        )),
        # A card whose name begins like a header is a card.
        *((name, f"1: 1 {name}") for name in (
            "Hero of Bladehold", "Commander Eesha", "Leader's Talent", "Level Up", "Side Quest",
        )),
        # A group with a heading is of the main deck.
        *((f"// Creatures\n4 Ox\n\n{heading}\n20 Plains", "2: 4 Ox | 5: 20 Plains")
          for heading in ("// Lands", "# Lands", "Lands (20)", "Lands:")),
        ("// Creatures\n4 Ox\n\n// Lands\n\n20 Plains", "2: 4 Ox | 6: 20 Plains"),
    ],
)  # fmt: skip
def test_marks_and_headings_mean_what_they_say_however_they_are_written(written, expected):
    assert read(written) == deck(expected)


@pytest.mark.parametrize(
    "heading",
    ["Tokens", "Tokens (1)", "[Tokens]", "Planar Deck", "Display Commander", "Schemes", "Dungeon"],
)
def test_what_is_never_in_a_deck_is_left_out(heading):
    assert read(f"4 Ox\n{heading}\n1 Elk\nSideboard\n1 Cow") == deck(
        "1: 4 Ox | side 5: 1 Cow", out=[under(heading.strip("[]"), 3, 1, "Elk")]
    )


# Categories


GROUPED = (
    "Commander\n1x Zug\n\nBig Things\n4x Ox\n\nMaybeboard\n1x Cow\n\nMy Spells\n2x Bolt\n\n"
    "Sideboard\n1x Elk\n\nZoo\n1x Hen"
)


def test_categories_are_headings_in_a_list_that_is_grouped_by_them():
    assert read(GROUPED, find=of("Ox", "Zug")) == deck(
        "hero 2: 1 Zug | 5: 4 Ox | 11: 2 Bolt | side 14: 1 Elk | 17: 1 Hen",
        out=[under("Maybeboard", 8, 1, "Cow")],
    )


def test_card_above_others_is_no_heading():
    told = read(GROUPED, find=of("Zoo", "Big Things", "My Spells"))

    assert [(one.line, one.name) for one in told.entries if one.count == 1] == [
        (2, "Zug"),
        (4, "Big Things"),
        (14, "Elk"),
        (16, "Zoo"),
        (17, "Hen"),
    ]
    assert [one.name for one in told.left_out] == ["Cow", "My Spells", "Bolt"]


def test_category_after_a_maybeboard_is_of_the_main_deck_and_one_in_it_is_not():
    assert read("4 Ox\nMaybeboard\n1 Cow\nRemoval:\n1 Elk\nRamp\n1 Hen") == deck(
        "1: 4 Ox | 5: 1 Elk | 7: 1 Hen", out=[under("Maybeboard", 3, 1, "Cow")]
    )
    assert read("4 Ox\nMaybeboard\n\nCreatures (1)\n1 Cow\n\nLands (1)\n1 Elk") == deck(
        "1: 4 Ox", out=[under("Maybeboard", 5, 1, "Cow"), under("Maybeboard", 8, 1, "Elk")]
    )


# A card or not: what only the cards tell


def test_number_behind_a_name_is_a_count_unless_a_card_has_it_in_its_name():
    assert read("Vault 76\nOx 20", find=of("Vault 76")) == deck("1: 1 Vault 76 | 2: 20 Ox")


@pytest.mark.parametrize("line", ["Ox (2)", "Ox:", "[Ox]", "Ox [2]"])
def test_line_that_names_a_card_is_no_heading(line):
    count = 2 if "2" in line else 1

    assert read(f"4 Cow\n{line}\n2 Elk", find=of("Ox")) == deck(
        f"1: 4 Cow | 2: {count} Ox | 3: 2 Elk"
    )
    assert read(f"4 Cow\n{line}\n2 Elk", find=of()) == deck("1: 4 Cow | 3: 2 Elk")


@pytest.mark.parametrize("below", ["", "\n3 Elk", "\n\n2 Elk", "\nElk (2)"])
def test_count_behind_a_name_is_of_the_name_unless_as_many_cards_follow(below):
    assert read(f"4 Cow\nOx (2){below}").entries[1] == Entry(2, 2, "Ox", Section.MAIN)


def test_word_that_is_a_heading_and_a_card_is_what_the_cards_make_it():
    written = "4 Ox\nAcquire\n1 Elk"

    assert read(written) == deck("1: 4 Ox", out=[under("Acquire", 3, 1, "Elk")])
    assert read(written, find=of("Acquire")) == deck("1: 4 Ox | 2: 1 Acquire | 3: 1 Elk")


@pytest.mark.parametrize(
    ("hero", "main", "side", "out"),
    [
        ("Commander", "Deck", "Sideboard", "Considering"),
        ("Kommandeur", "Deck", "Sideboard", "Vielleicht"),
        ("Commandant", "Deck principal", "Réserve", "Peut-être"),
        ("Comandante", "Mazzo", "Sideboard", "Forse"),
        ("Comandante", "Mazo", "Banquillo", "Quizás"),
        ("Comandante", "Baralho", "Reserva", "Talvez"),
        ("Командир", "Колода", "Сайдборд", "Возможно"),
        ("統率者", "デッキ", "サイドボード", "検討中"),
        ("지휘관", "덱", "사이드보드", "고려 중"),
        ("指挥官", "套牌", "备牌", "考虑中"),
    ],
)
def test_sections_are_known_in_ten_languages(hero, main, side, out):
    assert read(f"{hero}\n1 Zug\n{main}\n4 Ox\n{side}\n1 Elk\n{out}\n1 Cow") == deck(
        "hero 2: 1 Zug | 4: 4 Ox | side 6: 1 Elk", out=[under(out, 8, 1, "Cow")]
    )


def test_companion_that_the_sideboard_has_too_counts_once():
    why = "The sideboard has it too, and it counts once."

    assert read("Companion\n1 Cat\n\nDeck\n4 Ox\n\nSideboard\n1 Cat") == deck(
        "5: 4 Ox | side 8: 1 Cat", out=[(2, 1, "Cat", why)]
    )


def test_deck_is_named_in_its_about_section_only():
    assert read("About\nName Level 1\nName Dropping\n\nName Dropping") == deck(
        "3: 1 Name Dropping | side 5: 1 Name Dropping", name="Level 1"
    )


# Leveler


@pytest.mark.parametrize(
    "headers",
    [
        ("Level 1", "Level 2", "Level 3"),
        ("LEVEL 1:", "level-2", "Level 3 (20)"),
        ("Sub-deck 1", "Subdeck 2", "Sub deck 3: 20 cards"),
        ("== Level One ==", "[Level Two]", "Level III"),
    ],
)
def test_sub_decks_have_headers(headers):
    one, two, three = headers
    told = read(f"{one}\n4 Ox\n\n4 Hen\n{two}\n4 Elk\n{three}\n\n4 Cow", sub_decks=True)

    assert told == deck("level-1 2: 4 Ox | level-1 4: 4 Hen | level-2 6: 4 Elk | level-3 9: 4 Cow")


def test_sub_deck_header_in_another_format_is_reported():
    assert read("Level 1\n4 Ox\n# Level 2\n4 Elk") == deck(
        "2: 4 Ox | 4: 4 Elk", bad=[(1, "Level 1", LEVELS_APART)]
    )


def test_file_for_leveler_is_all_in_the_first_sub_deck():
    assert read(DEK, sub_decks=True) == deck(
        "level-1 4: 4 Red Dragon | level-1 5: 2 Fire/Ice | side 6: 1 Zug & Zog"
    )


# What can't be read


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("0 Ox", COUNT),
        ("1000 Ox", COUNT),
        ("-1 Ox", COUNT),
        ("SB: 0 Ox", COUNT),
        ("4", NOT_A_NAME),
        ("4 (M10) 12", NOT_A_NAME),
        ("1 *HERO*", NOT_A_NAME),
        ("-----", NOT_A_NAME),
        ("4 " + "Ox" * 101, "This is too long for a card's name: 200 characters at most."),
        ("Ox " * 200, "This line is too long: 500 characters at most. Write one card per line."),
    ],
)
def test_bad_line_is_reported_and_the_rest_is_read(line, problem):
    assert read(f"4 Elk\n{line}\n4 Cow") == deck("1: 4 Elk | 3: 4 Cow", bad=[(2, line, problem)])


@pytest.mark.parametrize("mark", ["\0", "\x07", "\x1b", "\x0b", "\x85", "\ud800"])
def test_control_character_is_a_bad_line(mark):
    assert read(f"4 Elk\n4 O{mark}x") == deck("1: 4 Elk", bad=[(2, f"4 O{mark}x", CONTROL)])


def test_long_comment_is_a_comment():
    assert read("// " + "no card " * 200 + "\n4 Ox") == deck("2: 4 Ox")


def test_bad_lines_after_the_first_200_are_summed_up():
    assert read("4 Ox\n" + "0 Elk\n" * 250) == deck(
        "1: 4 Ox",
        bad=[
            *[(number, "0 Elk", COUNT) for number in range(2, 202)],
            (202, "", "From here on, 50 more lines can't be read. Fix the others first."),
        ],
    )


@pytest.mark.parametrize(
    "empty", ["", "\n\n \n", "// Sideboard\n# Ox", "Deck\n\nSideboard\n", "<a/>"]
)
def test_list_without_a_card_is_unreadable(empty):
    assert refusal(read, empty) == NO_CARD


def test_list_of_bad_lines_alone_is_unreadable_and_says_why():
    assert refusal(read, "\n0 Ox\n%%%") == f"{NO_CARD} Line 2: {COUNT}"


def test_list_of_200_kb_is_read():
    assert read("4 Ox\n" + "/" * 199_995) == deck("1: 4 Ox")


def test_no_deck_has_more_than_a_thousand_lines_of_cards():
    assert len(read("4 Ox\n" * 1000).entries) == 1000
    assert refusal(read, "4 Ox\n" * 1001) == (
        "There are 1001 lines with cards here. Send the list of a single deck."
    )


def test_longer_list_is_unreadable():
    assert refusal(read, "4 Ox\n" + "/" * 199_996) == TOO_LONG
    assert refusal(read, "// " + "é" * 100_000) == TOO_LONG
    assert refusal(decode, b"a" * 200_001) == TOO_LONG


# XML that is not what it should be


@pytest.mark.parametrize(
    ("attributes", "problem"),
    [
        ('Quantity="0" Name="Elk"', COUNT),
        ('Quantity="1000" Name="Elk"', COUNT),
        ('Quantity="1.5" Name="Elk"', COUNT),
        ('Quantity="٤" Name="Elk"', COUNT),
        ('Quantity="1"', NOT_A_NAME),
        ('Quantity="1" Name="  "', NOT_A_NAME),
        ('Quantity="1" Name="E\x85lk&#x80;"', CONTROL),
        (
            f'Quantity="1" Name="{"Elk" * 67}"',
            "This is too long for a card's name: 200 characters at most.",
        ),
        (
            'Quantity="1" Sideboard="maybe" Name="Elk"',
            "The attribute sideboard must be true or false.",
        ),
    ],
)
def test_unreadable_attribute_is_a_bad_line_and_the_rest_is_read(attributes, problem):
    bad = f"<Cards {attributes}/>"
    told = read(
        f'<Deck>\n<Cards Quantity="4" Name="Ox"/>\n{bad}\n<Cards Quantity="1" Name="Cow"/></Deck>'
    )

    shown = bad[:80].replace("\x85", "�")
    assert told == deck("2: 4 Ox | 4: 1 Cow", bad=[(3, shown, problem)])


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        ("<Cards Name=Elk/>", "not well-formed (invalid token)"),
        ("</Dek>", "mismatched tag"),
        ("&boo;", "undefined entity"),
        ("\x01", "not well-formed (invalid token)"),
        ("<Cards", "unclosed token"),
    ],
)
def test_what_was_read_before_broken_xml_stays(rest, said):
    problem = (
        f"The XML is broken here ({said}), and nothing after this line was read. "
        "Export the deck again."
    )

    told = read(f'<Deck>\n<Cards Quantity="4" Name="Ox"/>\n{rest}')

    shown = rest.replace("\x01", "�")
    assert told == deck("2: 4 Ox", bad=[(3, shown, problem)])


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("4 Elk", "This text is in no card. Export the deck again."),
        ('<card qty="4" id="a"/>', NOT_A_NAME),
        ('<card qty="4" id="a">Elk<crad/></card>', NOT_A_NAME),
        ('<crad number="4">Elk</crad>', None),
        ('<c>rd number="4" name="Elk"/></c>', "This text is in no card. Export the deck again."),
    ],
)
def test_spoilt_card_of_a_file_does_not_vanish(line, problem):
    told = read(
        f'<deck><section name="Main">\n{line}\n<card qty="1" id="b">Ox</card></section></deck>'
    )

    if problem:
        assert told == deck("3: 1 Ox", bad=[(2, line, problem)])
    else:
        assert told == deck("2: 4 Elk | 3: 1 Ox")


def test_break_is_told_where_a_quote_was_lost():
    told = read(
        '<Deck>\n<Cards Quantity="1" Name="Elk"/>\n<Cards Quantity="4" Name="Ox/>\n<Cards/>'
    )

    assert [bad.line for bad in told.bad_lines] == [3]


@pytest.mark.parametrize(
    "data", ['{"main": [1]}', '[{"name": "Ox"}]', '[\n  "Ox"\n]', "{\\rtf1 4 Ox}"]
)
def test_data_for_programs_is_unreadable_and_says_what_it_is(data):
    assert refusal(read, data) == (
        "This is data for programs, not a deck list. Export the deck as text, or paste it."
    )


LAUGHS = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize(
    "declaration",
    [
        "<!DOCTYPE Deck>",
        '<!DOCTYPE Deck SYSTEM "http://example.org/deck.dtd">',
        f'<!DOCTYPE Deck [<!ENTITY a0 "ha">{LAUGHS}]>',
        '<!DOCTYPE Deck [<!ENTITY a9 SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE Deck [<!ENTITY % a9 SYSTEM "http://example.org/"> %a9;]>',
        "<!DOCTYPE html>",
    ],
)
def test_xml_with_declarations_is_refused(declaration):
    cards = '<Deck><Cards Quantity="4" Name="Ox"/>&a9;</Deck>'

    assert refusal(read, f'<?xml version="1.0"?>\n{declaration}\n{cards}') == DECLARES


def test_deeply_nested_xml_is_read():
    nested = "<a>" * 10_000 + '<card number="1" name="Ox"/>' + "</a>" * 10_000

    assert read(nested) == deck("1: 1 Ox")


def test_text_that_only_begins_like_xml_is_a_plain_list():
    told = read("<3 <3 <3\n4 Ox")

    assert told == deck("1: 1 <3 <3 <3 | 2: 4 Ox")


# Bytes


@pytest.mark.parametrize(
    "data",
    [
        "1 Jötun’s Ox".encode(),
        codecs.BOM_UTF8 + "1 Jötun’s Ox".encode(),
        "1 Jötun’s Ox".encode("utf-16"),
        codecs.BOM_UTF16_BE + "1 Jötun’s Ox".encode("utf-16-be"),
        "1 Jötun’s Ox".encode("windows-1252"),
    ],
)
def test_bytes_are_decoded_as_what_they_are(data):
    assert decode(data) == "1 Jötun’s Ox"


def test_bytes_that_windows_does_not_know_are_a_bad_line():
    assert read(decode(b"1 Ox\n1 O\x81x")) == deck("1: 1 Ox", bad=[(2, "1 O\x81x", CONTROL)])


@pytest.mark.parametrize(
    "data",
    [
        b"PK\x03\x04\x00\x00",
        b"\x89PNG\r\n\x1a\n" + bytes(range(1, 9)) * 9,
        "1 Ox".encode("utf-16-le"),
        codecs.BOM_UTF16_LE + b"\x00\xd8\x00",
    ],
)
def test_bytes_that_are_no_text_are_unreadable(data):
    assert refusal(decode, data) == NO_TEXT


# What holds for every text

PIECES = st.sampled_from(
    ["\n", "\n\n", "4 Ox\n", "0 Ox\n", "Sideboard\n", "Hero\n", "About\nName ", "Level 2\n", "SB: ",
     "//", "#", "<", "<Deck>", '<Cards Quantity="1" Name="Ox"/>\n', "*HERO*", "[", "(", ")", "^",
     "\r", "\0", "\x85", "\ufeff", "-", "4", "x ", "_", "&a;", "<!DOCTYPE a>", "<?xml ", "?>"]
)  # fmt: skip
TEXTS = st.text() | st.lists(PIECES | st.text(max_size=4)).map("".join)


@given(TEXTS, st.booleans())
@example("<?xml version='1.0'?>\r\r<Cards Quantity='1' Name='Ox'/>\r<", False)
def test_any_text_is_read_or_unreadable_and_every_reported_line_exists(written, sub_decks):
    try:
        told = read(written, sub_decks=sub_decks)
    except Unreadable:
        return

    count = len(lines_of(written))
    assert all(1 <= entry.line <= count for entry in (*told.entries, *told.bad_lines))
    assert all(1 <= entry.count <= 999 and entry.name.strip() for entry in told.entries)
    in_order = [entry.line for entry in told.entries]
    assert in_order == sorted(in_order)


def calls(function, *arguments):
    """Return how many functions, written in Python or not, a call goes through."""
    count = 0

    def note(_frame, event, _argument):
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        function(*arguments)
    except Unreadable:
        pass
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize(
    "noise",
    ["a\n", "a\n\n", "0 a\n", "4 Ox\n\n4 Elk\n", "[ab]", "*a* ", "(((", "/ ", "<a>", "<a/>\n", "\r",
     "Hero\n1 Ox\n\n", "SB: 1 Ox *F* [a] ^b^\n", "4 Ox [ab][ab][ab][ab][ab][ab][ab]\n", "^#",
     "\u200b"],
)  # fmt: skip
def test_twice_the_noise_is_twice_the_work(noise):
    """What one step costs is bounded by the length of a line, so that counting them will do."""
    once = calls(read, noise * (10_000 // len(noise)))
    twice = calls(read, noise * (20_000 // len(noise)))

    assert twice <= 2.1 * once + 100
    assert twice <= 50 * 20_000
