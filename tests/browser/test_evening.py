"""An evening on a phone: nine people, two rounds, a late comer, one who leaves, a correction."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pytest
from lxml import etree
from playwright.sync_api import Locator, Page, Route, expect

from scoring.groups import pictures
from scoring.groups.evenings import queries
from scoring.groups.evenings.standings import standings
from scoring.models import GameSet, Playgroup, Round, SetResult
from scoring.pictures import drawing
from scoring.play import commands
from scoring.play.seating import add_player
from scoring.rules.corrections import Amend
from scoring.rules.moves import Draw
from tests.scoring.grouped import group
from tests.scoring.groups.visitors import account, at, browser
from tests.scoring.rules.play import hit

from .checks import Console, complaints_on
from .hand import see, words
from .test_account_pages import SCREENS, seen

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)
LIFT_FROM = """name => {
  const chips = [...document.querySelectorAll(".chip")];
  window.lifted = chips.find((one) => one.innerText.includes(name));
  for (const kind of ["pointerdown", "pointerup"])
    lifted.dispatchEvent(new PointerEvent(kind, { bubbles: true }));
}"""
NINE = ["Ann", "Bo", "Cy", "Di", "Ev", "Fay", "Gus", "Hal", "Ida"]


@pytest.fixture
def club() -> Playgroup:
    club = group("Club")
    account("olga", club, "owner")
    for name in (*NINE, "Absent Abel"):
        add_player(club, name)
    return club


@pytest.fixture
def phone(page: Page, site, club: Playgroup) -> Page:
    return signed_in(page, site)


def signed_in(page: Page, site) -> Page:
    session = browser("olga").cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": site.address}])
    return page


def test_an_evening_of_nine_runs_itself_on_a_phone(phone, club):
    console = Console(phone)
    plan(phone, club)
    come(phone, NINE)
    expect(chip(phone, "Absent Abel")).to_have_attribute("aria-pressed", "false")

    first = draw_and_begin(phone, 1)
    expect(phone.locator(".pod .qr")).to_have_count(2)
    back(phone)
    top, other = (table.game_set for table in first.tables.order_by("number"))
    finish(top, 9)
    expect(standing(phone, top.names[1])).to_have_text(
        re.compile(r"^\s*1\s.*9\s+9\.0\s+1\s*$", re.S)
    )
    finish(other, 3)
    expect(standing(phone, other.names[1])).to_have_text(re.compile(r"^\s*2\s.*3\s+3\.0", re.S))
    before = figures(phone, club)
    assert before == Figures(
        board=[("1", top.names[1], "9.0"), ("2", other.names[1], "3.0")],
        records={
            "Highest set": f"9 VP {top.names[1]}",
            "Most VP in a turn": f"9 VP {top.names[1]}",
        },
        picture=[
            *("1", top.names[1], "9.0 per game in 1 game", "9"),
            *("2", other.names[1], "3.0 per game in 1 game", "3"),
        ],
        version=before.version,
    )

    late_and_leaving(phone, leaves=top.names[2])
    second = draw_and_begin(phone, 2)
    assert second.repeats == second.fewest
    assert top.names[2] not in seated(second)
    assert "Jo" in seated(second)
    back(phone)

    commands.record(other, 1, Amend(1, hit(1, 2, 12)))
    expect(standing(phone, other.names[1])).to_have_text(re.compile(r"^\s*1\s.*12\s+12\.0", re.S))
    expect(standing(phone, top.names[1])).to_have_text(re.compile(r"^\s*2\s.*9\s+9\.0", re.S))
    after = figures(phone, club)
    assert after == Figures(
        board=[("1", other.names[1], "12.0"), ("2", top.names[1], "9.0")],
        records={
            "Highest set": f"12 VP {other.names[1]}",
            "Most VP in a turn": f"12 VP {other.names[1]}",
        },
        picture=[
            *("1", other.names[1], "12.0 per game in 1 game", "12"),
            *("2", top.names[1], "9.0 per game in 1 game", "9"),
        ],
        version=after.version,
    )
    assert after.version != before.version
    for table in second.tables.all():
        finish(table.game_set, 1)
    expect(phone.locator("#rounds section").get_by_text("finished", exact=True)).to_have_count(2)
    tap_and_wait(phone, "End the evening")
    expect(phone.get_by_role("heading", name="Standings", exact=True)).to_be_visible()
    phone.goto(at(club, "board"))
    expect(phone.get_by_role("link", name="Leaderboard")).to_have_attribute("aria-current", "page")
    assert console.complaints(200) == []


class Figures(NamedTuple):
    """What the board of the day, the records and the picture say, the first two lines of each."""

    board: list[tuple[str, str, str]]
    records: dict[str, str]
    picture: list[str]
    version: str


def figures(page: Page, club: Playgroup) -> Figures:
    """Read the figures in a tab of its own, so that the evening's page stays open."""
    tab = page.context.new_page()
    picture = tab.request.get(at(club, "evening_picture", 1))
    assert picture.headers["content-type"] == "image/png"
    day = SetResult.objects.latest("finished_at").played_on
    tab.goto(f"{at(club, 'board')}?first={day}&last={day}")
    found = Figures(
        board_of(tab), records_of(tab), written_in_picture(club), picture.headers["etag"]
    )
    tab.close()
    return found


def board_of(page: Page) -> list[tuple[str, str, str]]:
    return [
        tuple(words(row.locator(part))[0].split()[0] for part in (".rank", "th a", ".lead"))
        for row in page.locator("table.board tbody tr").all()[:2]
    ]


def records_of(page: Page) -> dict[str, str]:
    """Return the records in VP: how many, and who has them."""
    found = {}
    for one in page.locator(".records > div").all():
        title, said = words(one.locator("dt"))[0], words(one.locator("dd"))[-1]
        if title in ("Highest set", "Most VP in a turn"):
            found[title] = " ".join(said.split()[:3])
    return found


def written_in_picture(club: Playgroup) -> list[str]:
    """Return the texts of the first two lines of an evening's picture, as it is drawn."""
    rows = queries.read(club.evenings.get())
    drawn = drawing.svg(pictures.of_evening(rows.evening, standings(rows)).draw())
    texts = [
        "".join(one.itertext()).strip() for one in etree.fromstring(drawn.encode()).iter("{*}text")
    ]
    first = texts.index("1")
    return texts[first : first + 8]


def plan(page: Page, club: Playgroup) -> None:
    page.goto(at(club, "evenings"))
    page.get_by_role("textbox", name="Name").fill("Club night")
    page.get_by_label("Minutes of a round").fill("50")
    tap_and_wait(page, "Plan it")
    see(page, "Club night")


def tap_and_wait(page: Page, name: str) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name=name, exact=True).tap()


def chip(page: Page, name: str) -> Locator:
    return page.locator("#here").get_by_role("button", name=name, exact=True)


def come(page: Page, names: list[str]) -> None:
    """Tap who is here, as fast as it goes."""
    for name in names:
        chip(page, name).tap()
    expect(page.get_by_role("heading", name=f"{len(names)} are here")).to_be_visible()


def draw_and_begin(page: Page, number: int) -> Round:
    tap_and_wait(page, f"Draw round {number}")
    expect(page.get_by_role("heading", name=f"Round {number} not begun")).to_be_visible()
    tap_and_wait(page, f"Begin round {number}")
    expect(page.locator("time[data-until]")).to_have_text(re.compile(r"^(50:00|49:\d\d)$"))
    return Round.objects.get(number=number)


def back(page: Page) -> None:
    with page.expect_navigation():
        page.get_by_role("link", name="Back to the evening").tap()


def finish(table: GameSet, points: int) -> None:
    """Play one game at a table, elsewhere: the first seat scores, nobody wins, and the set ends."""
    commands.start_game(table, 1, first=1)
    commands.record(table, 1, hit(1, 2, points))
    commands.record(table, 1, Draw())
    commands.call_set(table)


def standing(page: Page, name: str) -> Locator:
    return page.locator("#standings tbody tr").filter(has=page.get_by_text(name, exact=True))


def late_and_leaving(page: Page, leaves: str) -> None:
    page.get_by_label("Names, one in each line").fill("Jo")
    page.get_by_role("button", name="They are here").tap()
    expect(page.get_by_role("heading", name="10 are here")).to_be_visible()
    expect(page.get_by_label("Names, one in each line")).to_have_value("")
    page.locator("#here summary").tap()
    chip(page, leaves).tap()
    expect(page.get_by_role("heading", name="9 are here")).to_be_visible()
    expect(chip(page, leaves)).to_have_attribute("aria-pressed", "false")


def seated(drawn: Round) -> list[str]:
    return [place.player.name for place in drawn.places.exclude(table=0)]


def test_an_evening_by_mistake_is_cancelled_after_a_question(new_context, site, club):
    phone = signed_in(new_context(service_workers="block").new_page(), site)
    phone.route("**/cancel/", answer_late)  # the page hears of the change before its answer
    plan(phone, club)
    button = phone.get_by_role("button", name="Cancel and delete it")
    expect(button).to_be_hidden()
    phone.get_by_text("Cancel the evening").tap()

    button.tap()

    expect(phone.get_by_text("Club night is cancelled.")).to_be_visible()
    assert not club.evenings.exists()


def answer_late(route: Route) -> None:
    answer = route.fetch(max_redirects=0)
    time.sleep(1)
    route.fulfill(response=answer)


def test_what_somebody_chooses_is_not_taken_from_under_the_finger(phone, club):
    plan(phone, club)
    come(phone, NINE)
    tap_and_wait(phone, "Draw round 1")
    phone.locator("#move summary").tap()
    who = phone.get_by_label("Who moves")
    who.select_option("Cy")
    who.focus()
    elsewhere = browser("olga")
    for name in ("Jo", "Kim"):
        elsewhere.post(at(club, "evening_people", 1), {"names": name})
    expect(phone.get_by_role("heading", name="11 are here")).to_be_visible()

    expect(who.locator("option:checked")).to_have_text("Cy")
    phone.get_by_role("button", name="Move", exact=True).tap()

    expect(phone.locator("#rounds .pod", has_text="Jo")).to_contain_text("Kim")
    expect(phone.get_by_text("Changed since it was drawn.")).to_be_visible()


def test_nothing_moves_between_a_finger_that_lifts_and_its_click(phone, club):
    plan(phone, club)
    phone.clock.install(time=NOON)
    phone.clock.pause_at(NOON + timedelta(hours=1))
    asked: list[Route] = []
    phone.route("**/evenings/1/", lambda route: asked.append(route))
    with phone.expect_request("**/evenings/1/"):
        ann = club.players.get(name="Ann").pk
        browser("olga").post(at(club, "evening_people", 1), {"come": ann})
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


def test_a_clock_that_runs_out_rings_where_that_was_asked_for(phone, club):
    phone.add_init_script(
        """window.rung = 0;
        AudioContext.prototype.createOscillator = new Proxy(
          AudioContext.prototype.createOscillator,
          { apply: (call, self, all) => (window.rung += 1, Reflect.apply(call, self, all)) })"""
    )
    plan(phone, club)
    come(phone, NINE)
    phone.clock.install()
    draw_and_begin(phone, 1)
    phone.get_by_role("button", name="Ring here when time is up").tap()
    expect(phone.get_by_role("button", name="It rings here when time is up")).to_be_visible()

    phone.clock.fast_forward("50:01")

    expect(phone.locator("time[data-until]")).to_have_text("Time is up")
    assert phone.evaluate("rung") > 0


def test_the_pages_of_an_evening_fit_fingers_and_readers(phone, club):
    console = Console(phone)
    plan(phone, club)
    wrong = seen(phone, console, at(club, "evening", 1))
    come(phone, NINE)
    tap_and_wait(phone, "Draw round 1")
    wrong += seen(phone, console, at(club, "evening", 1))
    tap_and_wait(phone, "Begin round 1")
    begun = Round.objects.get()
    finish(begun.tables.first().game_set, 4)

    wrong += seen(phone, console, at(club, "evening", 1)) + seen(
        phone, console, at(club, "evenings")
    )
    for query in ("", "?keys"):
        answer = phone.goto(at(club, "round", 1, 1) + query)
        assert answer
        wrong += complaints_on(phone, SCREENS) + console.complaints(answer.status)

    assert not wrong, "\n".join(wrong)
    assert words(phone.locator("h1"))[0].startswith("Round 1")
