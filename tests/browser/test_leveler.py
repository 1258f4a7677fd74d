"""A game of Leveler on a phone, from the start page to the final page."""

import re

from playwright.sync_api import Page, expect

from .checks import complaints
from .hand import Hand, becomes, board, see, signs, words

NAMES = ["Ada", "Bruno", "Cleo"]


def marks(page: Page, name: str) -> list[str]:
    return words(page.locator(".player", has_text=name).locator(".marks span"))


def test_a_game_of_leveler_is_played_by_taps_to_its_end(page):
    hand = Hand(page)
    hand.start("leveler", NAMES, first="Ada")
    see(page, "Leveler")
    becomes(lambda: board(page), dict.fromkeys(NAMES, (30, 1)))

    hand.target("Bruno")
    hand.number(10)
    becomes(lambda: board(page), {"Ada": (30, 1), "Bruno": (20, 2), "Cleo": (30, 1)})
    becomes(lambda: marks(page, "Bruno"), ["10 taken", "10 reached", "20 exile"])

    hand.source("Ada")
    hand.target("Cleo")
    hand.typed(23)
    becomes(lambda: board(page)["Cleo"], (7, 3))
    assert complaints(page, 393) == []

    hand.more("Bruno", "Is empty", "Library")
    becomes(lambda: board(page)["Bruno"], (20, 3))
    becomes(lambda: marks(page, "Bruno"), ["10 taken", "10 reached", "20 no exile"])
    hand.button(re.compile("^Undo"))
    becomes(lambda: board(page)["Bruno"], (20, 2))

    hand.more("Cleo", "Drew from empty", "Library")
    becomes(lambda: signs(page, "Cleo")[0], "Out")
    hand.menu()
    assert complaints(page, 393) == []
    hand.close_sheet("Back to the pad")
    hand.source("Bruno")
    hand.target("Ada")
    hand.typed(30)
    expect(page.locator(".banner h2")).to_have_text("Bruno wins")
    hand.link("Final standings")
    expect(page.get_by_role("heading", level=1)).to_have_text("Bruno wins")
    becomes(
        lambda: words(page.locator(".podium .sub")),
        [
            "won",
            "30 damage dealt · 10 taken · level 2",
            "out in turn 2: no life left, by Bruno, outlasted 1 opponent",
            "33 damage dealt · 30 taken · level 1",
            "out in turn 1: drew from an empty library",
            "23 taken · level 3",
        ],
    )
    assert complaints(page, 393) == []
