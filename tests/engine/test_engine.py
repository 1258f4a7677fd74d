"""The compose file in a real engine: built, served, killed, restored, and brought up to date."""

import os
import re
import signal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hand import STEADY, Hand, board, see

from .engine import LASTING, Installation, wait_until

NAMES = ("Ada", "Bruno", "Cleo")
BACKUP = "/backups/a-night"
PYTHON = ("/app/venv/bin/python", "manage.py")
LONG = 60_000  # milliseconds: services are killed and come back meanwhile


@pytest.fixture
def hand(page: Page) -> Hand:
    """A scorekeeper's phone, at a table whose first game has begun, with 3 VP."""
    expect.set_options(timeout=LONG)
    page.set_default_timeout(LONG)
    page.context.add_init_script(STEADY)
    page.goto("/start/")
    for seat, name in enumerate(NAMES, 1):
        page.get_by_label(re.compile(rf"^\s*Seat {seat}")).fill(name)
    hand = Hand(page)
    hand.tap(page.locator("#start summary"))
    hand.tap(page.get_by_role("radio", name=re.compile("^Already decided at the table")))
    hand.tap(page.get_by_role("button", name="Start game 1"))
    hand.tap(page.get_by_role("radio", name="Ada"))  # Bruno, who is hit, would score nothing
    hand.tap(page.get_by_role("button", name="Start game 1"))
    see(page, "Game 1 of 3")
    hit(hand, 3)
    return hand


def hit(hand: Hand, amount: int) -> None:
    hand.page.locator(".to").get_by_role("checkbox", name="Bruno").tap()
    hand.number(amount)


def points(page: Page) -> int:
    return sum(points for points, _ in board(page).values())


def test_a_table_is_scored_and_followed_through_caddy(hand, new_context):
    watcher = new_context().new_page()
    watcher.goto(re.sub(r"score/$", "", hand.page.url))

    hit(hand, 4)

    assert hand.page.evaluate("isSecureContext")
    wait_until(lambda: points(watcher) == 7)


@pytest.mark.parametrize("service", LASTING)
def test_what_is_killed_is_started_again_and_no_tap_is_lost(hand, installation, service):
    before = int(installation.ask(service, ".RestartCount"))

    # As a machine without memory does, not by the engine.
    os.kill(int(installation.ask(service, ".State.Pid")), signal.SIGKILL)
    hand.page.locator(".to").get_by_role("checkbox", name="Bruno").tap()
    hand.tap(hand.page.get_by_role("button", name="Hit for 5", exact=True))  # while it is away

    wait_until(lambda: int(installation.ask(service, ".RestartCount")) == before + 1)
    wait_until(installation.is_healthy)
    hand.page.reload()
    wait_until(lambda: points(hand.page) == 8)


def test_a_backup_brings_back_what_was(hand, installation: Installation):
    installation.compose("exec", "-T", "site", *PYTHON, "backup", BACKUP)
    hit(hand, 4)
    run = ("run", "--rm", "-T", "migrate", *PYTHON)

    checked = installation.compose(*run, "backup", "--verify", "/backups")
    installation.compose("stop", "site")
    installation.compose(*run, "restore", "--replace", BACKUP)
    installation.compose("start", "site")
    wait_until(installation.is_healthy)

    assert f"{BACKUP} is right." in checked
    hand.page.reload()
    assert points(hand.page) == 3


def test_a_new_version_comes_in_while_a_game_goes_on(hand, installation):
    first = installation.ask("site", ".Image")
    page = installation.folder / "templates/base.html"
    page.write_text(page.read_text().replace("</body>", "<p>Version two</p></body>"))

    installation.build()
    installation.up()
    hit(hand, 5)

    assert installation.ask("site", ".Image") != first
    assert points(hand.page) == 8
    hand.page.goto("/")
    expect(hand.page.get_by_text("Version two")).to_be_visible()


def test_nothing_is_lost_by_down_and_up(hand, installation):
    installation.compose("down")
    installation.up()

    hand.page.reload()
    assert points(hand.page) == 3
