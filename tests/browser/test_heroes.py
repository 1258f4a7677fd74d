"""A hero from the pad and some letters, with the type and on every row."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.decks.faults import bring_pool
from tests.scoring.tables import address

from .checks import complaints
from .hand import Hand, give_key
from .looks import seat


def test_a_hero_and_its_type_are_named_by_four_taps_and_some_letters(page, site):
    bring_pool()
    table = seat(4)
    give_key(page.context, site.address, table)
    page.goto(address(table, "score"))
    hand = Hand(page)

    hand.menu()
    with page.expect_navigation():
        hand.tap(page.get_by_role("link", name="Heroes"))
    field = page.get_by_role("form", name="Hero of Bo").get_by_label("Hero")
    hand.tap(field)
    field.press_sequentially("kaal")
    with page.expect_navigation():
        hand.tap(page.get_by_role("form", name="Kaalia").get_by_role("button", name="Angel"))

    assert hand.taps <= 4
    page.goto(address(table, "seat_decks"))
    assert complaints(page, 393) == []
    for name in ("score", "table"):
        page.goto(address(table, name))
        expect(page.locator(".seat-2 .led").first).to_have_text("Kaalia, Angel")
