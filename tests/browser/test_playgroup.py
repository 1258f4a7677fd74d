"""From a quick table on a phone to the leaderboard of a playgroup, and a correction that counts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from .checks import Console
from .hand import Hand, becomes, see, words

GROUP = "Thursday group"


@pytest.fixture
def page(site, new_context) -> Page:
    return new_context().new_page()


def test_a_quick_table_is_taken_into_a_playgroup_and_counts_there_as_corrected(page):
    console, hand = Console(page), Hand(page)
    sign_up(page)
    make_playgroup(page)
    play_a_set(hand)
    take_it_in(hand)
    becomes(lambda: lines(page), {"Ada": ("1", "63", "21.0"), "Bo": ("1", "4", "1.3")})

    amend_bos_hit(hand)

    open_leaderboard(page)
    becomes(lambda: lines(page), {"Ada": ("1", "63", "21.0"), "Bo": ("1", "9", "3.0")})
    assert console.complaints(200) == []


def send(page: Page, button: str) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name=button, exact=True).tap()


def sign_up(page: Page) -> None:
    page.goto("/account/sign-up/")
    page.get_by_label(re.compile(r"^\s*Name")).fill("olga")
    page.get_by_label(re.compile(r"^\s*Password")).fill("correct horse battery")
    page.get_by_label(re.compile(r"^\s*Repeat the password")).fill("correct horse battery")
    send(page, "Create it and sign in")


def make_playgroup(page: Page) -> None:
    page.goto("/groups/")
    page.get_by_role("textbox", name="Name").fill(GROUP)
    send(page, "Create it")
    expect(page.get_by_role("link", name="Leaderboard")).to_have_attribute("aria-current", "page")
    expect(page.get_by_text("No finished set of Coalition counts here yet.")).to_be_visible()


def play_a_set(hand: Hand) -> None:
    """Ada wins each game with 21 VP; in the first Bo hits her once."""
    page = hand.page
    page.goto("/start/")
    for seat, name in enumerate(("Ada", "Bo"), 1):
        page.get_by_label(re.compile(rf"^\s*Seat {seat}")).fill(name)
    hand.tap(page.locator("#start summary"))
    hand.tap(page.get_by_role("radio", name=re.compile("^We have drawn already")))
    hand.send(page.get_by_role("button", name="Start game 1"))
    start(hand, 1)
    hand.target("Bo")
    hand.number(10)
    hand.button(re.compile("^Turn to Bo"))
    hand.target("Ada")
    hand.number(4)
    hand.button(re.compile("^Turn to Ada"))
    hand.typed(11)
    for number in (2, 3):
        start(hand, number)
        hand.target("Bo")
        hand.typed(21)


def start(hand: Hand, number: int) -> None:
    page = hand.page
    hand.tap(page.get_by_role("radio", name="Ada"))
    hand.send(page.get_by_role("button", name=f"Start game {number}"))
    see(page, f"Game {number} of 3")


def take_it_in(hand: Hand) -> None:
    page = hand.page
    hand.link("Final standings")
    hand.link("Playgroup")
    see(page, "Playgroup")
    send(page, f"Add it to {GROUP}")
    open_leaderboard(page)


def open_leaderboard(page: Page) -> None:
    page.goto("/groups/")
    page.get_by_role("link", name=GROUP, exact=True).tap()
    expect(page.get_by_role("link", name="Leaderboard")).to_have_attribute("aria-current", "page")


def lines(page: Page) -> dict[str, tuple[str, str, str]]:
    """Return each player's sets, VP and VP per game as the leaderboard says them on a phone."""
    found = {}
    for row in page.locator("table.board tbody tr").all():
        sets, points = re.findall(r"\d+", words(row.locator(".sub.narrow").first)[0])
        per_game = words(row.locator(".lead"))[0].split()[0]
        found[words(row.locator("th a"))[0]] = (sets, points, per_game)
    return found


def amend_bos_hit(hand: Hand) -> None:
    page = hand.page
    page.get_by_role("link", name=re.compile("Ada 63, Bo 4")).tap()
    see(page, "Log, game 3")
    hand.link("Game 1")
    see(page, "Log, game 1")
    hand.link("Amend event 3")
    see(page, "Bo hits Ada for 4, combat")
    page.get_by_label("Damage", exact=True).fill("9")
    hand.send(page.get_by_role("button", name="Amend event 3"))
    see(page, "Log, game 1")
