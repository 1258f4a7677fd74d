"""A deck on a phone: begun empty, filled by search, and changed by taps."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from decks.models import Deck
from tests.decks.cards import given
from tests.decks.cards import record as card
from tests.decks.faults import HERO, bring_pool
from tests.decks.lists import register
from tests.decks.pages import LEGAL
from tests.decks.written import deck

from .hand import give_deck, see


@pytest.fixture(autouse=True)
def _pool(page, site) -> None:
    bring_pool()
    page.set_viewport_size({"width": 360, "height": 740})


def verdict(page: Page) -> Locator:
    return page.get_by_role("region", name="Verdict").get_by_role("heading")


def open_deck(page: Page, site, *lines: str, side: tuple[str, ...] = ()) -> None:
    found = register("Elves", deck(*lines, side=side))
    give_deck(page.context, site.address, found)
    page.goto(f"/decks/{found.code}/")


def test_cards_that_a_search_finds_are_added_by_taps_in_a_row(page):
    page.goto("/decks/new/")
    page.get_by_label("Name of the deck").fill("Elves")
    page.get_by_role("button", name="Begin the deck").tap()
    see(page, "Elves")
    page.get_by_role("link", name="Search for cards").tap()
    for name, place, times in ((HERO, "hero", 1), ("Elvish Mystic", "main deck", 5)):
        page.get_by_role("searchbox").fill(name)
        expect(page.locator("#found h3")).to_have_text([name])
        for _ in range(times):
            page.get_by_role("button", name=f"Add {name}: {place}").tap()
        expect(page.locator(".added", has_text="of Elves")).to_contain_text(
            "The hero" if place == "hero" else f"{times} in the {place}"
        )

    assert Deck.objects.get().revisions.count() == 1


def test_quick_taps_on_a_row_all_count_and_its_buttons_stay(page, site):
    open_deck(page, site, "2 Negate", "4 Elvish Mystic")
    button = page.get_by_role("button", name="One Elvish Mystic more")
    button.evaluate("button => { window.button = button }")
    for _ in range(4):
        button.tap(no_wait_after=True)

    row = page.get_by_role("listitem").filter(has=button)
    expect(row).to_contain_text("8×")
    expect(row).to_contain_text("8 copies of Elvish Mystic")
    expect(verdict(page)).to_have_text("Not legal: 3 problems")
    assert button.evaluate("button => button === window.button")


def test_after_check_the_verdict_is_what_a_phone_shows_first(page):
    page.goto("/decks/")
    page.get_by_label("Deck list").fill(LEGAL)
    page.get_by_role("button", name="Check", exact=True).tap()

    expect(page).to_have_url(re.compile("#report$"))
    banner = page.get_by_role("region", name="Verdict")
    expect(banner).to_be_in_viewport()
    assert banner.bounding_box()["y"] < 200


def test_the_example_follows_the_format_and_nothing_is_wrong_before_a_list_is_there(page):
    page.goto("/decks/")
    page.get_by_label("Ruleset").select_option("leveler")

    expect(page.get_by_label("Deck list")).to_have_attribute("placeholder", re.compile("50 cards"))
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_tap_that_moves_a_card_leaves_the_page_and_the_focus_where_they_are(page, site):
    names = [f"Spell {at}" for at in range(15)]
    given(*(card(name, "Instant") for name in names))
    open_deck(page, site, "4 Elvish Mystic", side=tuple(f"1 {name}" for name in names))
    for at in range(4, 6):
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
