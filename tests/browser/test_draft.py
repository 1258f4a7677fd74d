"""A draft of eight on a phone, from the start page to two tables."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from scoring.models import GameSet
from scoring.play import commands
from scoring.rules.moves import Draw

from .checks import complaints
from .hand import Hand, becomes, see, words

NAMES = ["Ada", "Bruno", "Cleo", "Dora", "Emil", "Frida", "Gus", "Hal"]


def passing(page: Page) -> list[str]:
    """Return to whom each player passes, from top to bottom."""
    return [told.removeprefix("passes to ") for told in words(page.locator(".player .passes"))]


def public(page: Page, name: str) -> list[str]:
    """Return what is public of a player."""
    found = page.get_by_role("list", name=f"What is public of {name}").get_by_role("listitem")
    return words(found)


def enter(
    hand: Hand, who: str, card: str, button: str, *, number: str = "", name: str = ""
) -> None:
    """Enter something on the pad."""
    pad = hand.page.get_by_role("form", name="Enter what is public")
    hand.tap(pad.get_by_role("radio", name=who))
    for label, text in (("Card", card), ("Number to note", number), ("Name to note", name)):
        if text:
            pad.get_by_label(label, exact=True).fill(text)
    with hand.answered():
        hand.send(pad.get_by_role("button", name=button, exact=True))


@pytest.fixture
def hand(page: Page) -> Hand:
    """Eight people who were seated by taps."""
    hand = Hand(page)
    page.goto("/")
    hand.link("Start a table")
    hand.format("conspiracy-draft")
    for seat, name in enumerate(NAMES, 1):
        page.get_by_label(re.compile(rf"^\s*Seat {seat}")).fill(name)
    assert complaints(page, 393) == []
    hand.send(page.get_by_role("button", name="Start"))
    see(page, "Conspiracy draft")
    return hand


def test_a_draft_of_eight_goes_on_to_two_tables(hand):
    page = hand.page
    expect(page.locator(".setbar .headline")).to_have_text("Pass left · round 1")
    becomes(lambda: passing(page), [*NAMES[1:], NAMES[0]])
    assert complaints(page, 393) == []

    enter(hand, "Cleo", "Noble Banneret", "Face up")
    enter(hand, "Hal", "Garbage Fire", "Reveal", number="3")
    enter(hand, "Cleo", "Noble Banneret", "Note", name="Throne Warden")
    becomes(
        lambda: public(page, "Cleo"),
        [
            "Noble Banneret face up",
            "Throne Warden for Noble Banneret",
        ],
    )
    becomes(lambda: public(page, "Hal"), ["3 for Garbage Fire", "revealed Garbage Fire"])
    hand.button("Turn down Noble Banneret of Cleo")
    becomes(lambda: public(page, "Cleo"), ["Throne Warden for Noble Banneret"])
    expect(page.get_by_text("Several want to act at once?")).to_have_count(0)
    enter(hand, "Emil", "Deal Broker", "Face up")
    enter(hand, "Dora", "Regicide", "Face up")
    expect(page.get_by_text("Regicide isn’t drafted face up.")).to_be_visible()
    assert complaints(page, 393) == []
    enter(hand, "Dora", "Cogwork Librarian", "Face up")
    rolled = page.get_by_text("Rolled for this moment")
    for _ in range(20):  # what is asked for after a tap draws it closed again
        if rolled.is_visible():
            break
        hand.tap(page.get_by_text("Several want to act at once?"))
        page.wait_for_timeout(300)
    expect(rolled).to_be_visible()
    assert complaints(page, 393) == []

    hand.button(re.compile("^Next"))
    expect(page.locator(".setbar .headline")).to_have_text("Pass right · round 2")
    becomes(lambda: passing(page), [NAMES[-1], *NAMES[:-1]])
    hand.button(re.compile("^Undo"))
    expect(page.locator(".setbar .headline")).to_have_text("Pass left · round 1")

    hand.menu()
    assert complaints(page, 393) == []
    hand.link("Where the app helps with each card")
    see(page, "Cards of Conspiracy")
    assert complaints(page, 393) == []
    page.go_back()

    hand.button(re.compile("^Next"))
    hand.button(re.compile("^Next"))
    hand.button(re.compile("^End"))
    expect(page.locator(".banner h2")).to_have_text("The draft is over")
    expect(page.locator(".rolled li")).to_have_count(8)
    assert complaints(page, 393) == []
    hand.link("Seat the tables")
    see(page, "Tables of the draft")
    becomes(lambda: words(page.locator(".pod h3")), ["Table 1", "Table 2"])
    assert complaints(page, 393) == []
    hand.tap(page.get_by_role("radio", name="5 and 3"))
    hand.button("Show these tables")
    expect(page.locator(".pod").first.get_by_role("listitem")).to_have_count(5)
    hand.button("Draw again")
    expect(page.get_by_text("Draw 2: everybody rolled")).to_be_visible()
    hand.button("Split into tables")
    expect(page.get_by_role("link", name="Scan to keep score")).to_have_count(2)
    assert complaints(page, 393) == []
    hand.send(page.get_by_role("button", name="Undo these tables"))
    expect(page.get_by_role("heading", name="Who will sit where")).to_be_visible()
    hand.button("Split into tables")
    expect(page.get_by_role("link", name="Scan to keep score")).to_have_count(2)
    play_at_tables()
    hand.link("Back to the draft")
    expect(page.get_by_text("Finished")).to_have_count(2)

    hand.link("Table 2")
    hand.button("Play again with these decks")
    see(page, "Conspiracy")
    becomes(lambda: len(words(page.locator(".player h2"))), 4)
    hand.menu()
    hand.tap(page.get_by_text("Notes of the draft"))
    assert complaints(page, 393) == []
    hand.link("The draft")
    expect(page.get_by_role("heading", name="The tables")).to_have_count(1)
    expect(page.get_by_role("heading", name=re.compile("^Game"))).to_have_count(2)
    assert complaints(page, 393) == []


def play_at_tables() -> None:
    """Play each table's game to a draw, as its own scorekeeper does."""
    for table in GameSet.objects.filter(draft__isnull=False, finished_at=None):
        commands.begin(table)
        commands.record(table, 1, Draw(), tap_id=uuid4(), at=timezone.now(), by=1)


def test_what_was_typed_stays_when_it_is_refused(hand):
    page = hand.page
    pad = page.get_by_role("form", name="Enter what is public")
    hand.tap(pad.get_by_role("radio", name="Emil"))
    pad.get_by_label("Card", exact=True).fill("Garbage Fire")

    hand.send(pad.get_by_role("button", name="Note", exact=True))

    expect(page.get_by_text("A note needs a number, a name, or both.")).to_be_visible()
    expect(pad.get_by_label("Card", exact=True)).to_have_value("Garbage Fire")
    becomes(lambda: public(page, "Emil"), [])


@pytest.mark.parametrize("width", [360, 320])
def test_the_pad_of_eight_fits_a_small_phone(hand, width):
    hand.page.set_viewport_size({"width": width, "height": 640})
    enter(hand, "Bruno", "Custodi Peacekeeper of a very long name indeed", "Note", number="99999")

    assert complaints(hand.page, width) == []


def test_a_draft_needs_no_script(browser, site):
    """Each button is a plain form."""
    context = browser.new_context(base_url=site.address, java_script_enabled=False)
    page = context.new_page()
    page.goto("/start/?format=conspiracy-draft")
    for seat, name in enumerate(NAMES[:3], 1):
        page.get_by_label(re.compile(rf"^\s*Seat {seat}")).fill(name)
    page.get_by_role("button", name="Start").click()
    pad = page.get_by_role("form", name="Enter what is public")
    pad.get_by_role("radio", name="Cleo").check(force=True)
    pad.get_by_label("Card", exact=True).fill("Smuggler Captain")
    pad.get_by_role("button", name="Face up").click()
    becomes(lambda: public(page, "Cleo"), ["Smuggler Captain face up"])
    for _ in range(2):
        page.get_by_role("button", name=re.compile("^Next")).click()
    page.get_by_role("button", name=re.compile("^End")).click()
    page.get_by_role("link", name="Seat the tables").click()
    page.get_by_role("button", name="Split into tables").click()

    expect(page.get_by_role("link", name="Scan to keep score")).to_have_count(1)
    context.close()
