"""Each sentence of documents 002, 003 and 004 on which a program at the table can act has its test.

The docstring of the test says which, by the document and the sentence's place in it. What only
players can do stands in the rules that they read. All that the guides tell, also of documents 000
and 001, is in ``guide.txt`` of each format.
"""

import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from scoring.rules.formats import FORMATS, RULESETS
from scoring.rules.formats.realm_wars.answers import answers
from scoring.rules.formats.realm_wars.state import war_of
from scoring.rules.state import new_game
from scoring.rules.words import plain
from scoring.tables.guides import GUIDES

from .scoring.browsing import parse, words_of

TESTS = Path(__file__).parent
SENTENCE = re.compile(r'^    (?:""")?(00[234]) (\d+): ', re.MULTILINE)
SENTENCES = {"002": 12, "003": 58, "004": 22}
TOLD = {
    ("003", 5): "Planeswalkers don’t count, and each melee counts by itself.",
    ("003", 6): "Opponents who left since count; creatures that entered the battlefield attacking",
    ("003", 7): "In Two-Headed Giant both players of an attacked team count.",
    ("003", 9): "if it is tapped, has summoning sickness, can’t attack, or if attacking costs",
    ("003", 11): "It stays goaded when it has attacked, when it loses its abilities, and when",
    ("003", 21): "Nobody votes before the spell or ability resolves, and nobody does anything",
    ("003", 38): "It works only from then on: what happened before triggers nothing.",
    ("003", 50): "A card that you reveal or draft face up is not revealed for another card",
    ("004", 5): "The turn and its phases. Hands, resources and decks are each player’s own.",
    ("004", 6): "The player of the card alone, not the team.",
    ("004", 7): "Every player of both teams.",
    ("004", 8): "One player of the other team only. The card’s player chooses whom.",
    ("004", 15): "Yes, as long as it does not slow the game down. Nobody touches a teammate’s",
    ("004", 16): "What one of the team may look at, all of the team may.",
    ("004", 22): "One. Teams talk and attack once in a turn, so a game takes longer than a duel.",
}


@pytest.mark.parametrize("document", SENTENCES)
def test_every_sentence_of_a_document_has_its_test(document):
    found = {
        (of, int(number))
        for path in TESTS.rglob("test_*.py")
        for of, number in SENTENCE.findall(path.read_text())
    }
    numbers = sorted(number for of, number in found | TOLD.keys() if of == document)

    assert numbers == list(range(1, SENTENCES[document] + 1))


@pytest.mark.parametrize("row", TOLD, ids=lambda row: "-".join(map(str, row)))
def test_what_only_players_can_do_stands_in_their_rules(row, db):
    if row[0] == "003":
        page = Client().get(reverse("format", args=["conspiracy"])).content.decode()
        rules = [words_of(rule) for rule in parse(page).xpath('//*[@aria-labelledby="rules"]//li')]
    else:
        names = {1: "Ann", 2: "Bo", 3: "Cy", 4: "Di"}
        state = war_of(new_game(RULESETS["realm-wars"], tuple(names)))
        rules = [plain(answer.text, names) for answer in answers(state)]

    assert any(TOLD[row] in rule for rule in rules)


@pytest.mark.parametrize("format", [guide.key for guide in GUIDES])
def test_a_guide_tells_each_of_its_lines(format, db):
    golden = TESTS / "golden" / format / "guide.txt"

    assert guide_as_text(format).splitlines() == golden.read_text(encoding="utf-8").splitlines()


def guide_as_text(format):
    """Return the lines of a guide, with the rulesets that tell them in brackets, if not all do."""
    rulesets = [ruleset.key for ruleset in FORMATS[format]]
    told: dict[str, list[str]] = {}
    for ruleset in rulesets:
        page = Client().get(reverse("format", args=[format]), {"ruleset": ruleset})
        for card in ("minute", "taps", "rules"):
            for line in parse(page.content.decode()).xpath(f'//*[@aria-labelledby="{card}"]//li'):
                told.setdefault(f"{card}: {words_of(line)}", []).append(ruleset)
    return "\n".join(
        line if of == rulesets else f"{line} [{', '.join(of)}]" for line, of in told.items()
    )
