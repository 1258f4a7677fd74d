"""Many phones at a table: boards follow what the others tap, by streams and signals."""

import re
import time

import pytest
from django.db import connections
from django.urls import reverse
from playwright.sync_api import Route, expect

from scoring.groups.sets.membership import take_set
from scoring.groups.settings.commands import create_playgroup
from scoring.live import hub as live
from scoring.record import commands
from scoring.rules.corrections import Undo
from scoring.rules.moves import Draw
from tests.scoring.rules.play import ANN, BO, CY, hit
from tests.scoring.tables import address, record

from .hand import becomes, damage, last_event, tap

FALLBACK = 16_000  # milliseconds, after which a page asks what is new in any case

# A page can't be hidden here, but it can believe that it is.
HIDE = """(state) => {
  Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_tap_shows_on_the_other_phones_and_takes_them_into_the_next_game(phone, page, table):
    first, second = phone(), phone()
    page.goto(address(table, "watch"))
    tv = page.context.new_page()
    tv.goto(address(table, "table"))

    tap(first, "Bo", 7)

    expect(second.locator(".peek li")).to_have_text(["1Phone 1 Ann hits Bo for 7, combat"])
    expect(second.locator("#said")).to_have_text(
        "Phone 1: Ann hits Bo for 7, combat. +7 VP Ann. Bo 18 life"
    )
    for one in (first, second, page):
        expect(one.locator(".player .vp b").first).to_have_text("7 VP")
        expect(one.locator(".player", has_text="Bo").locator(".life b")).to_have_text(
            re.compile("18$")
        )
    expect(tv.locator(".post", has_text="Ann").locator(".big")).to_have_text("VP 7")
    expect(first.locator(".peek .flag")).to_have_count(0)

    record(table, hit(ANN, BO, 13))
    tap(first, "Bo", 1)
    expect(second.get_by_role("heading", name="Ann wins")).to_be_visible()
    commands.start_game(table, 2, first=CY)
    expect(second.locator(".setbar .grow")).to_contain_text("Cy is active")


def test_a_half_entered_hit_stays_while_the_other_phone_taps(phone, table):
    first, second = phone(), phone()
    second.get_by_role("radio", name="Cy").first.tap()
    second.get_by_role("checkbox", name="Di").tap()
    key = second.locator("#n-4").element_handle()

    tap(first, "Bo", 7)
    first.get_by_role("button", name=re.compile("^Turn")).tap()

    expect(second.locator(".setbar .grow")).to_contain_text("Bo is active")
    key.tap()
    expect(second.locator(".peek li").first).to_contain_text("Cy hits Di for 4, combat")
    becomes(lambda: damage(table), [(1, 2, 7), (3, 4, 4)])


def test_a_spectator_follows_the_end_of_the_set_and_its_corrections(page, table):
    record(table, Draw())
    page.goto(address(table, "watch"))
    page.evaluate("() => (window.isTheSame = true)")
    title = page.get_by_role("heading", level=1)
    expect(title).to_have_text("Game 1 of 3")

    commands.call_set(table)
    expect(title).to_have_text("Ann, Bo, Cy and Di share the set")
    expect(page).to_have_title(re.compile("^Final standings"))
    commands.reopen_set(table)
    expect(title).to_have_text("Game 1 of 3")
    record(table, Undo(1), hit(ANN, BO, 21))
    expect(page.get_by_role("heading", name="Ann wins")).to_be_visible()
    commands.call_set(table)
    expect(title).to_have_text("Ann takes the set")

    assert page.evaluate("() => window.isTheSame")


def test_a_playgroups_page_follows_its_tables(page, table):
    group = create_playgroup("Thursday", None, visibility="public", ruleset="coalition-906")
    page.goto(reverse("board", args=[group.code]))
    expect(page.locator("#playing")).to_be_hidden()

    take_set(table, group)
    expect(page.locator("#playing li")).to_contain_text("Ann 0, Bo 0, Cy 0, Di 0")
    record(table, hit(ANN, BO, 7))
    expect(page.locator("#playing li")).to_contain_text("Ann 7, Bo 0, Cy 0, Di 0")


def test_the_stream_is_closed_while_the_page_is_hidden_and_what_was_missed_is_caught_up(pad, table):
    pad.clock.install()
    pad.reload()
    becomes(listeners, 1)

    pad.evaluate(HIDE, "hidden")
    becomes(listeners, 0)
    asked: list[str] = []
    pad.on("request", lambda request: asked.append(request.url))
    record(table, hit(ANN, BO, 7))
    pad.clock.run_for(FALLBACK)
    assert not [url for url in asked if "pad=" in url]

    pad.evaluate(HIDE, "visible")
    expect(pad.locator(".player .vp b").first).to_have_text("7 VP")
    becomes(listeners, 1)


def listeners() -> int:
    hubs = list(live._hubs.values())
    return sum(len(heard) for hub in hubs for heard in list(hub.listeners.values()))


@pytest.mark.parametrize(
    "answer",
    [lambda route: None, lambda route: route.fulfill(status=503, headers={"Retry-After": "15"})],
    ids=["held back by a proxy", "refused"],
)
def test_a_page_without_a_stream_is_only_slow_and_retries_now_and_then(pad, table, answer):
    asked: list[Route] = []
    pad.context.route("**/live/**", lambda route: (asked.append(route), answer(route)))
    pad.clock.install()
    began = time.monotonic()
    pad.reload()
    record(table, hit(ANN, BO, 7))

    pad.clock.fast_forward(FALLBACK)

    expect(pad.locator(".player .vp b").first).to_have_text("7 VP")
    # As it loads, again as it is shown if it was refused by then, and once every 15 seconds.
    assert len(asked) <= 3 + (time.monotonic() - began) // 15


def test_an_answer_that_comes_late_does_not_bring_an_old_board_back(pad, table):
    pad.clock.install()
    pad.reload()
    late: list[Route] = []

    def hold(route: Route) -> None:
        answer = route.fetch()
        record(table, hit(ANN, BO, 2))  # while the answer is under way
        connections.close_all()  # what answers here has connections of its own
        late.append(route)
        route.fulfill(response=answer)

    pad.context.route("**/hit/", hold)
    tap(pad, "Bo", 3)

    expect(pad.locator(".player .vp b").first).to_have_text("5 VP")
    with pad.expect_response(lambda answer: "pad=" in answer.url):
        pad.clock.run_for(FALLBACK)
    expect(pad.locator(".player .vp b").first).to_have_text("5 VP")
    assert len(late) == 1


def test_a_board_that_was_asked_for_before_a_tap_and_comes_after_it_is_asked_for_again(pad, table):
    asked: list[Route] = []

    def times() -> int:
        pad.title()  # meanwhile the page's requests are heard of
        return len(asked)

    pad.context.route("**/score/?pad=*", lambda route: asked.append(route))
    record(table, hit(ANN, BO, 1))
    becomes(times, 1)

    late, answer = asked[0], asked[0].fetch()
    tap(pad, "Cy", 3)
    answered = re.compile(r"^\s*2\s*Ann hits Cy for 3")  # while it waits it has no number
    expect(pad.locator(".peek li").first).to_have_text(answered)
    late.fulfill(response=answer)

    becomes(times, 2)
    becomes(lambda: last_event(pad), "2 Ann hits Cy for 3, combat")
    asked[1].continue_()
