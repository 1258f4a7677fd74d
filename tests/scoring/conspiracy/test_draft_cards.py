"""Each card that acts in a draft has a form of its own, with the fields that it asks for."""

from typing import Any

import pytest
from django.http import HttpResponse

from scoring.conspiracy.drafting import ACTING
from scoring.conspiracy.pools import pools
from scoring.models import GameSet
from scoring.record import queries
from scoring.rules.formats.conspiracy_draft import (
    BeginRound,
    DraftFaceUp,
    EndDraft,
    PassPacks,
    Reveal,
    TakeNote,
)
from scoring.rules.formats.conspiracy_draft.state import Note
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
        ("Spire Phantasm", {}, Reveal(BO, "Spire Phantasm")),
        (
            "Spire Phantasm",
            {"noted": "Fork", "later": "1"},
            TakeNote(BO, "Spire Phantasm", None, "Fork, guessed wrong"),
        ),
        (
            "Spire Phantasm",
            {"noted": "Fork", "right": "1", "later": "1"},
            TakeNote(BO, "Spire Phantasm", None, "Fork, guessed right"),
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
        ("Garbage Fire", {"noted": "0"}, "Give a number from 1 to 99999."),
        ("Cogwork Tracker", {"noted": "Zoe"}, "Choose who passed it."),
        ("Regicide", {"noted": ["Red", "Blue", "Red"]}, "Choose three different colours."),
        ("Regicide", {"noted": ["Red", "Blue", "Pink"]}, "Choose three different colours."),
        ("Aether Searcher", {"later": "1"}, "Type what is noted."),
        ("Aether Searcher", {"noted": "x" * 201, "later": "1"}, "Type 200 characters at most."),
        ("Spire Phantasm", {"noted": "x" * 186, "later": "1"}, "Type 185 characters at most."),
        (
            "Noble Banneret",
            {"noted": "Elf", "later": "1", "down": "1"},
            "Bo has no Noble Banneret face up. Choose one of the cards that are.",
        ),
    ],
)
def test_what_a_card_does_not_ask_for_is_refused_in_words(draft, card, said, problem):
    with unchanged():
        assert refusal(act(draft, card, **said)) == (422, problem)


@pytest.mark.parametrize("card", ACTING.values(), ids=lambda card: card.name)
def test_a_card_has_the_fields_that_it_asks_for_and_no_others(draft, card):
    if card.is_face_up:
        record(draft, DraftFaceUp(ANN, card.name))
    if card.waits:
        record(draft, Reveal(ANN, card.name))
    where = address(draft, "draft_card", 1)

    page = holder(draft).get(where, {"card": card.name}).content.decode()

    assert card.name in words(holder(draft).get(where))
    assert ('name="noted"' in page) == bool(card.notes)
    assert page.count('type="checkbox" name="noted"') == (5 if card.asks == "colours" else 0)
    assert ('<select name="noted"' in page) == (card.asks == "player")
    assert ('name="right"' in page) == (card.asks == "guess")
    assert ("Turn face down: Ann" in page) == (card.is_face_up and card.name in TURNED_DOWN)
    assert ("Into the pack: Ann" in page) == (card.name == "Cogwork Librarian")
    assert ("Note, and turn it face down" in page) == (card.name in NOTED_AND_TURNED_DOWN)
    assert ("Draft it face up" in page) == card.is_face_up


NOTED_AND_TURNED_DOWN = {"Noble Banneret", "Paliano Vanguard", "Smuggler Captain"}
TURNED_DOWN = NOTED_AND_TURNED_DOWN | {
    *("Agent of Acquisitions", "Archdemon of Paliano", "Illusionary Informant"),
    *("Leovold's Operative", "Whispergear Sneak"),
}


@pytest.mark.parametrize("card", ["Aether Searcher", "Spire Phantasm"])
def test_a_card_is_revealed_first_and_its_note_is_asked_for_until_it_is_taken(draft, card):
    link = f"Note for {card} of Bo"
    assert link not in words(pad(draft))

    act(draft, card)

    assert f"notes {card}" not in words(pad(draft))
    assert link in words(pad(draft))
    page = words(holder(draft).get(address(draft, "draft_card", 1), {"card": card}))
    assert "Who notes Bo " in page
    act(draft, card, 2, noted="Forest", later="1")
    assert link not in words(pad(draft))
    assert "Who notes" not in words(
        holder(draft).get(address(draft, "draft_card", 1), {"card": card})
    )


@pytest.mark.parametrize("card", sorted(NOTED_AND_TURNED_DOWN))
def test_a_card_is_noted_for_and_turned_down_by_one_tap(draft, card):
    """003 47: A card drafted face up stays so; some are turned face down once, for an effect."""
    record(draft, DraftFaceUp(BO, card))
    assert f"Note for {card} of Bo" in words(pad(draft))
    assert "Face down: With its note." in words(pad(draft))
    before = the_game(draft).length

    act(draft, card, noted="Elf", later="1", down="1")

    assert (last(draft), the_game(draft).length) == (
        TakeNote(BO, card, None, "Elf", down=True),
        before + 1,
    )
    player = the_game(draft).current_state.players[BO]
    assert (player.face_up, player.notes[-1]) == ((), Note(card, None, "Elf"))


def test_a_deal_broker_exchanges_when_the_draft_is_over_and_no_card_is_drafted_any_more(draft):
    record(draft, DraftFaceUp(BO, "Deal Broker"))
    assert "Turn face down Deal Broker" not in words(pad(draft))
    record(draft, EndDraft())

    (pool,) = [each for each in pools(draft, the_game(draft)) if each["acts"]]

    (acting,) = pool["acts"]
    assert (pool["who"].name, acting.name) == ("Bo", "Deal Broker")
    assert acting.after.startswith("Right after the draft its player may show a card of the pool")
    with unchanged():
        answer = refusal(act(draft, "Garbage Fire"))
    assert answer == (422, "The draft is over: note on More what was forgotten.")


def pad(draft: GameSet) -> HttpResponse:
    return holder(draft).get(address(draft, "score"))


@pytest.mark.parametrize("card", ["Garbage Fire", "Pyretic Hunter", "Custodi Peacekeeper"])
def test_a_count_of_the_round_is_filled_in_where_picks_are_counted(draft, card):
    filled = '<input name="noted" autocomplete="off" value="{}"'
    where = address(draft, "draft_card", 1)

    def page(card: str) -> str:
        return holder(draft).get(where, {"card": card}).content.decode()

    assert filled.format("") in page(card)
    record(draft, PassPacks(), PassPacks())
    assert filled.format(3) in page(card)
    assert filled.format("") in page("Volatile Chimera")
    record(draft, BeginRound())
    assert filled.format("") in page(card)


def test_what_is_printed_on_a_card_stands_above_its_fields(draft):
    imported("Regicide", "Instant", "Reveal <it>.")

    page = holder(draft).get(address(draft, "draft_card", 1), {"card": "Regicide"})

    assert "Reveal <it>." in words(page)
