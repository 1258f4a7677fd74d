"""A deck of Conspiracy on a phone: out of what was noted in the draft, to the table."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from decks.models import Deck
from scoring.models import GameSet, Seat
from scoring.play import commands
from scoring.rules.formats.conspiracy import CONSPIRACY
from scoring.rules.formats.conspiracy_draft import CONSPIRACY_DRAFT, EndDraft, Reveal
from tests.decks.cards import given
from tests.decks.cards import record as card
from tests.decks.faults import bring_pool
from tests.decks.lists import register
from tests.decks.written import deck
from tests.scoring.rules.play import ANN
from tests.scoring.tables import record

from .checks import complaints
from .hand import give_deck

PEOPLE = ["Ann", "Bo", "Cy"]
KEY = "the-key-of-the-table"


@pytest.fixture
def table(site) -> GameSet:
    """Three people who drafted, sitting at their table."""
    given(
        card("Garbage Fire", "Instant"),
        card("Throne Warden"),
        card("Power Play", "Conspiracy"),
        card("Plains", "Basic Land — Plains"),
    )
    draft = commands.create_set(CONSPIRACY_DRAFT, PEOPLE, key=None, seed=3)
    commands.start_game(draft, 1, first=ANN)
    record(draft, Reveal(ANN, "Garbage Fire", 4), EndDraft())
    return commands.create_set(CONSPIRACY, PEOPLE, key=KEY, draft=draft)


def verdict(page: Page, words: str) -> None:
    expect(page.get_by_role("region", name="Verdict").get_by_role("heading")).to_have_text(words)


def test_a_pool_becomes_a_legal_deck_by_taps_and_comes_to_the_table_unseen(page, table):
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"/s/{table.code}/key/{KEY}/")
    page.goto(f"/s/{table.draft.code}/")
    page.get_by_role("link", name="Build your decks").tap()
    expect(page.locator("time[data-since]")).to_have_text(re.compile(r"^0:\d\d$"))
    assert complaints(page, 360) == []
    page.get_by_role("link", name="Build a deck for Ann").tap()

    pool = page.get_by_label("Deck list")
    expect(pool).to_have_value("Pool\n1 Garbage Fire\n")
    pool.fill(pool.input_value() + "2 Throne Warden\n\nDeck\n37 Plains\n1 Power Play")
    page.get_by_role("button", name="Check", exact=True).tap()
    verdict(page, "Not legal: 2 problems")
    assert complaints(page, 360) == []
    page.get_by_label("Name of the deck").fill("Fire")
    page.get_by_role("button", name="Save", exact=True).tap()

    page.get_by_role("button", name="Move Power Play beside the deck").tap()
    verdict(page, "Not legal: 1 problem")
    page.get_by_role("button", name="Move one Garbage Fire to the deck").tap()
    expect(page.get_by_role("heading", name="Other spells 1 card", exact=True)).to_be_visible()
    page.get_by_role("button", name="Move one Throne Warden to the deck").tap()
    page.get_by_role("button", name="Add 1 Plains to the deck").tap()
    verdict(page, "Legal")
    assert complaints(page, 360) == []

    page.get_by_role("link", name="Bring it to a table").tap()
    page.get_by_role("button", name="To Ann’s seat").tap()
    expect(page.get_by_text("Fire, seen when the game is over")).to_be_visible()
    report = Seat.objects.get(game_set=table, number=ANN).deck_report
    assert (report["legal"], report["counts"]) == (True, {"main": 40, "sideboard": 2})


@pytest.fixture
def elves(page, site) -> Deck:
    """A deck of which every card of the sideboard is another card."""
    bring_pool()
    names = [f"Spell {at}" for at in range(15)]
    given(*(card(name, "Instant") for name in names))
    elves = register("Elves", deck("4 Elvish Mystic", side=tuple(f"1 {name}" for name in names)))
    give_deck(page.context, site.address, elves)
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"/decks/{elves.code}/")
    return elves


def test_a_tap_that_moves_a_card_leaves_the_page_and_the_focus_where_they_are(page, elves):
    for at in range(4, 8):
        button = page.get_by_role("button", name=f"Move one Spell {at} to the main deck")
        button.scroll_into_view_if_needed()
        top = button.bounding_box()["y"]
        button.tap()
        count = page.get_by_role("listitem").filter(has=button).locator(".num")
        expect(count).to_have_text("0×")
        expect(
            page.get_by_role("button", name=f"Move one Spell {at} to the sideboard")
        ).to_be_visible()

        assert abs(button.bounding_box()["y"] - top) < 2
        assert button.evaluate("button => button === document.activeElement")

    moved = page.get_by_role("button", name="Move one Spell 4 to the sideboard")
    moved.tap()
    expect(moved).to_be_focused()
    expect(page.get_by_role("button", name="Move one Spell 4 to the main deck")).to_be_visible()
