"""A playgroup's first page on a phone, a season that ends, and teams."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from scoring.groups import grid, settings
from scoring.models import Playgroup
from scoring.rules.formats import REALM_WARS
from tests.scoring.browsing import parse, words_of
from tests.scoring.grouped import group, play
from tests.scoring.groups.test_teams import war
from tests.scoring.groups.visitors import account, at, browser
from tests.scoring.tables import text

from .checks import Console, complaints_on
from .hand import becomes, words
from .test_account_pages import SCREENS

TWELVE = [f"{name} of Hohenstaufen" for name in "Ann Bo Cy Di Ev Fay Gus Hal Ida Jo Kit Lu".split()]


@pytest.fixture
def phone(page: Page, site) -> Page:
    account("olga")
    session = browser("olga").cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": site.address}])
    page.set_viewport_size({"width": 360, "height": 740})
    return page


@pytest.fixture
def club() -> Playgroup:
    """A club of twelve: nobody has as many VP, sets won, or VP as first as anybody else."""
    club = group("A club of a long name that takes two lines of a phone")
    account("olga", club, "owner")
    for week in range(3):
        for at_table in range(3):
            four = TWELVE[4 * at_table :][:4]
            points = {name: (15 - 3 * place, at_table, week) for place, name in enumerate(four, 1)}
            play(club, timezone.localdate() - timedelta(weeks=3 - week), points)
    return club


def test_the_first_of_the_ranking_is_seen_without_scrolling(phone, club):
    phone.goto(at(club, "board"))

    first = phone.locator(".podium li").first
    expect(first).to_contain_text("1")
    box = first.bounding_box()
    assert box["y"] + box["height"] <= 400
    becomes(lambda: phone.evaluate("document.documentElement.scrollWidth"), 360)


def test_all_columns_are_sorted_by_from_one_row_of_chips(phone, club):
    console = Console(phone)
    phone.goto(at(club, "board"))
    chips, sheet = phone.locator(".filters summary"), phone.locator(".filters form")
    tops = {round(chip.bounding_box()["y"]) for chip in chips.locator(".btn").all()}
    assert len(tops) == 1
    expect(sheet).to_be_hidden()

    for column in sorted_columns(phone):
        chips.tap()
        expect(sheet).to_be_visible()
        phone.get_by_label("Sorted by").select_option(column)
        with phone.expect_navigation():
            phone.get_by_role("button", name="Show", exact=True).tap()
        expect(phone.get_by_label("Sorted by")).to_have_value(column)
        expect(phone.locator("table.board tbody tr")).to_have_count(12)
        becomes(lambda: names(phone), by_column(club, column))

    assert console.complaints(200) == []


def sorted_columns(page: Page) -> list[str]:
    """Return the columns of the page's form that are shown on wide screens."""
    offered = page.get_by_label("Sorted by").locator("option")
    columns = [option.get_attribute("value") for option in offered.all()]
    page.set_viewport_size({"width": 1280, "height": 800})
    links = page.locator("table.board thead a").all()
    titles = [re.sub(r"\W*[▴▾]$", "", words(link)[0]) for link in links]
    page.set_viewport_size({"width": 360, "height": 740})
    becomes(lambda: [option.text_content().strip() for option in offered.all()], titles)
    return columns


def by_column(club: Playgroup, column: str) -> list[str]:
    """Return the names in the order that the address of a column gives without a phone."""
    page = browser("olga").get(at(club, "board") + f"?sort={column}")
    return [
        words_of(name)
        for name in parse(text(page)).xpath('//table[@class="board"]//th/a[@class="plain"]')
    ]


def names(page: Page) -> list[str]:
    return [words(link)[0] for link in page.locator("table.board tbody th a").all()]


def test_a_season_is_set_up_played_and_closed_on_a_phone(phone, club):
    console = Console(phone)
    today = timezone.localdate()
    phone.goto(at(club, "edit_seasons"))
    phone.get_by_role("textbox", name="Name").fill("Autumn")
    phone.get_by_label("First day").fill((today - timedelta(days=40)).isoformat())
    phone.get_by_label("Last day").fill((today - timedelta(days=1)).isoformat())
    tap_and_wait(phone, "Add")

    phone.goto(at(club, "seasons_archive"))
    with phone.expect_navigation():
        phone.get_by_role("link", name="Autumn", exact=True).tap()
    champion = phone.locator(".champion")
    expect(champion).to_contain_text("Champion of Autumn")
    expect(champion).to_contain_text(TWELVE[8])
    expect(
        phone.get_by_text("Not closed yet: corrections still change this table.")
    ).to_be_visible()
    tap_and_wait(phone, "Close it now")

    expect(phone.get_by_text("Later corrections leave it as it is.")).to_be_visible()
    play(club, today - timedelta(days=2), {TWELVE[0]: (20, 20, 20), TWELVE[1]: (0, 0, 0)})
    phone.reload()
    expect(champion).to_contain_text(TWELVE[8])
    expect(phone.get_by_role("heading", name="Corrected since: now it would be")).to_be_visible()
    assert complaints_on(phone, SCREENS) == []
    tap_and_wait(phone, "Close the season again")

    expect(champion).to_contain_text(TWELVE[0])
    expect(phone.get_by_text("Corrected since")).to_be_hidden()
    assert console.complaints(200) == []


# The least room between the words of a cell and its borders.
ROOM = """
() => Math.min(...[...document.querySelectorAll(".pairs td")].filter((cell) => cell.innerText)
  .map((cell) => {
    const words = document.createRange();
    words.selectNodeContents(cell.querySelector("small"));
    const [a, b] = [words.getBoundingClientRect(), cell.getBoundingClientRect()];
    return Math.min(a.left - b.left, b.right - a.right, b.bottom - a.bottom);
  }))
"""
# Names the cells that stay behind the names of rows or columns once they are scrolled into view,
# as a cell is that gets the focus.
BEHIND = """
() => [...document.querySelectorAll(".pairs td a")].filter((link) => {
  link.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  const { left, top, width, height } = link.getBoundingClientRect();
  return ![[3, 3], [width - 3, 3], [3, height - 3]].every(([x, y]) =>
    link.contains(document.elementFromPoint(left + x, top + y)));
}).map((link) => link.innerText)
"""


def test_large_numbers_of_the_grid_keep_away_from_borders_and_no_focus_is_hidden(
    phone, club, monkeypatch
):
    play(club, timezone.localdate(), {TWELVE[0]: (3, 3, 3), TWELVE[4]: (1, 1, 1)})
    count = grid.count_meetings

    def thousands(*args):
        sets, _ = count(*args)
        ahead = {(one, other): 3210 if one < other else 2345 for one, other in sets}
        return dict.fromkeys(sets, 6000), ahead

    monkeypatch.setattr(grid, "count_meetings", thousands)

    for size in ({"width": 360, "height": 740}, {"width": 1280, "height": 800}):
        phone.set_viewport_size(size)
        phone.goto(at(club, "versus"))
        expect(phone.get_by_text("12840–9380")).to_have_count(1)
        assert phone.evaluate(ROOM) >= 4
        phone.locator(".pairs").evaluate("(grid) => grid.scrollTo(999, 999)")
        becomes(lambda: phone.evaluate(BEHIND), [])


def tap_and_wait(page: Page, button: str) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name=button, exact=True).tap()


def test_teams_are_ranked_on_a_phone_by_season(phone):
    console = Console(phone)
    of = group("Wars", ruleset=REALM_WARS.key)
    war(of, "Ann Bo Cy Di", 1, times=3)
    war(of, "Ann Cy Bo Di", 1)
    settings.add_season(of, "March", date(2026, 3, 1), date(2026, 3, 2))
    phone.goto(at(of, "board"))
    with phone.expect_navigation():
        phone.get_by_role("link", name="Teams", exact=True).tap()

    ranked = phone.locator("section", has=phone.get_by_role("heading", name="Teams"))
    rows = ranked.locator("table").first.locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("Ann and Bo")
    ranked.locator("summary").tap()
    expect(ranked.get_by_text("Ann and Cy")).to_be_visible()

    with phone.expect_navigation():
        phone.get_by_role("link", name="March", exact=True).tap()
    expect(phone.get_by_text("1 March 2026 to 2 March 2026")).to_be_visible()
    expect(ranked.get_by_text("Ann and Bo")).to_be_visible()
    assert complaints_on(phone, SCREENS) + console.complaints(200) == []
