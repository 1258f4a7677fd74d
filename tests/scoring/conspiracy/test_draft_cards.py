"""Each card that acts in a draft has a form of its own, with the fields that it asks for."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import HttpResponse

from scoring.conspiracy.drafting import ACTING
from scoring.models import GameSet
from scoring.play import queries
from scoring.rules.formats.conspiracy_draft import DraftFaceUp, Reveal, TakeNote
from scoring.rules.move import Move
from tests.decks.cards import card as imported
from tests.scoring.rules.play import ANN, BO

from ..browsing import refusal, words
from ..tables import address, holder, record, tap_id, the_game, unchanged
from .test_drafts import pod


def act(draft: GameSet, card: str, tap: int = 1, **said: Any) -> HttpResponse:
    form = {"tap_id": tap_id(tap), "card": card, "player": BO, **said}
    return holder(draft).post(address(draft, "draft_card", 1), form)


def last(draft: GameSet) -> Move:
    entry = queries.entry_of(queries.rows(the_game(draft))[-1])
    assert isinstance(entry, Move)
    return entry


@pytest.fixture
def draft(db: None) -> GameSet:
    return pod(4, over=False)


@pytest.mark.parametrize(
    ("card", "said", "recorded"),
    [
        ("Deal Broker", {}, DraftFaceUp(BO, "Deal Broker")),
        ("Cogwork Spy", {}, Reveal(BO, "Cogwork Spy")),
        ("garbage fire", {"noted": "7"}, Reveal(BO, "Garbage Fire", 7)),
        ("Cogwork Tracker", {"noted": "Ann"}, Reveal(BO, "Cogwork Tracker", None, "Ann")),
        (
            "Regicide",
            {"noted": ["White", "Red", "Blue"]},
            Reveal(BO, "Regicide", None, "White, Red, Blue"),
        ),
        (
            "Smuggler Captain",
            {"noted": "Forest", "later": "1"},
            TakeNote(BO, "Smuggler Captain", None, "Forest"),
        ),
        (
            "Cogwork Grinder",
            {"noted": "2", "later": "1"},
            TakeNote(BO, "Cogwork Grinder", 2),
        ),
    ],
)
def test_a_card_is_recorded_with_its_note_in_one_event(draft, card, said, recorded):
    before = the_game(draft).length

    assert act(draft, card, **said).status_code == 302
    assert (last(draft), the_game(draft).length) == (recorded, before + 1)

    assert act(draft, card, **said).status_code == 302  # the same tap again
    assert the_game(draft).length == before + 1


@pytest.mark.parametrize(
    ("card", "said", "problem"),
    [
        ("Forest", {}, "Choose a card."),
        ("Deal Broker", {"player": "9"}, "Choose whose card it is."),
        ("Garbage Fire", {}, "Give a number from 1 to 99999."),
        ("Garbage Fire", {"noted": "0"}, "Give a number from 1 to 99999."),
        ("Cogwork Tracker", {"noted": "Zoe"}, "Choose who passed it."),
        ("Regicide", {"noted": ["Red", "Blue"]}, "Choose three different colours."),
        ("Regicide", {"noted": ["Red", "Blue", "Red"]}, "Choose three different colours."),
        ("Regicide", {"noted": ["Red", "Blue", "Pink"]}, "Choose three different colours."),
        ("Aether Searcher", {}, "Type what is noted."),
        ("Aether Searcher", {"noted": "x" * 201}, "Type 200 characters at most."),
    ],
)
def test_what_a_card_does_not_ask_for_is_refused_in_words(draft, card, said, problem):
    with unchanged():
        assert refusal(act(draft, card, **said)) == (422, problem)


@pytest.mark.parametrize("card", ACTING.values(), ids=lambda card: card.name)
def test_a_card_has_the_fields_that_it_asks_for_and_no_others(draft, card):
    if card.is_face_up:
        record(draft, DraftFaceUp(ANN, card.name))
    where = address(draft, "draft_card", 1)

    page = holder(draft).get(where, {"card": card.name}).content.decode()

    assert card.name in words(holder(draft).get(where))
    assert ('name="noted"' in page) == bool(card.notes)
    assert page.count('type="checkbox" name="noted"') == (5 if card.asks == "colours" else 0)
    assert ('<select name="noted"' in page) == (card.asks == "player")
    assert ("Turn face down: Ann" in page) == card.is_face_up
    assert ("Draft it face up" in page) == card.is_face_up


def test_what_is_printed_on_a_card_stands_above_its_fields(draft):
    assert "Reveal it." not in printed(draft)
    imported("Regicide", "Instant", "Reveal it.")
    assert "Reveal it." in printed(draft)


def printed(draft: GameSet) -> str:
    answer = holder(draft).get(address(draft, "draft_card", 1), {"card": "Regicide"})
    return words(answer)


def test_a_draft_that_is_over_has_no_cards_to_draft(db):
    draft = pod(4)
    with unchanged():
        assert refusal(act(draft, "Garbage Fire")) == (
            422,
            "The draft is over: note on More what was forgotten.",
        )
