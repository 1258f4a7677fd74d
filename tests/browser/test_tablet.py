"""The board to touch: a set is scored on a tablet in the middle of the table."""

import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from scoring.models import GameSet
from scoring.record import commands
from scoring.rules.formats import RULESETS
from scoring.rules.moves import ChangePoison, CrownMonarch, Draw
from tests.scoring.rules.play import ANN, BO, CY, NAMES, hit
from tests.scoring.tables import address, check_books, points, record, the_game, winner

from .checks import Console, complaints_on, crowding
from .hand import (
    Hand,
    becomes,
    board,
    damage,
    give_key,
    kept_words,
    kinds,
    reception,
    worker_is_there,
)
from .looks import seat

SIZES = [(768, 1024), (1024, 768), (820, 1180), (1180, 820), (1024, 1366), (1366, 1024)]


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return browser_context_args | {"viewport": {"width": 1024, "height": 768}}


@pytest.fixture
def context(new_context) -> BrowserContext:
    return new_context()


def opened(context: BrowserContext, site, table: GameSet) -> Page:
    """Return the table view as who keeps the score opens it."""
    page = context.new_page()
    give_key(page, site, table)
    page.goto(address(table, "table"))
    return page


def aim(page: Page, seat: int) -> Locator:
    return page.locator(f"#aim-{seat}")


def keys(page: Page) -> Locator:
    return page.get_by_role("dialog", name=re.compile("hits"))


def tap_hit(page: Page, source: int, target: int, amount: int) -> None:
    aim(page, source).tap()
    aim(page, target).tap()
    expect(keys(page)).to_have_accessible_name(f"{NAMES[source]} hits {NAMES[target]}")
    keys(page).get_by_role("button", name=f"Hit for {amount}", exact=True).tap()
    expect(keys(page)).to_be_hidden()


def test_three_players_play_a_whole_game_by_touch(context, site):
    table = seat(3)
    page = opened(context, site, table)

    tap_hit(page, ANN, BO, 7)
    becomes(lambda: board(page), {"Ann": (7, 25), "Bo": (0, 18), "Cy": (0, 25)})
    page.get_by_role("button", name="Cy: lose 5 life").tap()
    becomes(lambda: board(page)["Cy"], (0, 20))
    page.get_by_role("button", name="Monarch").tap()
    page.get_by_role("group", name="Monarch").get_by_role("button", name="Cy").tap()
    expect(page.get_by_role("heading", name=re.compile("^Cy.*monarch"))).to_be_attached()
    page.get_by_role("button", name=re.compile("^Turn to Bo")).tap()
    expect(page.locator(".setbar .grow")).to_contain_text("Bo is active")
    tap_hit(page, BO, ANN, 9)
    becomes(lambda: board(page)["Bo"], (9, 18))
    page.get_by_role("button", name=re.compile("^Undo")).tap()
    becomes(lambda: board(page), {"Ann": (7, 25), "Bo": (0, 18), "Cy": (0, 20)})
    aim(page, ANN).tap()
    aim(page, BO).tap()
    keys(page).get_by_role("checkbox", name="Cy").tap()
    keys(page).get_by_role("radio", name="Hero").tap()
    keys(page).get_by_label("A larger number").fill("7")
    keys(page).get_by_role("button", name="Hit", exact=True).tap()
    expect(page.get_by_role("heading", name="Ann wins")).to_be_visible()
    assert kinds(table) == ["damage", "life", "monarch", "turn", "damage", "undo", "damage"]
    assert points(table) == {ANN: 21, BO: 0, CY: 0}

    page.get_by_role("radio", name="Bo").tap()
    page.get_by_role("button", name="Start game 2").tap()
    expect(page.get_by_role("heading", level=1, name="Game 2 of 3")).to_be_attached()
    page.get_by_role("link", name="More").tap()
    page.get_by_role("link", name="Draw").tap()
    page.get_by_role("button", name=re.compile("^Yes")).tap()
    expect(page.get_by_role("heading", name="A draw")).to_be_visible()
    assert page.url.endswith(address(table, "tablet"))
    check_books(table)


def test_a_whole_game_is_played_by_keyboard(context, site):
    table = seat(3)
    page = opened(context, site, table)
    press = page.keyboard.press

    def step_to(part: Locator) -> None:
        """Go there by Tab, from wherever the focus is."""
        for _ in range(60):
            if part.evaluate("(part) => part === document.activeElement"):
                return
            press("Tab")
        raise AssertionError("Tab does not lead there")

    def hit_by_keys(source: int, target: int, digits: str) -> None:
        for seat_ in (source, target):
            step_to(aim(page, seat_))
            press("Enter")
        expect(keys(page)).to_be_visible()
        page.keyboard.type(digits)
        press("Enter")
        expect(keys(page)).to_be_hidden()

    hit_by_keys(ANN, BO, "12")
    becomes(lambda: board(page)["Ann"], (12, 25))
    expect(aim(page, ANN)).to_be_focused()
    press("Enter")
    expect(aim(page, ANN)).to_have_attribute("aria-pressed", "true")
    press("Escape")
    expect(aim(page, ANN)).to_have_attribute("aria-pressed", "false")
    step_to(page.get_by_role("button", name="Bo: gain 5 life"))
    press("Enter")
    becomes(lambda: board(page)["Bo"], (0, 18))
    step_to(page.get_by_role("button", name=re.compile("^Turn to Bo")))
    press("Space")
    expect(page.locator(".setbar .grow")).to_contain_text("Bo is active")
    step_to(page.get_by_role("button", name=re.compile("^Undo")))
    press("Enter")
    expect(page.locator(".setbar .grow")).to_contain_text("Ann is active")
    hit_by_keys(ANN, CY, "9")
    expect(page.get_by_role("heading", name="Ann wins")).to_be_visible()
    step_to(page.get_by_role("radio", name="Ann"))
    press("ArrowRight")
    step_to(page.get_by_role("button", name="Start game 2"))
    press("Enter")
    expect(page.get_by_role("heading", level=1, name="Game 2 of 3")).to_be_attached()

    assert damage(table) == [(ANN, BO, 12), (ANN, CY, 9)]
    assert (winner(table), the_game(table, 2).turn_order[0]) == (ANN, BO)


def centre(part: Locator) -> tuple[float, float]:
    box = part.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, source: int, target: int, *, finger: bool) -> None:
    """Draw a line from seat to seat, by a finger or by a mouse."""
    (x, y), (to_x, to_y) = centre(aim(page, source)), centre(aim(page, target))
    way = [(x + (to_x - x) * step / 4, y + (to_y - y) * step / 4) for step in range(5)]
    if not finger:
        page.mouse.move(x, y)
        page.mouse.down()
        for point in way[1:]:
            page.mouse.move(*point)
        page.mouse.up()
        return
    session = page.context.new_cdp_session(page)
    for kind, points_ in [
        ("touchStart", way[:1]),
        *(("touchMove", [point]) for point in way[1:]),
        ("touchEnd", []),
    ]:
        touched = [{"x": across, "y": down} for across, down in points_]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})
    session.detach()


@pytest.mark.parametrize("finger", [True, False], ids=["finger", "mouse"])
def test_a_line_from_seat_to_seat_opens_the_keys_turned_to_who_attacks(context, site, finger):
    table = seat(4)
    page = opened(context, site, table)

    drag(page, ANN, CY, finger=finger)
    expect(keys(page)).to_have_accessible_name("Ann hits Cy")
    expect(keys(page)).to_have_class(re.compile("far"))
    page.keyboard.press("Escape")
    expect(page.locator("[aria-pressed=true]")).to_have_count(0)
    drag(page, CY, ANN, finger=finger)
    expect(keys(page)).to_have_accessible_name("Cy hits Ann")
    expect(keys(page)).not_to_have_class(re.compile("far"))
    keys(page).get_by_role("button", name="Hit for 5", exact=True).click()

    becomes(lambda: damage(table), [(CY, ANN, 5)])


def test_keys_that_are_open_stay_while_somebody_else_taps(context, site):
    table = seat(4)
    page = opened(context, site, table)
    aim(page, BO).tap()
    aim(page, CY).tap()

    record(table, hit(ANN, BO, 4))
    becomes(lambda: board(page)["Ann"], (4, 25))
    keys(page).get_by_role("button", name="Hit for 2", exact=True).tap()

    becomes(lambda: damage(table), [(ANN, BO, 4), (BO, CY, 2)])
    becomes(lambda: board(page)["Bo"], (2, 21))


def test_a_tap_without_a_connection_is_kept_shown_and_sent_once(context, site):
    table = seat(3)
    page = opened(context, site, table)
    reception(page, "Live")
    context.set_offline(True)

    tap_hit(page, ANN, BO, 3)
    reception(page, "1 waiting")
    becomes(lambda: board(page), {"Ann": (3, 25), "Bo": (0, 22), "Cy": (0, 25)})
    assert damage(table) == []
    context.set_offline(False)

    becomes(lambda: damage(table), [(ANN, BO, 3)])
    reception(page, "Live")
    becomes(lambda: board(page), {"Ann": (3, 25), "Bo": (0, 22), "Cy": (0, 25)})
    assert page.url.endswith(address(table, "tablet"))


def test_it_opens_without_a_connection_as_it_was_last_seen(new_context, site):
    table = seat(3)
    context = new_context(worker=True)
    page = opened(context, site, table)
    worker_is_there(page)
    tap_hit(page, ANN, BO, 3)
    becomes(lambda: damage(table), [(ANN, BO, 3)])
    becomes(lambda: kept_words(page), [])
    page.reload()
    becomes(lambda: page.evaluate("async () => !!(await caches.match(location.pathname))"), True)

    context.set_offline(True)
    page.reload()

    becomes(lambda: board(page), {"Ann": (3, 25), "Bo": (0, 22), "Cy": (0, 25)})
    tap_hit(page, CY, BO, 2)
    reception(page, "1 waiting")
    context.set_offline(False)
    becomes(lambda: damage(table), [(ANN, BO, 3), (CY, BO, 2)])


def test_without_a_script_the_same_keys_stand_below_the_board(new_context, site):
    table = seat(3)
    page = opened(new_context(java_script_enabled=False), site, table)
    hand = Hand(page)

    hand.source("Ann")
    hand.target("Cy")
    hand.typed(14)
    page.get_by_role("button", name="Bo: gain 1 life").tap()

    becomes(lambda: board(page), {"Ann": (14, 25), "Bo": (0, 26), "Cy": (0, 11)})
    assert page.url.endswith(address(table, "tablet"))


def eventful(players: int) -> GameSet:
    """Return a table in its second game with signs, a monarch and changes."""
    table = seat(players)
    record(table, hit(ANN, BO, 12), Draw())
    commands.start_game(table, 2, first=BO)
    record(table, ChangePoison({ANN: 2}), CrownMonarch(BO), hit(BO, ANN, 14), game=2)
    return table


# What of a quarter reaches into its margin, and whether the page is higher than the screen.
REACHES_OUT = """() => [...document.querySelectorAll(
    ".player :is(h2 > *, .signs li, .vp span, .vp small, .life b, .delta, .n):not(.vh)"
  )].filter((part) => {
    const [own, all] = [part, part.closest(".player")].map((one) => one.getBoundingClientRect());
    const isWide = own.left < all.left + 8 || own.right > all.right - 8;
    return isWide || own.top < all.top + 8 || own.bottom > all.bottom - 8;
  }).map((part) => part.textContent)
  .concat(document.documentElement.scrollHeight > innerHeight ? ["it scrolls"] : [])"""


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_on_every_tablet_there_is_room_for_all_of_it(context, site, players):
    page = opened(context, site, eventful(players))
    console = Console(page)
    found = complaints_on(page, SIZES) + crowding(page, SIZES)

    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        found += [f"{width} x {height}: {what}" for what in page.evaluate(REACHES_OUT)]
    for source, target in ((1, 2), (players, 1)):
        aim(page, source).tap()
        aim(page, target).tap()
        expect(keys(page)).to_be_visible()
        found += complaints_on(page, SIZES)
        page.keyboard.press("Escape")
        expect(keys(page)).to_be_hidden()

    assert found + console.complaints(200) == []


@pytest.mark.parametrize("key", ["leveler", "conspiracy"])
def test_other_formats_have_room_on_it_too_and_on_a_small_phone(context, site, key):
    table = seat(5, ruleset=RULESETS[key])
    record(table, hit(ANN, BO, 4))
    page = opened(context, site, table)

    assert complaints_on(page, SIZES) + crowding(page, [(320, 568)]) == []
