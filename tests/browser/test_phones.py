"""Every page, on small and large screens, in light and dark."""

import re

import pytest
from playwright.sync_api import Error, Page, expect

from scoring.play import commands
from scoring.rules.formats import COALITION_906, LEVELER, RULESETS
from scoring.rules.formats.leveler import LEVELS, UseUpLibrary
from scoring.rules.moves import ChangePoison, Hold
from tests.scoring.rules.play import ANN, BO, CY, DI, hit
from tests.scoring.tables import SEED, address, record

from . import looks, looks_of_conspiracy, looks_of_decks, looks_of_formats
from .checks import DESKTOP, PHONES, TABLET, Console, complaints_on, crowding
from .hand import becomes, give_deck, give_key, signs
from .looks import LONG_NAMES, Look, seat

pytestmark = pytest.mark.browser_context_args(color_scheme="light")

NAMES_OF_20 = [
    "Maximiliane Konstanz",
    "Wwwwwwwwwwwwwwwwwwww",
    "Ünal Çağlar Öztürkoğ",
    "Abcdefghijklmnopqrst",
    "محمد الحسن بن عبدالل",
    "Sixtina von der Höhe",
]
ROLLS_ALIKE = 12  # a seed with which two players of four roll the same three times


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
    lines = [line.strip(" -") for line in error.message.splitlines()]
    return next((line for line in lines if "intercepts" in line), lines[0])


@pytest.mark.parametrize(
    "some_looks",
    [
        *(looks.without_a_table, looks.on_the_pad, looks.that_ask, looks.between_games),
        *(looks.of_the_log, looks.for_everybody, looks_of_formats.every_look),
        *(looks_of_conspiracy.every_look, looks_of_decks.every_look),
    ],
    ids=lambda one: f"{one.__module__.rpartition('.')[2]} {one.__name__}",
)
def test_every_page_fits_fingers_and_readers_and_complains_of_nothing(page, site, some_looks):
    page.set_default_timeout(3_000)
    console = Console(page)

    wrong = []
    for look in some_looks():
        try:
            show(page, look, site)
        except Error as error:
            found = [f"no tap there: {why(error)}"]
        else:
            found = complaints_on(page, [*PHONES, DESKTOP]) + console.complaints(look.status)
        wrong += [f"{look.name}: {what}" for what in found]

    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_player_and_the_whole_pad_are_seen_without_scrolling(page, site, players):
    table = seat(players)
    record(table, hit(ANN, BO, 3), hit(ANN, BO, 2))

    show(page, Look("pad", address(table, "score"), table), site)

    all_is_seen(page)


def test_empty_libraries_take_the_pad_no_room(page, site):
    table = commands.create_set(LEVELER, LONG_NAMES[:4], seed=SEED)
    commands.start_game(table, 1, first=ANN)
    record(table, hit(ANN, BO, 27), *[UseUpLibrary((ANN, BO, CY, DI), "emptied")] * LEVELS)
    record(table, hit(ANN, BO, 1))  # after which there is nothing more to do

    show(page, Look("pad", address(table, "score"), table), site)

    all_is_seen(page)
    assert complaints_on(page, PHONES) == []
    becomes(lambda: signs(page, LONG_NAMES[BO - 1]), ["library empty"])


def test_rolled_dice_leave_room_for_names_and_signs(page, site):
    table = commands.create_set(RULESETS["realm-wars"], LONG_NAMES[:4], seed=ROLLS_ALIKE)
    commands.start_game(table, 1)

    for view in ("score", "watch"):
        show(page, Look(view, address(table, view), table), site)
        expect(page.locator(".player .signs").nth(1)).to_contain_text(
            "1, again 2, again 13, again 16"
        )
        assert complaints_on(page, [*PHONES, TABLET]) == []


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_no_key_covers_another_and_nothing_is_cut_or_behind_the_pad(page, site, players):
    table = commands.create_set(
        LEVELER if players > 5 else COALITION_906, NAMES_OF_20[:players], seed=SEED
    )
    commands.start_game(table, 1, first=ANN)
    show(page, Look("pad", address(table, "score"), table), site)
    at_the_start = crowding(page)
    record(
        table, ChangePoison({BO: 2}), Hold(BO, cannot_lose=True, cannot_win=True), hit(ANN, BO, 3)
    )
    page.reload()
    after_a_hit = crowding(page)

    assert at_the_start + after_a_hit == []


# How much room the rows have above the pad, and the pad above the end of the screen.
ROOM = """() => {
  const bottom = (one) => document.querySelector(one).getBoundingClientRect().bottom;
  const pad = document.querySelector(".console").getBoundingClientRect();
  return [pad.top - bottom(".player:last-child"), innerHeight - pad.bottom];
}"""


def all_is_seen(page: Page) -> None:
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        assert min(page.evaluate(ROOM)) >= 0, f"on {width} px"
