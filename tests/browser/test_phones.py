"""Every page, on small and large screens, in light and dark."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Error, Page

from tests.rules.play import ANN, BO, hit
from tests.scoring.tables import address, record

from . import looks, looks_of_conspiracy, looks_of_decks
from .checks import DESKTOP, PHONES, Console, complaints_on
from .hand import give_deck, give_key
from .looks import Look, seat


@pytest.fixture
def browser_context_args(browser_context_args, screens) -> dict[str, Any]:
    """Be a light screen of the first of these sizes, a phone's if it is narrow."""
    width, height = screens[0]
    return browser_context_args | {
        "viewport": {"width": width, "height": height},
        "is_mobile": screens[0] in PHONES,
        "color_scheme": "light",
    }


def show(page: Page, look: Look, site) -> None:
    """Open a page as the browser of who looks."""
    page.goto("about:blank")  # else the page before would follow its table without a key
    page.context.clear_cookies(name=re.compile("^(key|deck)-"))
    if look.table:
        give_key(page.context, site.address, look.table)
    if look.deck:
        give_deck(page.context, site.address, look.deck)
    page.goto(look.path)
    look.tap(page)
    page.wait_for_load_state()  # what a tap brought may be read before its sheet is there


def why(error: Error) -> str:
    """Return what stood in the way of a tap."""
    lines = [line.strip(" -") for line in error.message.splitlines()]
    return next((line for line in lines if "intercepts" in line), lines[0])


@pytest.mark.parametrize(
    "every_look",
    [looks.every_look, looks_of_conspiracy.every_look, looks_of_decks.every_look],
    ids=["tables", "conspiracy", "decks"],
)
@pytest.mark.parametrize("screens", [PHONES, [DESKTOP]], ids=["phones", "desktop"])
def test_every_page_fits_fingers_and_readers_and_complains_of_nothing(
    page, site, screens, every_look
):
    page.set_default_timeout(3_000)
    console = Console(page)

    wrong = []
    for look in every_look():
        try:
            show(page, look, site)
        except Error as error:
            found = [f"no tap there: {why(error)}"]
        else:
            found = complaints_on(page, screens) + console.complaints(look.status)
        wrong += [f"{look.name}: {what}" for what in found]

    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("screens", [[one] for one in PHONES], ids=["360", "393"])
def test_every_player_and_the_whole_pad_are_seen_without_scrolling(page, site, players):
    table = seat(players)
    record(table, hit(ANN, BO, 3), hit(ANN, BO, 2))

    show(page, Look("pad", address(table, "score"), table), site)

    room = page.evaluate(
        """() => {
          const bottom = (one) => document.querySelector(one).getBoundingClientRect().bottom;
          const pad = document.querySelector(".console").getBoundingClientRect();
          return { rows: pad.top - bottom(".player:last-child"), pad: innerHeight - pad.bottom };
        }"""
    )
    assert room["rows"] >= 0, f"the pad covers {-room['rows']:.0f} px of the last player"
    assert room["pad"] >= 0, f"{-room['pad']:.0f} px of the pad are off the screen"
