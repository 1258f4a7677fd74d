"""How many taps things take at the table."""

from __future__ import annotations

import re
from datetime import date

import pytest
from playwright.sync_api import Page, expect

from scoring.models import GameSet
from tests.scoring.grouped import play
from tests.scoring.tables import address

from .hand import Hand, give_key
from .looks import seat

FOUR = ["Ada", "Bruno", "Cleo", "Dov"]


@pytest.fixture
def played(page: Page, site) -> GameSet:
    """A finished set of four, whose key the browser has."""
    table = play(None, date(2026, 3, 6), dict.fromkeys(FOUR, (1, 2, 3)))
    give_key(page.context, site.address, table)
    return table


def seated(page: Page) -> list[str]:
    page.wait_for_url(re.compile("/score/$"))
    expect(page.get_by_role("group", name="From")).to_be_visible()
    return list(GameSet.objects.latest("pk").names.values())


@pytest.mark.parametrize("where", ["/", "/start/", "/s/{}/", "/s/{}/score/"])
def test_a_new_table_with_the_same_four_takes_one_tap(page, played, where):
    hand = Hand(page)
    page.goto(where.format(played.code))

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


def test_the_pad_leads_home_by_one_tap(page, played):
    page.goto("/")
    page.get_by_role("button", name="Try it").tap()
    page.wait_for_url(re.compile("/score/$"))

    page.get_by_role("link", name="Home").tap()

    page.wait_for_url(re.compile("/$"))
    expect(page.get_by_role("heading", name="Your open tables")).to_be_visible()


# --- on the pad ---
@pytest.fixture
def table(site) -> GameSet:
    """Four players in their first game, Ann to begin."""
    return seat(4)


@pytest.fixture
def hand(site, page: Page, table) -> Hand:
    """The scorekeeper's hand, over the pad."""
    give_key(page.context, site.address, table)
    page.goto(address(table, "score"))
    return Hand(page)


def open_counters(hand: Hand, name: str) -> None:
    hand.tap(hand.page.locator(".player", has_text=name).locator("summary"))


@pytest.mark.parametrize(
    ("changes", "sentence", "most"),
    [
        (["lose 1 life"], "Bo loses 1 life", 2),
        (["lose 3 life"], "Bo loses 3 life", 3),
        (["lose 5 life", "gain 1 life"], "Bo loses 4 life", 3),
        (["get 1 poison counter"], "Bo gets 1 poison counter", 2),
    ],
)
def test_life_and_poison_change_where_they_stand(hand, changes, sentence, most):
    open_counters(hand, "Bo")
    for change in changes:
        hand.tap(hand.page.get_by_role("button", name=f"Bo: {change}"))

    expect(hand.page.locator(".peek li").first).to_contain_text(sentence)
    assert hand.taps <= most


def test_a_hit_on_the_same_player_takes_one_tap_and_on_another_two(hand):
    hand.target("Bo")
    hand.tap(hand.page.locator("#n-3"))
    expect(hand.page.locator(".peek li").first).to_contain_text("Ann hits Bo for 3")
    assert hand.taps == 2

    hand.send(hand.page.locator("#n-2"))
    expect(hand.page.locator(".peek li").first).to_contain_text("Ann hits Bo for 2")
    assert hand.taps == 3


def test_the_turn_passes_by_one_tap(hand):
    hand.tap(hand.page.get_by_role("button", name=re.compile("^Turn")))

    expect(hand.page.locator(".setbar")).to_contain_text("Bo")
    assert hand.taps == 1
