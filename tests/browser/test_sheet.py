"""What the pad leads to opens as a sheet over it, online or not."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.scoring.rules.play import ANN, BO, CY, hit, together
from tests.scoring.tables import address, record

from .checks import complaints
from .hand import (
    Hand,
    becomes,
    board,
    entries,
    give_key,
    kept_open,
    kinds,
    last_event,
    reception,
    worker_is_there,
)


@pytest.fixture
def hand(pad) -> Hand:
    pad.evaluate("() => (window.isTheSame = true)")
    return Hand(pad)


def is_the_same(page: Page) -> bool:
    return page.evaluate("() => window.isTheSame === true")


def test_the_menu_opens_over_the_pad_with_all_totals_in_sight(hand):
    hand.menu()

    top = hand.sheet.evaluate("(sheet) => sheet.getBoundingClientRect().top")
    rows = hand.page.locator(".player")
    becomes(lambda: rows.count(), 4)
    assert all(
        row.evaluate("(row) => row.getBoundingClientRect().bottom") <= top for row in rows.all()
    )
    expect(hand.sheet.locator("h1")).to_be_focused()
    assert complaints(hand.page, 393) == []


NOTE_LOOKS = """() => {
  window.looks = [];
  new MutationObserver(([{ target }]) => {
    if (target.open) window.looks.push(getComputedStyle(target).borderLeftWidth);
  }).observe(document.getElementById("sheet"), { attributeFilter: ["open"] });
}"""


def test_the_first_sheet_opens_with_its_style_however_late_that_comes(new_context, site, table):
    page = new_context().new_page()
    give_key(page, site, table)
    asked: list[Route] = []
    page.route("**/sheet*.css", lambda route: asked.append(route))
    page.goto(address(table, "score"))
    page.locator("#sheet").wait_for(state="attached")
    page.evaluate(NOTE_LOOKS)

    with page.expect_request("**/sheet*.css"):
        page.get_by_role("link", name="More").first.tap()
    expect(page.locator("#sheet")).to_be_hidden()
    asked[0].continue_()

    expect(page.locator("#sheet h1")).to_be_focused()
    becomes(lambda: page.evaluate("() => window.looks"), ["0px"])
    assert "undefined" not in (page.locator("#sheet").get_attribute("style") or "")


def test_the_sheet_closes_and_leaves_the_pad_as_it_was(hand, table):
    page = hand.page
    hand.target("Cy")
    for close in (
        lambda: page.keyboard.press("Escape"),
        page.go_back,
        lambda: hand.close_sheet("Back to the pad"),
        lambda: page.touchscreen.tap(200, 100),  # on the board
    ):
        hand.menu()
        close()

        expect(hand.sheet).to_be_hidden()
        expect(page.get_by_role("checkbox", name="Cy")).to_be_checked()
        expect(page.get_by_role("link", name=re.compile("^More"))).to_be_focused()
        assert page.url.endswith(address(table, "score"))
    assert is_the_same(page)


def test_a_tap_on_the_sheet_closes_it_and_the_board_follows_in_place(hand, table):
    hand.more("Cy", "+5", "Life, without damage")

    becomes(lambda: board(hand.page)["Cy"], (0, 30))
    expect(hand.sheet).to_be_hidden()
    assert is_the_same(hand.page)
    hand.more("Ann", "Hand", "Hero goes to")
    assert kinds(table) == ["life", "hero"]
    assert is_the_same(hand.page)

    # The menu shows what is possible after the last tap.
    hero = hand.sheet.get_by_role("group", name=re.compile("^Hero"))
    hand.menu()
    hand.tap(hand.sheet.get_by_role("radio", name="Ann"))
    expect(hero.get_by_role("button")).to_have_text(
        ["Outside", "Stack", "Battlefield", "Graveyard", "Exile", "Library"]
    )
    hand.tap(hand.sheet.get_by_role("radio", name="Bo"))
    expect(hero.get_by_role("button")).to_have_count(0)
    expect(hero).to_contain_text("It is not Bo's turn")


@pytest.mark.parametrize("can_keep", [True, False])
def test_what_is_refused_is_shown_on_the_sheet_with_the_reason(hand, table, can_keep):
    if not can_keep:
        hand.page.add_init_script("indexedDB.open = () => { throw Error('private'); };")
        hand.page.reload()
    hand.menu()
    hand.tap(hand.sheet.get_by_role("radio", name="Cy"))
    hand.tap(hand.sheet.get_by_role("button", name="Lose poison"))

    expect(hand.sheet.get_by_role("alert")).to_have_text("Give a whole number from 1 to 9999.")
    expect(hand.sheet.get_by_role("radio", name="Cy")).to_be_checked()
    expect(hand.page.locator("#outbox > li")).to_have_count(0)
    assert kinds(table) == []


def test_without_a_connection_the_menu_opens_though_its_module_came_late_and_its_taps_wait(
    new_context, site, table
):
    page, late = new_context(worker=True).new_page(), []
    give_key(page, site, table)
    page.route("**/js/sheet.js", lambda route: late.append(route), times=1)
    page.goto(address(table, "score"))
    worker_is_there(page)
    becomes(lambda: page.evaluate("async () => Boolean(await caches.match('/offline/'))"), True)
    late[0].continue_()
    kept_open(page)
    hand = Hand(page)
    page.context.set_offline(True)
    page.reload()
    hand.menu()
    hand.tap(hand.sheet.get_by_role("radio", name="Cy"))
    hand.tap(hand.sheet.get_by_role("button", name="Crown"))
    reception(page, "1 waiting")
    assert page.url.endswith(address(table, "score"))

    page.context.set_offline(False)

    expect(page.locator("#outbox > li")).to_have_count(0)
    expect(page.locator(".peek li").first).to_contain_text("Cy becomes the monarch")


def test_what_ends_a_game_says_that_it_waits_for_the_server(hand, table):
    page = hand.page
    hand.menu()
    hand.tap(hand.sheet.get_by_role("radio", name="Bo"))
    page.context.set_offline(True)
    hand.tap(hand.sheet.get_by_role("link", name="Concede", exact=True))
    expect(hand.sheet.get_by_role("status")).to_contain_text("No connection.")
    assert kinds(table) == []

    page.context.set_offline(False)

    expect(hand.sheet.locator("h1")).to_have_text("Bo concedes?")
    hand.button("Yes: Bo concedes")
    becomes(lambda: last_event(page), "1 Bo concedes")
    assert is_the_same(page)


def test_the_offline_page_leads_back_to_the_pad(kept, table):
    kept.context.set_offline(True)
    for path in (address(table, "log"), "/bans/"):
        kept.goto(path)
        expect(kept.get_by_role("heading", name="No connection")).to_be_visible()
        expect(kept.locator("header.top")).to_have_css("display", "flex")  # in its own looks
        kept.get_by_role("link", name="Back to the pad").tap()
        kept.wait_for_url(f"**{address(table, 'score')}")
        becomes(lambda: len(board(kept)), 4)


def test_keys_say_what_they_do_and_whom_the_dashes_mean(pad, table):
    record(table, hit(ANN, BO, 3))
    to = pad.get_by_role("group", name=re.compile("^To"))

    numbers = pad.get_by_role("button", name=re.compile("^Hit for"))
    expect(numbers).to_have_text([str(number) for number in range(1, 11)])
    expect(to.get_by_role("checkbox", name="dashed, hit last: Bo", exact=True)).to_have_count(1)
    to.get_by_role("checkbox", name="Cy").tap()
    expect(to.get_by_role("checkbox", name="Bo", exact=True)).to_have_count(1)

    hand = Hand(pad)  # nobody, as who hits, has no dashes
    for targets in (["Cy", "Di"], []):  # Cy is let go
        hand.source("None")
        hand.kind("Other")
        hand.target(*targets)
        hand.number(1)
    expect(pad.get_by_role("alert").filter(has_text="To whom?")).to_be_visible()


def test_an_amendment_shows_what_it_changes_as_it_is_typed(hand, table):
    page = hand.page
    record(table, together(hit(ANN, BO, 3), hit(ANN, CY, 4)))
    page.goto(address(table, "line", 1, 1))
    amend = page.get_by_role("button", name="Amend event 1")

    page.get_by_role("group", name="Hit 2").get_by_label("Damage").fill("6")
    changes = ["Ann: 7 VP → 9", "Cy: 21 life → 19"]
    expect(page.locator("#changed li")).to_have_text(changes)
    page.get_by_role("button", name="Take out hit 1").tap()
    expect(page.get_by_role("group", name="Hit 2")).to_have_count(0)
    expect(page.locator("#changed li").first).to_have_text("Ann: 7 VP → 6")
    amend.tap()

    expect(page.get_by_role("heading", name="Log")).to_be_visible()
    hits = [{"source": "1", "target": "3", "amount": 6, "kind": "combat"}]
    assert entries(table)[-1]["with"]["hits"] == hits
