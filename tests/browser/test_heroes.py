"""A hero by name: four taps from the pad and some letters, with the type and on every row."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.decks.faults import bring_pool
from tests.scoring.tables import address

from .checks import complaints
from .hand import Hand, give_key
from .looks import seat


@pytest.mark.parametrize("scripts", [True, False])
def test_a_hero_and_its_type_are_named_by_four_taps_and_some_letters(site, browser, scripts):
    bring_pool()
    table = seat(4)
    context = browser.new_context(
        base_url=site.address,
        viewport={"width": 360, "height": 740},
        has_touch=True,
        java_script_enabled=scripts,
    )
    give_key(context, site.address, table)
    page: Page = context.new_page()
    page.goto(address(table, "score"))
    hand = Hand(page)

    hand.menu() if scripts else hand.tap(page.get_by_role("link", name="More").first)
    with page.expect_navigation():
        hand.tap(page.get_by_role("link", name="Heroes"))
    field = page.get_by_role("form", name="Hero of Bo").get_by_label("Hero")
    hand.tap(field)
    field.press_sequentially("kaal")
    if not scripts:
        field.press("Enter")  # an unknown name comes back with those that it may be
    with page.expect_navigation():
        hand.tap(page.get_by_role("form", name="Kaalia").get_by_role("button", name="Angel"))

    assert hand.taps <= 4
    if scripts:
        page.goto(address(table, "seat_decks"))
        assert complaints(page, 360) == []
    for name in ("score", "table"):
        page.goto(address(table, name))
        expect(page.locator(".seat-2 .led").first).to_have_text("Kaalia, Angel")
    context.close()
