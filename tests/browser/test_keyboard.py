"""The pad on a wide screen: its keys on a keyboard, the standings and the log beside it."""

import pytest
from playwright.sync_api import Page, expect

from tests.scoring.rules.play import ANN, BO, hit
from tests.scoring.tables import address, record

from .checks import DESK, DESKTOP, complaints
from .hand import give_key
from .looks import seat

pytestmark = pytest.mark.browser_context_args(**DESK)


def latest_is(page: Page, text: str) -> None:
    expect(page.locator("#desk ol:not(.podium) li").first).to_contain_text(text)


def test_keys_hit_undo_and_turn_and_the_log_beside_the_pad_follows(page, site):
    table = seat(3)
    record(table, hit(ANN, BO, 3))
    give_key(page.context, site.address, table)
    page.goto(address(table, "score"))
    latest_is(page, "Ann hits Bo for 3")
    assert complaints(page, DESKTOP[0]) == []

    page.keyboard.press("4")
    latest_is(page, "Ann hits Bo for 4")
    page.keyboard.press("u")
    latest_is(page, "Undo of 2")
    page.keyboard.press("0")
    latest_is(page, "Ann hits Bo for 10")
    page.keyboard.press("Enter")
    page.keyboard.type("12")
    expect(page.locator("#typed")).to_have_value("12")
    page.keyboard.press("Enter")
    latest_is(page, "Ann hits Bo for 12")
    expect(page.locator("#desk .podium .first")).to_contain_text("21 VP")


def test_keys_that_are_turned_off_do_nothing(page, site):
    table = seat(3)
    give_key(page.context, site.address, table)
    page.goto(address(table, "score"))
    expect(page.locator("#desk")).to_contain_text("No event yet.")
    page.keyboard.press("?")
    page.get_by_role("button", name="Turn the keys off").click()
    page.get_by_role("link", name="Back to the pad").click()
    expect(page.locator("#desk")).to_contain_text("No event yet.")

    page.keyboard.press("t")
    page.locator("#turn").click()
    latest_is(page, "Bo’s turn begins")

    expect(page.locator("#desk ol:not(.podium) li")).to_have_count(1)
