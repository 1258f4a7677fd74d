"""The pages of a playgroup as its owner sees them, on small and large screens."""

from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from scoring.groups import meetings, settings
from scoring.groups.evenings import commands as evenings
from scoring.groups.set_membership import take
from scoring.models import Delivery, Playgroup
from scoring.news import webhooks
from scoring.play import commands
from scoring.rules.formats import COALITION_906, LEVELER, REALM_WARS
from scoring.rules.moves import Draw
from tests.scoring.grouped import group, play
from tests.scoring.groups.test_teams import war
from tests.scoring.groups.visitors import account, at, browser, player

from .checks import DESKTOP, SCREENS, Console, complaints_on, seen
from .hand import becomes, sign_in

MARCH = date(2026, 3, 6)
NAMES = ("Ann", "Maximiliane Konstanze von Hohenstaufen-Rabenau", "W" * 40)
PAGES = (
    *("board", "heroes", "versus", "seasons_archive", "people", "settings", "invitations"),
    *("edit_seasons", "house_bans", "webhook", "calendar", "evenings"),
)
TWELVE = [f"{name} of Hohenstaufen" for name in "Ann Bo Cy Di Ev Fay Gus Hal Ida Jo Kit Lu".split()]


@pytest.fixture
def phone(page: Page, site) -> Page:
    account("olga")
    sign_in(page, site.address, browser("olga"))
    page.set_viewport_size({"width": 360, "height": 740})
    return page


@pytest.fixture
def full(phone) -> Playgroup:
    """A playgroup with ratings, a season that is over, and a player whom nobody else is like."""
    made = group("A playgroup of long names that does not fit into one line of a phone")
    account("olga", made, "owner")
    webhooks.save(made, "json", "https://discord.com/hook", site="https://us", key="a-key")
    Delivery.objects.create(webhook=made.webhook, kind="test", outcome="500 Internal Server Error")
    for week in range(6):
        play(made, MARCH + timedelta(weeks=week), dict(zip(NAMES, [(7, 7, 7)] * 3, strict=True)))
    for name, begins in (("drawn", False), ("begun", True)):
        evening = evenings.create_evening(made, name, COALITION_906, rounds=2, usual_size=4, seed=1)
        evenings.arrive(evening, [*NAMES, *TWELVE[:5]])
        drawn = evenings.draw_round(evening)
        if begins:
            evenings.begin_round(drawn)
    levelled = commands.create_set(LEVELER, NAMES)
    commands.start_game(levelled, 1)
    take(levelled, made)
    commands.record(levelled, 1, Draw())
    settings.add_season(made, "Spring", MARCH, date(2026, 5, 31))
    settings.invite(made, "member", 7, key="the-key-of-an-invitation")
    return made


def addresses(of: Playgroup) -> list[str]:
    return [
        *(reverse(name, args=[of.code]) for name in PAGES),
        reverse("player", args=[of.code, player(of, NAMES[1]).pk]),
        reverse("season", args=[of.code, of.seasons.get().pk]),
        *(at(of, "evening", number) for number in (1, 2)),
        at(of, "round", 2, 1) + "?keys",
        reverse("join", args=["the-key-of-an-invitation"]),
        f"{reverse('start')}?group={of.code}",
        reverse("take_set", args=[of.sets.latest("created_at").code]),
        reverse("board", args=["22222222"]),
    ]


def test_every_page_of_a_playgroup_fits_fingers_and_readers(phone, full):
    console = Console(phone)

    wrong = [what for where in addresses(full) for what in seen(phone, console, where)]

    assert not wrong, "\n".join(wrong)


def test_teams_fit_fingers_and_readers(phone):
    of = group("Wars", ruleset=REALM_WARS.key)
    war(of, "Ann Bo Cy Di", 1, times=3)
    war(of, "Ann Cy Bo Di", 1)
    settings.add_season(of, "March", date(2026, 3, 1), date(2026, 3, 2))
    phone.goto(at(of, "teams"))
    with phone.expect_navigation():
        phone.get_by_role("link", name="March", exact=True).tap()

    assert complaints_on(phone, SCREENS) == []


@pytest.fixture
def club() -> Playgroup:
    club = group("A club of a long name that takes two lines of a phone")
    account("olga", club, "owner")
    for week in range(3):
        for at_table in range(3):
            four = TWELVE[4 * at_table :][:4]
            points = {name: (15 - 3 * place, at_table, week) for place, name in enumerate(four, 1)}
            play(club, timezone.localdate() - timedelta(weeks=3 - week), points)
    return club


def test_first_of_the_ranking_and_one_row_of_chips_are_seen_without_scrolling(phone, club):
    phone.goto(at(club, "board"))

    first = phone.locator(".podium li").first
    expect(first).to_contain_text("1")
    box = first.bounding_box()
    assert box["y"] + box["height"] <= 400
    chips, sheet = phone.locator(".filters summary"), phone.locator(".filters form")
    assert len({round(chip.bounding_box()["y"]) for chip in chips.locator(".btn").all()}) == 1
    expect(sheet).to_be_hidden()
    chips.tap()
    expect(sheet).to_be_visible()
    becomes(lambda: phone.evaluate("document.documentElement.scrollWidth"), 360)


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
    count = meetings.count_meetings

    def thousands(*args):
        sets, _ = count(*args)
        ahead = {(one, other): 3210 if one < other else 2345 for one, other in sets}
        return dict.fromkeys(sets, 6000), ahead

    monkeypatch.setattr(meetings, "count_meetings", thousands)
    phone.goto(at(club, "versus"))
    expect(phone.get_by_text("12840–9380")).to_have_count(1)

    for width, height in ((360, 740), DESKTOP):
        phone.set_viewport_size({"width": width, "height": height})
        assert phone.evaluate(ROOM) >= 4
        phone.locator(".pairs").evaluate("(grid) => grid.scrollTo(999, 999)")
        becomes(lambda: phone.evaluate(BEHIND), [])
