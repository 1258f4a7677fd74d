"""A draft of eight on a phone, from the start page to two tables."""

import re

import pytest
from playwright.sync_api import Page, expect

from .checks import complaints
from .hand import Hand, becomes, see, words

NAMES = ["Ada", "Bruno", "Cleo", "Dora", "Emil", "Frida", "Gus", "Hal"]


def passing(page: Page) -> list[str]:
    return [told.removeprefix("passes to ") for told in words(page.locator(".player .passes"))]


def public(page: Page, name: str) -> list[str]:
    found = page.get_by_role("list", name=f"What is public of {name}").get_by_role("listitem")
    return words(found)


def enter(
    hand: Hand, who: str, card: str, button: str, *, number: str = "", name: str = ""
) -> None:
    pad = hand.page.get_by_role("form", name="Enter what is public")
    hand.tap(pad.get_by_role("radio", name=who))
    for label, text in (("Card", card), ("Number to note", number), ("Name to note", name)):
        if text:
            pad.get_by_label(label, exact=True).fill(text)
    with hand.answered():
        hand.tap(pad.get_by_role("button", name=button, exact=True))


@pytest.fixture
def hand(page: Page) -> Hand:
    hand = Hand(page)
    hand.start("conspiracy-draft", NAMES)
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
    hand.tap(page.get_by_text("Several want to act at once?"))
    expect(page.get_by_text("Rolled for this moment")).to_be_visible()
    assert complaints(page, 393) == []

    hand.button(re.compile("^Next"))
    expect(page.locator(".setbar .headline")).to_have_text("Pass right · round 2")
    becomes(lambda: passing(page), [NAMES[-1], *NAMES[:-1]])
    hand.button(re.compile("^Undo"))
    expect(page.locator(".setbar .headline")).to_have_text("Pass left · round 1")

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
    hand.tap(page.get_by_role("button", name="Undo these tables"))
    expect(page.get_by_role("heading", name="Who will sit where")).to_be_visible()


def test_the_pad_of_eight_fits_a_small_phone(hand):
    enter(hand, "Bruno", "Custodi Peacekeeper of a very long name indeed", "Note", number="99999")

    for width in (360, 320):
        hand.page.set_viewport_size({"width": width, "height": 640})
        assert complaints(hand.page, width) == []
