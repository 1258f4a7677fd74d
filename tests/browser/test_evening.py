"""An evening on a phone: nine people, a late comer, one who leaves, and a page that follows."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import APIResponse, Locator, Page, Route, expect

from scoring.models import GameSet, Playgroup, Round
from scoring.play import commands
from scoring.play.seating import add_player
from scoring.rules.corrections import Amend
from scoring.rules.moves import Draw
from tests.scoring.grouped import group
from tests.scoring.groups.visitors import account, at, browser
from tests.scoring.rules.play import hit

from .checks import Console
from .hand import see, sign_in

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
    sign_in(page, site.address, browser("olga"))
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

    late_and_leaving(phone, leaves=top.names[2])
    second = draw_and_begin(phone, 2)
    seated = [place.player.name for place in second.places.exclude(table=0)]
    assert (top.names[2] in seated, "Jo" in seated) == (False, True)
    back(phone)
    commands.record(other, 1, Amend(1, hit(1, 2, 12)))
    expect(standing(phone, other.names[1])).to_have_text(re.compile(r"^\s*1\s.*12\s+12\.0", re.S))
    for table in second.tables.all():
        finish(table.game_set, 1)
    expect(phone.locator("#rounds section").get_by_text("finished", exact=True)).to_have_count(2)
    tap_and_wait(phone, "End the evening")
    expect(phone.get_by_role("heading", name="Standings", exact=True)).to_be_visible()
    assert console.complaints(200) == []


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


def test_an_evening_by_mistake_is_cancelled_after_a_question(phone, club):
    held: list[tuple[Route, APIResponse]] = []
    phone.route("**/cancel/", lambda route: held.append((route, route.fetch(max_redirects=0))))
    plan(phone, club)
    other = phone.context.new_page()
    other.goto(at(club, "evening", 1))
    button = phone.get_by_role("button", name="Cancel and delete it")
    expect(button).to_be_hidden()
    phone.get_by_text("Cancel the evening").tap()

    button.tap(no_wait_after=True)
    # Open pages hear of the change before the answer comes to the one that made it.
    expect(other.get_by_role("heading", name="Nothing here")).to_be_visible()
    route, answer = held[0]
    route.fulfill(response=answer)

    expect(phone.get_by_text("Club night is cancelled.")).to_be_visible()
    assert not club.evenings.exists()


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
