"""A card's name leads to its page: in a sheet on phones, previewed under a mouse, and as a link."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.decks.cards import given, record

from .checks import Console, complaints

SONG = "Song of Leaves"


@pytest.fixture
def found(page: Page, site: Any) -> Page:
    given(
        record(SONG, "Sorcery", "{T}: Create a Bear."),
        record("Song of Roots", "Sorcery", "Draw a card."),
    )
    page.goto("/cards/?q=song")
    return page


def test_a_tap_opens_the_card_in_a_sheet_and_closing_it_leads_back(found):
    console = Console(found)
    found.get_by_role("link", name=SONG, exact=True).tap()

    sheet = found.get_by_role("dialog", name=SONG)
    expect(sheet.get_by_role("heading", name=SONG, level=1)).to_be_focused()
    expect(sheet.get_by_text("Create a Bear.")).to_be_visible()
    expect(found).to_have_url(re.compile(r"/cards/\?q=song$"))
    assert complaints(found, found.viewport_size["width"]) == []

    sheet.get_by_role("button", name="Close").tap()

    expect(sheet).to_be_hidden()
    expect(found.get_by_role("link", name=SONG, exact=True)).to_be_focused()
    assert console.complaints(200) == []


def test_a_sheet_that_cannot_be_fetched_leads_to_the_page(new_context, found):
    page = new_context().new_page()
    page.goto("/cards/?q=song")
    page.route("**/cards/song_of_leaves/", lambda route: route.abort(), times=1)
    page.get_by_role("link", name=SONG, exact=True).tap()

    expect(page).to_have_url(re.compile("/cards/song_of_leaves/$"))


def test_a_mouse_previews_the_card_and_a_click_opens_its_page(browser, found, site):
    desk: Any = {"width": 1280, "height": 800}
    page = browser.new_page(base_url=site.address, viewport=desk)
    page.goto("/cards/?q=song")
    name = page.get_by_role("link", name=SONG, exact=True)
    preview = page.locator("#card-preview")

    name.hover()
    expect(preview).to_be_visible()
    expect(preview).to_contain_text("Create a Bear.")
    preview.hover()
    expect(preview).to_be_visible()
    page.keyboard.press("Escape")
    expect(preview).to_be_hidden()

    name.click()
    expect(page).to_have_url(re.compile("/cards/song_of_leaves/$"))
