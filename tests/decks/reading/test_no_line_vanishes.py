"""Whatever a list looks like, each line with a card is told of: none vanishes without a word."""

import re
from collections.abc import Callable, Sequence
from random import Random
from xml.sax.saxutils import escape, quoteattr

import pytest

from decks.reading import lists
from decks.rules.entries import DeckList, Unreadable
from decks.rules.names import name_key

LISTS = 3000
NAMES = (
    *("Ox", "Old Elk", "Red Dragon", "Fire // Ice", "X", "Jötun's Hen", "Zug, the Tall"),
    *("Summon: Cow", "Keeper of Vault 76", "Hazmat Coat (Used)", "+2 Spoon"),
)
KNOWN = {name_key(name) for name in NAMES}
HEADINGS = (
    "",
    "Sideboard",
    "Creatures (4)",
    "Removal:",
    "Maybeboard",
    "// Lands",
    "Ramp",
    "Tokens",
)

COUNTED = re.compile(r"\d+ ")

Card = tuple[int, str]
Lines = list[tuple[str, bool]]  # each with whether it has a card


def find(names):
    return {name for name in names if name_key(name) in KNOWN}


def plain(count: int, name: str) -> str:
    return f"{count} {name}"


FIRST = "{}"  # the first card once more
TAGS = ("Land", "Sideboard", "Maybeboard{noDeck}{noPrice},Ramp", "Commander{top}")
# What stands above the cards, a card, and what stands below them.
FORMS: dict[str, tuple[Sequence[str], Callable[[int, str], str], Sequence[str]]] = {
    "plain": ((), plain, ()),
    "bare": ((), lambda _, name: name, ()),
    "summed": ((), lambda count, name: f"{name} ({count})", ()),
    "tabbed": ((), lambda count, name: f"{count}\t{name}\tDominaria", ()),
    "moxfield": ((), lambda count, name: f"{count} {name} (DOM) 16p *F* #Ramp", ()),
    "archidekt": (
        (),
        lambda count, name: f"{count}x {name} (dom) 16 *F* [{TAGS[count % 4]}] ^Have,#37d67a^",
        (),
    ),
    "arena": (("About", "Name Oxen", "", "Companion", FIRST, "", "Deck"), plain, ()),
    "xmage": (
        ("NAME:Oxen",),
        lambda count, name: f"{'SB: ' * (count % 2)}{count} [DOM:{count}] {name}",
        ("LAYOUT MAIN:(1,1)(NONE,false,50)|([DOM:1])",),
    ),
    "forge": (
        ("[metadata]", "Name=Oxen", "[Main]"),
        lambda count, name: f"{count} {name}+|DOM|2",
        ("[Planes]", FIRST),
    ),
    "deckbox": (
        ("Count,Tradelist Count,Name,Edition,Card Number,Condition",),
        lambda count, name: f'{count},0,"{name}",Dominaria,16,,English,,',
        (),
    ),
    "arena in German": (("Kommandeur", FIRST, "", "Deck"), plain, ("", "Sideboard", FIRST)),
    "workstation": (("// Lands",), lambda count, name: f"    {count} [ON] {name} (1)", ()),
    "deckstats": (("//Main",), lambda count, name: f"{count} [DOM#16] {name} # !big", ()),
    "shop": ((), lambda count, name: f"{count}x {name} (Dominaria) - $1.25", ()),
    "forum": (("[b]Deck[/b]",), lambda count, name: f"* {count} [[{name}]]", ()),
    "forum's table": (
        ("| Qty | Card | Set |", "|---|---|---|"),
        lambda count, name: f"| {count} | {name} | DOM |",
        (),
    ),
    "without a header": ((), lambda count, name: f'"{name}";{count};DOM', ()),
    "lackey": (
        ("<deck>", '<superzone name="Deck">'),
        lambda count, name: f'<card><name id="a">{escape(name)}</name><set>dom</set></card>',
        ("</superzone>", "</deck>"),
    ),
    "cod": (
        ("<cockatrice_deck>", '<zone name="main">'),
        lambda count, name: f'  <card number="{count}" name={quoteattr(name)}/>',
        ("</zone>", "</cockatrice_deck>"),
    ),
    "o8d": (
        ("<deck>", '<section name="Main">'),
        lambda count, name: f'<card qty="{count}" id="a-{count}">{escape(name)}</card>',
        ("</section>", "</deck>"),
    ),
}


def lines_of(form: str, cards: list[Card]) -> Lines:
    above, card, below = FORMS[form]
    rows = [(card(*one), True) for one in cards]
    head, foot = (
        [rows[0] if line == FIRST else (line, False) for line in lines] for lines in (above, below)
    )
    return [*head, *rows, *foot]


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
            case 1 if COUNTED.match(text):
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


@pytest.mark.parametrize("form", FORMS)
def test_no_line_of_a_mangled_list_vanishes(form):
    random = Random(form)
    for _ in range(LISTS // len(FORMS)):
        cards = [(random.randrange(1, 30), random.choice(NAMES)) for _ in range(6)]
        lines = mangle(random, lines_of(form, cards))

        assert vanished(lines) == [], "\n".join(text for text, _ in lines)
