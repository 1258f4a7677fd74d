"""A deck of Conspiracy on a phone: out of what was noted in the draft, to the table."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from scoring.models import GameSet, Seat
from scoring.play import commands
from scoring.rules.formats.conspiracy import CONSPIRACY
from scoring.rules.formats.conspiracy_draft import CONSPIRACY_DRAFT, EndDraft, Reveal
from tests.decks.cards import given
from tests.decks.cards import record as card
from tests.scoring.rules.play import ANN
from tests.scoring.tables import record

from .checks import complaints

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
