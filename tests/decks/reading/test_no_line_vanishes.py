"""Whatever a list looks like, each line with a card is told of: none vanishes without a word."""

import re
from random import Random
from xml.sax.saxutils import escape

import pytest

from decks.reading import lists
from decks.reading.plain import lines_of as split
from decks.rules.entries import DeckList, Unreadable
from decks.rules.names import name_key

from .test_examples import NAMES as EXAMPLES
from .test_examples import OWN, meant_in, read

LISTS = 150  # of each example
NAMES = (
    *("Ox", "Old Elk", "Red Dragon", "Fire // Ice", "X", "Jötun's Hen", "Zug, the Tall"),
    *("Summon: Cow", "Keeper of Vault 76", "Hazmat Coat (Used)", "+2 Spoon"),
)
KNOWN = {name_key(name) for name in NAMES}
HEADINGS = (
    *("", "Sideboard", "Creatures (4)", "Removal:", "Maybeboard", "// Lands", "Ramp", "Tokens"),
)
COUNTED = re.compile(r"\d+ [^()\[\]<>|*#$]+")  # without a set or marks

Lines = list[tuple[str, bool]]  # each with whether it has a card


def find(names):
    return {name for name in names if name_key(name) in KNOWN}


def lines_of(random: Random, file: str) -> Lines:
    """Return the lines of an example, with other cards in it, and three times as many."""
    deck_list, text = read(OWN, file, EXAMPLES)
    named = {one.line: one.name for one in (*deck_list.entries, *deck_list.left_out)}
    lines = []
    for number, line in enumerate(split(text), 1):
        name = named.get(number)
        for _ in range(3 if name and name in line else 1):
            other = line.replace(name, escape(random.choice(NAMES))) if name else line
            lines.append((other, name is not None))
    return lines


def spoil(random: Random, text: str) -> str:
    """Return a line with a character more, less or changed."""
    at = random.randrange(len(text) + 1)
    noise = random.choice(["", *"0x -_~éÆ'\"(){}<>&;|\t\x07\u200b"])
    return text[:at] + noise + text[at + random.randrange(2) :]


def recount(random: Random, text: str) -> str:
    """Return a line with its count elsewhere, written otherwise, or lost."""
    count, _, name = text.partition(" ")
    form = random.choice(
        ["{1}", "{1} ({0})", "{1} x{0}", "- {0} {1}", "{0} X {1}", "({0}) {1}", "{1}:", "[{1}]",
         "{0},{1}", "{1}\t{0}", "{0}) {1}", "* {1}", "{1} [{0}]", "--{0} {1}", "{1} - {0}"]
    )  # fmt: skip
    return form.format(count, name)


def mangle(random: Random, lines: Lines) -> Lines:
    """Return a list after some accidents: lines spoilt, doubled, moved, and headings put in."""
    found = []
    for text, has_card in lines:
        match random.randrange(9):
            case 0:
                found.append((spoil(random, text), has_card))
            case 1 if COUNTED.fullmatch(text):
                found.append((recount(random, text), has_card))
            case 2:
                found.append((text, has_card))
                found.insert(random.randrange(len(found)), (text, has_card))
            case 3:
                found += (random.choice(HEADINGS), False), (text, has_card)
            case 4:
                found.insert(random.randrange(len(found) + 1), (text, has_card))
            case _:
                found.append((text, has_card))
    return found


def told_lines(told: DeckList, count: int) -> set[int]:
    """Return the lines that a reader says something of; broken XML says it of all that follow."""
    broken = [bad.line for bad in told.bad_lines if bad.problem.startswith("The XML is broken")]
    rest = range(min(broken), count + 1) if broken else ()
    named = (*told.entries, *told.left_out, *told.bad_lines)
    return {one.line for one in named} | {*rest}


def vanished(lines: Lines) -> list[str]:
    """Return the lines with a card that a reader passes over in silence."""
    try:
        told = lists.read("\n".join(text for text, _ in lines), find=find)
    except Unreadable:
        return []  # a sentence for the whole list
    named = told_lines(told, len(lines))
    return [
        text
        for number, (text, has_card) in enumerate(lines, 1)
        if has_card and number not in named and text.strip(" \t\u200b") and text[:2] != "//"
    ]


@pytest.mark.parametrize("file", meant_in(OWN))
def test_no_line_of_a_mangled_list_vanishes(file):
    random = Random(file)
    for _ in range(LISTS):
        lines = mangle(random, lines_of(random, file))

        assert vanished(lines) == [], "\n".join(text for text, _ in lines)
