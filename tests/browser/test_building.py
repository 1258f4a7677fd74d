"""A deck on a phone: begun empty, filled by search, mended by taps, and brought to a table."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from decks.models import Deck
from scoring.models import GameSet
from scoring.play import commands
from scoring.rules.formats import COALITION_906
from tests.decks.faults import HERO, bring_pool
from tests.decks.lists import register
from tests.decks.pages import LEGAL
from tests.decks.written import deck
from tests.scoring.grouped import group
from tests.scoring.groups.visitors import account, browser

from .checks import Console, complaints_on
from .hand import becomes, give_deck, see
from .test_account_pages import SCREENS


def sign_in(page: Page, address: str, name: str) -> None:
    session = browser(name).cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": address}])


def verdict(page: Page) -> Locator:
    return page.get_by_role("region", name="Verdict").get_by_role("heading")


def search_and_add(page: Page, name: str, place: str, times: int = 1) -> None:
    """Find a card by its name, and add it with taps in a row."""
    page.get_by_role("searchbox").fill(name)
    expect(page.locator("#found h3")).to_have_text([name])
    button = page.get_by_role("button", name=f"Add {name}: {place}")
    for _ in range(times):
        button.tap()
    expect(page.locator(".added", has_text="of Elves")).to_contain_text(
        "The hero" if place == "hero" else f"{times} in the {place}"
    )


@pytest.fixture
def table(site) -> GameSet:
    bring_pool()
    club = group("Thursday group")
    made = commands.create_set(COALITION_906, ["Ann", "Bo"], key=None, seed=1, playgroup=club)
    club.players.filter(name="Ann").update(user=account("ann", club, "member"))
    return made


def test_from_an_empty_page_to_a_legal_deck_at_tonights_table(page, new_context, site, table):
    console = Console(page)
    sign_in(page, site.address, "ann")
    page.goto("/decks/")
    page.get_by_role("link", name="New deck").tap()
    page.get_by_label("Name of the deck").fill("Elves")
    page.get_by_role("button", name="Begin the deck").tap()
    see(page, "Elves")

    page.get_by_role("link", name="Search for cards").tap()
    search_and_add(page, HERO, "hero")
    search_and_add(page, "Elvish Mystic", "main deck", 5)
    search_and_add(page, "Forest", "main deck")
    page.get_by_role("link", name="Elves").first.tap()

    expect(verdict(page)).to_have_text("Not legal: 3 problems")
    for mend in (
        "Add 54 Forest to the main deck",
        "Add 9 Forest to the sideboard",
        "Keep 4 Elvish Mystic, take out 1",
        "Add 1 Forest to the main deck",
    ):
        page.get_by_role("button", name=mend).tap()
        expect(page.get_by_text(f"Done: {mend[0].lower()}{mend[1:]}.")).to_be_visible()
    expect(verdict(page)).to_have_text("Legal")
    becomes(lambda: Deck.objects.get().revisions.count(), 1)
    assert console.complaints(200) == []

    other = new_context().new_page()
    sign_in(other, site.address, "ann")
    other.goto("/decks/mine/")
    other.get_by_role("link", name="Elves").tap()
    expect(verdict(other)).to_have_text("Legal")
    other.get_by_role("link", name="Bring it to a table").tap()
    other.get_by_role("button", name="To Ann’s seat").tap()
    expect(other.get_by_role("link", name="Elves")).to_be_visible()
    assert table.seats.get(number=1).deck == Deck.objects.get().revisions.get()


@pytest.fixture
def elves(page, site) -> Deck:
    bring_pool()
    found = register("Elves", deck("2 Negate", "4 Elvish Mystic"))
    give_deck(page.context, site.address, found)
    page.goto(f"/decks/{found.code}/")
    return found


def test_quick_taps_on_a_row_all_count_and_its_buttons_stay(page, elves):
    button = page.get_by_role("button", name="One Elvish Mystic more")
    button.evaluate("button => { window.button = button }")
    for _ in range(4):
        button.tap(no_wait_after=True)

    row = page.get_by_role("listitem").filter(has=button)
    expect(row).to_contain_text("8×")
    expect(row).to_contain_text("8 copies of Elvish Mystic")
    expect(verdict(page)).to_have_text("Not legal: 3 problems")
    assert button.evaluate("button => button === window.button")


def test_a_change_of_another_browser_is_seen_and_kept(page, new_context, site, elves):
    other = new_context().new_page()
    give_deck(other.context, site.address, elves)
    other.goto(f"/decks/{elves.code}/")
    give_deck(page.context, site.address, elves)
    other.get_by_role("button", name="One Forest less").first.tap()
    expect(other.get_by_role("listitem").filter(has_text="8× Forest")).to_have_count(1)

    page.get_by_role("button", name="One Negate less").tap()

    expect(page.get_by_text("This deck was changed in another browser meanwhile")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="8× Forest")).to_have_count(1)


def test_after_check_the_verdict_is_what_a_phone_shows_first(page, site):
    bring_pool()
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/decks/")
    page.get_by_label("Deck list").fill(LEGAL)
    page.get_by_role("button", name="Check", exact=True).tap()

    expect(page).to_have_url(re.compile("#report$"))
    banner = page.get_by_role("region", name="Verdict")
    expect(banner).to_be_in_viewport()
    assert banner.bounding_box()["y"] < 200


def test_a_list_is_mended_in_the_form_and_can_be_typed_on(page, site):
    bring_pool()
    page.goto("/decks/")
    page.get_by_label("Deck list").fill(deck("2 Negate"))

    page.get_by_role("button", name="Keep 1 Negate, take out 1").tap()
    page.get_by_role("button", name="Add 1 Forest to the main deck").tap()

    expect(page.get_by_role("region", name="Verdict").get_by_role("heading")).to_have_text("Legal")
    expect(page.get_by_label("Deck list")).to_have_value(re.compile("1 Negate\n59 Forest"))


def test_the_example_follows_the_format_and_nothing_is_wrong_before_a_list_is_there(page, site):
    bring_pool()
    page.goto("/decks/")
    page.get_by_label("Ruleset").select_option("leveler")

    expect(page.get_by_label("Deck list")).to_have_attribute("placeholder", re.compile("50 cards"))
    expect(page.get_by_role("alert")).to_have_count(0)


def test_pages_of_building_fit_fingers_and_readers_on_every_screen(page, elves):
    console = Console(page)
    wrong = []
    for where in ("", "compare/", "bring/"):
        answer = page.goto(f"/decks/{elves.code}/{where}")
        wrong += complaints_on(page, SCREENS) + console.complaints(answer.status)
    for where in ("/decks/mine/", "/decks/new/", "/decks/add/?card=Negate", "/cards/?q=elf"):
        answer = page.goto(where)
        wrong += complaints_on(page, SCREENS) + console.complaints(answer.status)

    assert not wrong, "\n".join(wrong)
