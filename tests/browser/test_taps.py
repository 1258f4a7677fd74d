"""How many taps things take at the table."""

import re
from datetime import date

import pytest
from playwright.sync_api import Page, expect

from scoring.models import GameSet
from tests.decks.faults import bring_pool
from tests.scoring.grouped import play
from tests.scoring.tables import address

from .checks import complaints
from .hand import Hand, give_key
from .looks import seat

FOUR = ["Ada", "Bruno", "Cleo", "Dov"]


@pytest.fixture
def played(page: Page, site) -> GameSet:
    table = play(None, date(2026, 3, 6), dict.fromkeys(FOUR, (1, 2, 3)))
    give_key(page.context, site.address, table)
    return table


def seated(page: Page) -> list[str]:
    page.wait_for_url(re.compile("/score/$"))
    expect(page.get_by_role("group", name="From")).to_be_visible()
    return list(GameSet.objects.latest("pk").names.values())


def test_a_new_table_with_the_same_four_takes_one_tap(page, played):
    hand = Hand(page)
    page.goto("/")

    hand.tap(page.get_by_role("button", name="Play again, same seats"))

    assert (seated(page), hand.taps) == (FOUR, 1)


def test_a_table_of_four_known_people_takes_six_taps_from_the_home_page(page, played):
    hand = Hand(page)
    page.goto("/")
    hand.link("Start a table")
    for name in ("Cleo", "Ada", "Dov", "Bruno"):
        hand.tap(page.get_by_role("checkbox", name=re.compile(f"^{name}")))
    for number, name in enumerate(("Cleo", "Ada", "Dov", "Bruno"), 1):
        expect(page.get_by_label(f"Seat {number}")).to_have_value(name)

    hand.tap(page.get_by_role("button", name="Start game 1"))

    assert (seated(page), hand.taps) == (["Cleo", "Ada", "Dov", "Bruno"], 6)


def test_a_second_tap_on_a_person_frees_the_seat_for_the_next(page, played):
    page.goto("/start/")
    for name in ("Ada", "Bruno", "Ada", "Dov"):
        page.get_by_role("checkbox", name=re.compile(f"^{name}")).tap()

    values = [page.get_by_label(f"Seat {seat}").input_value() for seat in (1, 2, 3)]

    assert values == ["Dov", "Bruno", ""]
    expect(page.get_by_role("checkbox", name=re.compile("^Ada"))).not_to_be_checked()


def test_a_table_to_try_takes_one_tap(page, site):
    hand = Hand(page)
    page.goto("/")

    hand.tap(page.get_by_role("button", name="Try it"))

    assert (len(seated(page)), hand.taps) == (4, 1)


def test_life_and_poison_change_where_they_stand_by_two_taps(page, site):
    table = seat(4)
    give_key(page.context, site.address, table)
    page.goto(address(table, "score"))
    hand = Hand(page)

    hand.tap(page.locator(".player", has_text="Bo").locator("summary"))
    hand.tap(page.get_by_role("button", name="Bo: get 1 poison counter"))

    expect(page.locator(".peek li").first).to_contain_text("Bo gets 1 poison counter")
    assert hand.taps == 2


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
