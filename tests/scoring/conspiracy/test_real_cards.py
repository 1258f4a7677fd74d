"""The list of document 003 against the document, and each card's aids against its real text."""

import re
from operator import attrgetter

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


ACTS = r"(?i)^draft .* face up|as you draft|^before you shuffle your deck .*you drafted"
DOWN = r"turn [^.]* face down|into that booster pack"


@pytest.mark.parametrize(
    ("fact", "pattern", "unless"),
    [
        (bool, ACTS, None),
        (attrgetter("is_turned_with_note"), r"note its [^.]*, then turn .* face down", None),
        (attrgetter("goes_into_pack"), r"into that booster pack", None),
        (attrgetter("counts_picks"), r"note how many cards you've drafted this draft round", None),
        (attrgetter("names_own"), r"note its name", None),
        (attrgetter("waits"), r"(?i)the next (card you draft|time a player drafts)", None),
        (attrgetter("after"), r"(?i)immediately after the draft", None),
        (attrgetter("stays"), r"\ADraft(.|\n)* face up", DOWN),
        (lambda card: card.how == drafting.FACE_UP, r"^Draft .* face up", None),
        (lambda card: card.how == drafting.REVEAL, r"^Reveal .* as you draft it", None),
    ],
)
def test_what_is_known_of_a_card_that_acts_in_a_draft_is_printed_on_it(fact, pattern, unless):
    """003 54: The lists of cards: each is served by the aids that its text asks for."""
    printed = {
        card["name"]
        for card in load_shared(TEXTS)
        for text in [card.get("oracle_text") or ""]
        if re.search(ACTS, text, re.MULTILINE) and re.search(pattern, text, re.MULTILINE)
        if not (unless and re.search(unless, text))
    }

    assert {card.name for card in ACTING.values() if fact(card)} == printed != set()
