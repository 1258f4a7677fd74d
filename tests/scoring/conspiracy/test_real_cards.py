"""The list of document 003 against the document, and each card's aids against its real text."""

import re

import pytest

from scoring.conspiracy import cards as listed
from scoring.conspiracy import drafting
from scoring.conspiracy.cards import AIDS, CARDS
from scoring.conspiracy.drafting import ACTING
from tests.shared import SHARED, load_shared, skip_module_without

DOCUMENT, TEXTS = "seeds/003_c188022baea7d5be.txt", "data/oracle-cards.json.gz"
skip_module_without(DOCUMENT, TEXTS)

ALL = [card for cards in CARDS.values() for card in cards]
MISSPELT = {"Grenzo, Havor Raiser": "Grenzo, Havoc Raiser"}

# An aid serves exactly those listed cards whose type and text match.
ASKED_BY = {
    listed.MONARCH: r"\bmonarch\b",
    listed.VOTE: r"each player votes for",
    listed.EXTRA_VOTES: r"may vote an additional time|choose how each player votes",
    listed.GOAD: r"\bgoad\b",
    listed.MELEE: r"\bmelee\b",
    listed.COMMAND_ZONE: r"^conspiracy\n",
    listed.HIDDEN_AGENDA: r"\bhidden agenda\b",
    listed.DOUBLE_AGENDA: r"\bdouble agenda\b",
    listed.FACE_UP: r"^draft .* face up",
    listed.REVEAL: r"^reveal .* as you draft|as you draft .* reveal it",
    # Guesses, and cards put aside, are noted too: that too is referred to later.
    listed.NOTE: r"\bnote\b|\bguess\b|you drafted that|removed .* from the draft",
}


@pytest.fixture(scope="module")
def texts():
    names = {card.name for card in ALL}
    return {
        card["name"]: f"{card['type_line']}\n{card['oracle_text']}".lower()
        for card in load_shared(TEXTS)
        if card["name"] in names
    }


def test_the_list_is_that_of_the_document():
    document = (SHARED / DOCUMENT).read_text(encoding="utf-8")
    found = [
        MISSPELT.get(name, name) for name in re.findall(r"^\d+\|(.+)$", document, re.MULTILINE)
    ]

    assert [card.name for card in ALL] == found


def test_every_listed_card_is_real(texts):
    assert sorted(texts) == sorted(card.name for card in ALL)


@pytest.mark.parametrize("aid", AIDS, ids=lambda aid: aid.name)
def test_an_aid_serves_exactly_the_cards_whose_text_asks_for_it(texts, aid):
    """003 54: The lists of cards: each is served by the aids that its text asks for."""
    served = {card.name for card in ALL if aid in card.aids}
    asking = {
        one: {name for name, text in texts.items() if re.search(pattern, text, re.MULTILINE)}
        for one, pattern in ASKED_BY.items()
    }
    asking[listed.NONE] = set(texts).difference(*asking.values())

    assert served == asking[aid]


def test_a_vote_card_brings_the_kind_and_the_options_that_are_printed(texts):
    """003 15: Each player votes for one of two effects."""
    printed = {
        name: re.search(
            r"council's dilemma — .*each player votes for (\w+) or (\w+)\.", texts[name]
        )
        for card in ALL
        if listed.VOTE in card.aids
        for name in [card.name]
    }

    assert {name: match and match.groups() for name, match in printed.items()} == listed.VOTES


ACTS = r"^draft .* face up|as you draft|^before you shuffle your deck .*you drafted"


def test_the_cards_that_act_in_a_draft_are_all_that_were_printed():
    printed = {
        card["name"]
        for card in load_shared(TEXTS)
        if re.search(ACTS, card.get("oracle_text") or "", re.MULTILINE | re.IGNORECASE)
    }

    assert set(ACTING) == printed


def acting_texts():
    return {
        card["name"]: card["oracle_text"] for card in load_shared(TEXTS) if card["name"] in ACTING
    }


@pytest.mark.parametrize(
    ("fact", "pattern"),
    [
        ("is_turned_with_note", r"note its [^.]*, then turn .* face down"),
        ("goes_into_pack", r"into that booster pack"),
        ("counts_picks", r"note how many cards you've drafted this draft round"),
        ("names_own", r"note its name"),
        ("waits", r"(?i)the next (card you draft|time a player drafts)"),
        ("after", r"(?i)immediately after the draft"),
    ],
)
def test_what_is_known_of_a_card_that_acts_is_printed_on_it(fact, pattern):
    printed = {name for name, text in acting_texts().items() if re.search(pattern, text)}

    assert {card.name for card in ACTING.values() if getattr(card, fact)} == printed != set()


def test_a_card_stays_face_up_unless_its_text_turns_it_down_or_passes_it_on():
    face_up = {name: text for name, text in acting_texts().items() if "face up" in text}
    down = r"turn [^.]* face down|into that booster pack"

    assert {card.name for card in ACTING.values() if card.stays} == {
        name
        for name, text in face_up.items()
        if re.search(r"^Draft", text) and not re.search(down, text)
    }


@pytest.mark.parametrize(
    ("how", "pattern"),
    [(drafting.FACE_UP, r"^Draft .* face up"), (drafting.REVEAL, r"^Reveal .* as you draft it")],
)
def test_each_is_drafted_as_its_text_says(how, pattern):
    """003 54: The lists of cards: each is served by the aids that its text asks for."""
    printed = {
        card["name"]
        for card in load_shared(TEXTS)
        if re.search(pattern, card.get("oracle_text") or "", re.MULTILINE)
    }

    assert {card.name for card in ACTING.values() if card.how == how} == printed
