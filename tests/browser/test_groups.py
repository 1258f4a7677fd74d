"""The pages of a playgroup as its owner sees them, and an evening run on a phone."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import APIResponse, Locator, Page, Response, Route, expect

from scoring.groups.board.views import PARTS
from scoring.groups.evenings import commands as evenings
from scoring.groups.news import webhooks
from scoring.groups.sets.membership import take_set
from scoring.groups.settings import commands as settings
from scoring.groups.statistics import meetings
from scoring.models import Delivery, Evening, Playgroup
from scoring.record import commands
from scoring.record.seating import add_player
from scoring.rules.formats import COALITION_906, LEVELER, REALM_WARS
from scoring.rules.moves import Draw
from tests.scoring.grouped import group, play
from tests.scoring.groups.statistics.test_teams import war
from tests.scoring.groups.visitors import account, at, browser, player

from .checks import DESKTOP, SCREENS, Console, complaints_on, seen
from .hand import becomes, see, sign_in

MARCH = date(2026, 3, 6)
NAMES = ("Ann", "Maximiliane Konstanze von Hohenstaufen-Rabenau", "W" * 40)
TEN = "\n".join(
    [
        *(f"{day}.3.2026 Ann 21 12 0, {'W' * 40} 5 21 21, Cy 10 c -" for day in range(2, 11)),
        "Ann 22, Bo 3",
    ]
)
PAGES = (
    *("board", "heroes", "versus", "seasons_archive", "people", "settings", "invitations"),
    *("edit_seasons", "house_bans", "webhook", "calendar", "evenings"),
    "notebook",
)
TWELVE = [f"{name} of Hohenstaufen" for name in "Ann Bo Cy Di Ev Fay Gus Hal Ida Jo Kit Lu".split()]


@pytest.fixture
def phone(page: Page, site) -> Page:
    account("olga")
    sign_in(page, site, browser("olga"))
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
        drawn = evenings.pair_round(evening)
        if begins:
            evenings.begin_round(drawn)
            evenings.arrive(evening, ["Late Lou"])
            evenings.leave(evening, player(made, TWELVE[0]))
            Evening.objects.filter(pk=evening.pk).update(minutes=50)
    levelled = commands.create_set(LEVELER, NAMES)
    commands.start_game(levelled, 1)
    take_set(levelled, made)
    commands.record(levelled, 1, Draw())
    settings.add_season(made, "Spring", MARCH, date(2026, 5, 31))
    settings.invite(made, "member", 7, key="the-key-of-an-invitation")
    return made


def addresses(of: Playgroup) -> list[str]:
    return [
        *(reverse(name, args=[of.code]) for name in PAGES),
        *(at(of, "board_part", part) for part in PARTS),
        reverse("player", args=[of.code, player(of, NAMES[1]).pk]),
        reverse("season", args=[of.code, of.seasons.get().pk]),
        *(at(of, "evening", number) for number in (1, 2)),
        at(of, "edit_evening", 2),
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


def test_a_notebook_of_ten_sets_is_pasted_shown_and_recorded(phone, full):
    """Somebody new sees what is wrong at its line, and nothing is recorded before all is right."""
    console, right = Console(phone), TEN.replace("Ann 22", "Ann 21")
    phone.goto(at(full, "board"))
    phone.get_by_role("link", name="Enter results").click()

    phone.get_by_label("Sets, one a line").fill(TEN)
    phone.get_by_role("button", name="Show what this records").click()
    expect(phone.get_by_role("alert")).to_have_text(
        "1 line of 10 can’t be read. Nothing was recorded."
    )
    assert complaints_on(phone, SCREENS) + console.complaints(422) == []
    phone.get_by_label("Sets, one a line").fill(right)
    phone.get_by_role("button", name="Show what this records").click()
    record = phone.get_by_role("button", name="Record 10 sets")
    expect(record).to_be_visible()
    assert complaints_on(phone, SCREENS) + console.complaints(200) == []
    before = full.sets.count()
    record.click()

    expect(phone.get_by_role("status")).to_contain_text("10 sets recorded, each on its day")
    assert full.sets.count() == before + 10


def test_teams_fit_fingers_and_readers(phone):
    of = group("Wars", ruleset=REALM_WARS.key)
    war(of, "Ann Bo Cy Di", 1, times=3)
    war(of, "Ann Cy Bo Di", 1)
    war(of, "Maximiliane Konstanze Hohenstaufen Wittgenstein", 1)
    settings.add_season(of, "March", date(2026, 3, 1), date(2026, 3, 2))
    phone.goto(at(of, "teams"))
    with phone.expect_navigation():
        phone.get_by_role("link", name="March", exact=True).tap()

    assert complaints_on(phone, SCREENS) == []
    phone.set_viewport_size({"width": 320, "height": 568})
    assert phone.evaluate("document.documentElement.scrollWidth") == 320


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


@pytest.mark.parametrize("people", [2, 14, 60])
def test_the_own_row_and_the_first_three_are_seen_without_scrolling(phone, site, people):
    names = [f"Player {number}" for number in range(people)]
    club = group(f"A club of {people} with a long name that takes two lines of a phone")
    for week in range(3):
        for at_table in range(0, people, 4):
            seated = names[at_table : at_table + 4]
            points = {name: (15 - place, at_table // 4, 0) for place, name in enumerate(seated)}
            if len(seated) > 1:
                play(club, timezone.localdate() - timedelta(weeks=3 - week), points)
    me = account("mia", club, "member")
    club.players.filter(name=names[people // 2]).update(user=me)
    sign_in(phone, site, browser(me))
    phone.set_viewport_size({"width": 393, "height": 852})
    phone.goto(at(club, "board"))

    rows = phone.locator(".board tbody tr")
    expect(phone.locator(".mine")).to_contain_text("Your rank")
    for row in (*rows.all()[:3], phone.locator(".board .me")):
        expect(row.locator("th")).to_be_in_viewport(ratio=1)


def test_one_row_of_chips_opens_the_filters(phone, club):
    phone.goto(at(club, "board"))

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
        played, sets, _ = count(*args)
        ahead = {(one, other): 3210 if one < other else 2345 for one, other in sets}
        return played, dict.fromkeys(sets, 6000), ahead

    monkeypatch.setattr(meetings, "count_meetings", thousands)
    phone.goto(at(club, "versus"))
    expect(phone.get_by_text("12840–9380")).to_have_count(1)

    for width, height in ((360, 740), DESKTOP):
        phone.set_viewport_size({"width": width, "height": height})
        assert phone.evaluate(ROOM) >= 4
        phone.locator(".pairs").evaluate("(grid) => grid.scrollTo(999, 999)")
        becomes(lambda: phone.evaluate(BEHIND), [])


# --- an evening ---
NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)
LIFT_FROM = """name => {
  const chips = [...document.querySelectorAll(".chip")];
  window.lifted = chips.find((one) => one.innerText.includes(name));
  for (const kind of ["pointerdown", "pointerup"])
    lifted.dispatchEvent(new PointerEvent(kind, { bubbles: true }));
}"""
NINE = ["Ann", "Bo", "Cy", "Di", "Ev", "Fay", "Gus", "Hal", "Ida"]


@pytest.fixture
def nine(phone) -> Playgroup:
    """A playgroup of nine, the page of its first evening open."""
    made = group("Club")
    account("olga", made, "owner")
    for name in NINE:
        add_player(made, name)
    phone.goto(at(made, "evenings"))
    phone.get_by_role("textbox", name="Name").fill("Club night")
    phone.get_by_label("Minutes of a round").fill("50")
    # As soon as it has its stream, the page asks for what is new.
    with phone.expect_response(is_news("/evenings/1/")):
        tap_and_wait(phone, "Plan it")
    see(phone, "Club night")
    return made


def is_news(end: str) -> Callable[[Response], bool]:
    """Return whether it is an answer to an open page of this address that asked what is new."""
    return lambda answer: answer.url.endswith(end) and "hx-request" in answer.request.headers


def tap_and_wait(page: Page, name: str) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name=name, exact=True).tap()


def chip(page: Page, name: str) -> Locator:
    return page.locator("#here").get_by_role("button", name=name, exact=True)


def come(page: Page, names: list[str]) -> None:
    for name in names:
        chip(page, name).tap()
    expect(page.get_by_role("heading", name=f"{len(names)} are here")).to_be_visible()


def test_an_evening_by_mistake_is_cancelled_after_a_question(phone, nine):
    held: list[tuple[Route, APIResponse]] = []
    phone.route("**/cancel/", lambda route: held.append((route, route.fetch(max_redirects=0))))
    other = phone.context.new_page()
    other.goto(at(nine, "evening", 1))
    button = phone.get_by_role("button", name="Cancel and delete it")
    expect(button).to_be_hidden()
    phone.get_by_text("Cancel the evening").tap()

    button.tap(no_wait_after=True)
    # Open pages hear of the change before the answer comes to the one that made it.
    expect(other.get_by_role("heading", name="Nothing here")).to_be_visible()
    route, answer = held[0]
    route.fulfill(response=answer)

    expect(phone.get_by_text("Club night is cancelled.")).to_be_visible()
    assert not nine.evenings.exists()


def test_what_somebody_chooses_is_not_taken_from_under_the_finger(phone, nine):
    come(phone, NINE)
    tap_and_wait(phone, "Pair round 1")
    phone.locator("#move summary").tap()
    who = phone.get_by_label("Who moves")
    who.select_option("Cy")
    who.focus()
    elsewhere = browser("olga")
    for name in ("Jo", "Kim"):
        elsewhere.post(at(nine, "evening_people", 1), {"names": name})
    expect(phone.get_by_role("heading", name="11 are here")).to_be_visible()

    expect(who.locator("option:checked")).to_have_text("Cy")
    phone.get_by_role("button", name="Move", exact=True).tap()

    expect(phone.locator("#rounds .pod", has_text="Jo")).to_contain_text("Kim")
    expect(phone.get_by_text("Changed since it was paired.")).to_be_visible()


def test_nothing_moves_between_a_finger_that_lifts_and_its_click(phone, nine):
    phone.clock.install(time=NOON)
    phone.clock.pause_at(NOON + timedelta(hours=1))
    asked: list[Route] = []
    phone.route("**/evenings/1/", lambda route: asked.append(route))
    with phone.expect_request("**/evenings/1/"):
        ann = nine.players.get(name="Ann").pk
        browser("olga").post(at(nine, "evening_people", 1), {"come": ann})
    phone.evaluate(LIFT_FROM, "Bo")
    phone.clock.run_for(100)  # milliseconds: slow phones click so late

    with phone.expect_event("requestfinished"):
        asked[0].continue_()

    expect(chip(phone, "Ann")).to_have_attribute("aria-pressed", "false")
    assert phone.evaluate("lifted.isConnected")
    phone.unroute("**/evenings/1/")
    phone.evaluate("lifted.click()")
    phone.clock.resume()
    expect(phone.get_by_role("heading", name="2 are here")).to_be_visible()


def test_a_clock_that_runs_out_rings_where_that_was_asked_for(phone, nine):
    phone.add_init_script(
        """window.rung = 0;
        AudioContext.prototype.createOscillator = new Proxy(
          AudioContext.prototype.createOscillator,
          { apply: (call, self, all) => (window.rung += 1, Reflect.apply(call, self, all)) })"""
    )
    come(phone, NINE)
    phone.clock.install()
    tap_and_wait(phone, "Pair round 1")
    tap_and_wait(phone, "Begin round 1")
    expect(phone.locator("time[data-until]")).to_have_text(re.compile(r"^(50:00|49:\d\d)$"))
    phone.get_by_role("button", name="Ring here when time is up").tap()
    expect(phone.get_by_role("button", name="It rings here when time is up")).to_be_visible()

    phone.clock.fast_forward("50:01")

    expect(phone.locator("time[data-until]")).to_have_text("Time is up")
    assert phone.evaluate("rung") > 0
