"""A deck on a phone: pasted, judged as one types, mended, kept; or filled by search and taps."""

import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from decks.models import Deck
from tests.decks.cards import given, record
from tests.decks.faults import HERO, bring_pool
from tests.decks.lists import register
from tests.decks.pages import LEGAL
from tests.decks.written import deck

from .checks import DESK, Console, complaints
from .conftest import PHONE
from .hand import give_deck, see

LATER = datetime(2100, 1, 1, tzinfo=UTC)
FAULTY = deck("4 Elvish Mystic", "2 Negate")
PAUSE = 1000  # milliseconds, longer than the page waits for the next key
TOO_MANY = "2 copies of Negate: only creatures and lands may have more than 1. Take out 1."


@pytest.fixture(autouse=True)
def _pool(site) -> None:
    bring_pool()


@pytest.fixture
def form(page: Page) -> Page:
    """The page that checks a list, which notes when it is loaded again."""
    page.goto("/decks/")
    page.evaluate("window.isTheSame = true")
    return page


def title(page: Page) -> Locator:
    return page.get_by_role("region", name="Verdict").get_by_role("heading")


def is_the_same(page: Page) -> bool:
    return bool(page.evaluate("window.isTheSame === true"))


def sent(page: Page) -> list[str]:
    """Note each list that the page sends, and how, from now on."""
    found: list[str] = []
    page.on(
        "request", lambda request: request.method == "POST" and found.append(request.resource_type)
    )
    return found


def test_list_is_judged_while_typing_then_mended_and_saved(form):
    console, requests = Console(form), sent(form)
    text = form.get_by_label("Deck list")

    text.tap()
    form.keyboard.insert_text(FAULTY)
    expect(title(form)).to_have_text("Not legal: 1 problem")
    form.get_by_role("link", name=f"Line 6: {TOO_MANY}").tap()
    expect(form.locator("#line-6")).to_be_in_viewport()

    text.fill(FAULTY.replace("2 Negate", "1 Negate").replace("54 Forest", "55 Forest"))
    expect(title(form)).to_have_text("Legal")
    assert (is_the_same(form), requests) == (True, ["xhr", "xhr"])
    assert complaints(form, PHONE["width"]) + console.complaints(200) == []

    form.get_by_label("Name of the deck").fill("Elves of mine")
    form.get_by_role("button", name="Save").tap()

    see(form, "Elves of mine")
    found = Deck.objects.get()
    expect(form).to_have_url(re.compile(f"/decks/{found.code}/$"))
    expect(title(form)).to_have_text("Legal")
    expect(form.get_by_role("link", name="Change the deck")).to_be_visible()
    assert console.complaints(200) == []


def test_a_fix_leaves_the_page_where_it_is(form):
    """Else phones that scroll by what stands below would jump to the end of the page."""
    form.get_by_label("Deck list").fill(deck("4 Elvish Mystic", "2 Negate", "1 Elvish Mystik"))
    expect(title(form)).to_have_text("Not legal: 2 problems")
    fix = form.get_by_role("button", name="Keep 1 Negate, take out 1")
    fix.scroll_into_view_if_needed()
    before = form.evaluate("scrollY")

    fix.tap()

    expect(fix).to_have_count(0)
    assert (before > 0, form.evaluate("scrollY")) == (True, before)


def test_list_is_sent_once_after_a_pause_not_at_each_key(form):
    requests = sent(form)
    form.clock.install()
    form.clock.pause_at(LATER)

    form.get_by_label("Deck list").press_sequentially("4 Elvish Mystic")

    assert requests == []
    form.clock.run_for(PAUSE)
    expect(title(form)).to_have_text("Not legal: 3 problems")
    assert requests == ["xhr"]


def test_file_is_put_into_the_text_and_judged(form):
    file = {"name": "elves.txt", "mimeType": "text/plain", "buffer": deck().encode()}
    form.get_by_label("Or choose a file").set_input_files(file)

    expect(title(form)).to_have_text("Legal")
    expect(form.get_by_label("Deck list")).to_have_value(deck())
    assert is_the_same(form)


def hold_answer_about_no_list(form: Page, ruleset: str) -> list[Route]:
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        route.continue_() if held or route.request.method == "GET" else held.append(route)

    form.route("**/decks/", hold_the_first)
    with form.expect_request("**/decks/"):
        form.get_by_label("Ruleset").select_option(ruleset)
    return held


def test_what_is_pasted_while_the_answer_about_an_empty_list_is_on_its_way_stays(form):
    held, text = hold_answer_about_no_list(form, "coalition-2026"), form.get_by_label("Deck list")
    with form.expect_response("**/decks/"):
        text.fill(LEGAL)
        held[0].continue_()

    expect(title(form)).to_have_text("Legal")
    expect(text).to_have_value(LEGAL)


def test_the_lists_field_keeps_the_focus_when_the_answer_about_an_empty_list_comes(form):
    held, text = hold_answer_about_no_list(form, "leveler"), form.get_by_label("Deck list")
    text.tap()
    held[0].continue_()
    expect(text).to_have_attribute("placeholder", re.compile("50 cards"))

    form.keyboard.insert_text("4 Elvish Mystic")

    expect(text).to_have_value("4 Elvish Mystic")


def test_type_and_ruleset_are_chosen_in_place(form):
    expect(form.get_by_role("alert")).to_have_count(0)
    ruleset = form.get_by_label("Ruleset")
    usual = ruleset.input_value()
    ruleset.select_option("leveler")
    expect(form.get_by_label("Deck list")).to_have_attribute("placeholder", re.compile("50 cards"))
    expect(form.get_by_role("alert")).to_have_count(0)
    ruleset.select_option(usual)
    form.get_by_label("Deck list").fill(deck("4 Elvish Mystic", sizes=(60, 15)))
    expect(title(form)).to_have_text("Not legal: 1 problem")
    form.clock.install()
    form.clock.pause_at(LATER)
    requests = sent(form)

    ruleset.select_option("coalition-2026")
    expect(title(form)).to_have_text("Legal")
    form.clock.run_for(PAUSE)
    assert requests == ["xhr"]
    form.get_by_role("radio", name="Warrior").tap()

    expect(title(form)).to_have_text("Not legal: 1 problem")
    expect(form.get_by_role("radio", name="Warrior")).to_be_checked()
    assert is_the_same(form)


@pytest.mark.usefixtures("clock")
def test_checking_too_often_is_refused_in_place_and_typing_goes_on(form, settings):
    settings.LIMITS = {"check": (1, 3600)}
    text = form.get_by_label("Deck list")
    text.fill(FAULTY)
    expect(title(form)).to_have_text("Not legal: 1 problem")

    text.fill(FAULTY + "\n")

    told = form.get_by_role("alert").get_by_text("1 decks were checked from here within 60 minutes")
    expect(told).to_be_visible()
    settings.LIMITS = {}
    text.fill(FAULTY)
    expect(title(form)).to_have_text("Not legal: 1 problem")
    assert is_the_same(form)


# --- building ---
def open_deck(page: Page, site, *lines: str, side: tuple[str, ...] = ()) -> None:
    found = register("Elves", deck(*lines, side=side))
    give_deck(page, site, found)
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
    expect(title(page)).to_have_text("Not legal: 3 problems")
    assert button.evaluate("button => button === window.button")


def test_after_check_the_verdict_is_what_a_phone_shows_first(form):
    form.get_by_label("Deck list").fill(LEGAL)
    form.get_by_role("button", name="Check", exact=True).tap()

    expect(form).to_have_url(re.compile("#report$"))
    banner = form.get_by_role("region", name="Verdict")
    expect(banner).to_be_in_viewport()
    assert banner.bounding_box()["y"] < 200


def test_on_a_wide_screen_the_verdict_stands_beside_the_text_and_the_cards_below_both(form):
    form.set_viewport_size(DESK["viewport"])
    form.get_by_label("Deck list").fill(FAULTY)
    expect(title(form)).to_be_visible()

    text, verdict, cards = (
        part.bounding_box() or {}
        for part in (
            form.locator("#check"),
            form.get_by_role("region", name="Verdict"),
            form.locator("#list"),
        )
    )
    assert verdict["x"] > text["x"] + text["width"]
    assert verdict["y"] == text["y"]
    assert cards["y"] > text["y"] + text["height"]
    assert cards["width"] > 2 * text["width"]
    assert complaints(form, 1280) == []


def test_a_tap_that_moves_a_card_leaves_the_page_and_the_focus_where_they_are(page, site):
    names = [f"Spell {at}" for at in range(15)]
    given(*(record(name, "Instant") for name in names))
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
