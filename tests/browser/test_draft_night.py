"""A night of a Conspiracy draft: what the scorekeeper, a player's phone and a watcher see."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scoring.models import GameSet
from scoring.play import commands
from scoring.rules.formats.conspiracy_draft import CONSPIRACY_DRAFT
from tests.decks.cards import given
from tests.decks.cards import record as card
from tests.decks.lists import register
from tests.scoring.tables import SEED, address

from .checks import complaints
from .hand import Hand, give_key, see
from .test_draft import enter, play_at_tables

WIDTH = 360
NAMES = [
    *("Adalbert Ashenbrooke", "Bonaventura Belmonte", "Cleopatra Castiglion"),
    *("Dietlinde Drachenfel", "Emmanuel Eisenberger"),
]
ADA, BO = NAMES[:2]


@pytest.fixture
def browser_context_args(browser_context_args) -> dict[str, Any]:
    return browser_context_args | {"viewport": {"width": WIDTH, "height": 740}}


@pytest.fixture
def draft(transactional_db) -> GameSet:
    """Return the draft of five with long names."""
    draft = commands.create_set(CONSPIRACY_DRAFT, NAMES, key="the-key", seed=SEED)
    commands.start_game(draft, 1, first=1)
    commands.change_seat_key(draft, 2, "the-seat")
    return draft


def all_see(pages: tuple[Page, ...], *texts: str) -> None:
    for page in pages:
        for said in texts:
            expect(page.get_by_role("main")).to_contain_text(said)
        assert complaints(page, WIDTH) == []


def test_a_night_goes_from_the_draft_to_another_game_with_its_decks(draft, new_context, site):
    keeping = new_context()
    give_key(keeping, site.address, draft)
    keeper, player, watcher = (each.new_page() for each in (keeping, new_context(), new_context()))
    hand, phones = Hand(keeper), (keeper, player, watcher)
    keeper.goto(address(draft, "score"))
    player.goto(address(draft, "take_seat_key", "the-seat"))
    watcher.goto(address(draft, "watch"))

    enter(hand, BO, "Noble Banneret", "Face up")
    all_see(phones, "Noble Banneret")
    enter(hand, ADA, "Regicide", "Reveal", name="blue, red, white")
    all_see((keeper, watcher), "blue, red, white for Regicide", "Noble Banneret face up")
    hand.button(re.compile("^Next"))
    for page in (keeper, watcher):
        expect(page.get_by_text("Pass right · round 2").first).to_be_visible()
    hand.button(re.compile("^Next"))
    hand.button(re.compile("^End"))
    all_see((keeper, watcher), "The draft is over")

    watcher.goto(address(draft, "pools"))
    all_see((watcher,), "Regicide", "At least 40 cards")

    hand.link("Seat the tables")
    assert complaints(keeper, WIDTH) == []
    hand.button("Split into tables")
    expect(keeper.get_by_role("link", name="Scan to keep score")).to_have_count(1)
    assert complaints(keeper, WIDTH) == []
    given(card("Plains", "Basic Land — Plains"))
    (table,) = GameSet.objects.filter(draft=draft)
    deck = register("A deck of Regicide", "40 Plains", ruleset="conspiracy")
    seat = next(number for number, name in table.names.items() if name == ADA)
    commands.bring_deck(table, seat, deck.revisions.get())
    play_at_tables()

    watcher.goto(address(table, "watch"))
    expect(watcher.get_by_role("link", name="A deck of Regicide")).to_be_visible()
    keeper.goto(address(table, "score"))
    expect(keeper.get_by_role("button", name="Play again, same seats")).to_have_count(0)
    hand.button("Play again with these decks")
    see(keeper, "Conspiracy")
    again = GameSet.objects.filter(draft=draft).latest("pk")
    assert {each.name: each.deck.deck for each in again.seats.filter(deck__isnull=False)} == {
        ADA: deck
    }
    watcher.goto(address(again, "watch"))
    watcher.get_by_text("Notes of the draft").first.click()
    all_see((watcher,), "blue, red, white", "seen when the game is over")
    expect(watcher.get_by_role("link", name="The draft")).to_have_attribute(
        "href", address(draft, "watch")
    )
