"""A game of Leveler on a phone, from the start page to the final page."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, expect

from scoring.setlog import document

from .checks import complaints
from .hand import Hand, becomes, see, signs, words

NAMES = ["Ada", "Bruno", "Cleo"]


def standing(page: Page) -> dict[str, tuple[int, int]]:
    """Return each player's life and level, from top to bottom."""
    return {
        words(row.locator("h2 > span").first)[0]: tuple(
            int(words(row.locator(place))[0].split()[-1]) for place in (".vp b", ".life b")
        )
        for row in page.locator(".player").all()
    }


def marks(page: Page, name: str) -> list[str]:
    """Return the words below a player's scale of damage."""
    return words(page.locator(".player", has_text=name).locator(".marks span"))


def test_a_game_of_leveler_is_played_by_taps_to_its_end(page):
    hand = Hand(page)
    page.goto("/")
    hand.link("Start a table")
    hand.format("leveler")
    for seat, name in enumerate(NAMES, 1):
        page.get_by_label(re.compile(rf"^\s*Seat {seat}")).fill(name)
    assert complaints(page, 393) == []
    hand.send(page.get_by_role("button", name="Start"))
    see(page, "Leveler")
    becomes(lambda: standing(page), dict.fromkeys(NAMES, (30, 1)))

    hand.link("Change")
    hand.tap(page.get_by_role("radio", name="Ada"))
    hand.send(page.get_by_role("button", name="Change the start"))
    expect(page.get_by_role("region", name="The start")).to_contain_text("Ada starts.")

    hand.target("Bruno")
    hand.number(10)
    becomes(lambda: standing(page), {"Ada": (30, 1), "Bruno": (20, 2), "Cleo": (30, 1)})
    becomes(lambda: marks(page, "Bruno"), ["10 taken", "10 reached", "20 exile"])

    hand.source("Ada")
    hand.target("Cleo")
    hand.typed(23)
    becomes(lambda: standing(page)["Cleo"], (7, 3))
    assert complaints(page, 393) == []

    hand.more("Bruno", "Is empty", "Library")
    becomes(lambda: standing(page)["Bruno"], (20, 3))
    becomes(lambda: marks(page, "Bruno"), ["10 taken", "10 reached", "20 no exile"])
    hand.button(re.compile("^Undo"))
    becomes(lambda: standing(page)["Bruno"], (20, 2))

    hand.link("Log")
    expect(page.get_by_role("main")).to_contain_text(
        "Bruno, level 2: 10 damage taken, library exiled"
    )
    assert complaints(page, 393) == []
    hand.link("Back to the pad")

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

    (log,) = document.read_all(json.loads(page.request.get(f"{page.url}log.json").text()))
    assert document.play(log).state.is_finished
