"""Many phones and bad reception: boards follow the table, and no tap is lost or doubled."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.staticfiles import finders
from django.db import OperationalError, connections
from django.test import Client
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, Response, Route, expect

from coalition_site.ops import installing
from scoring.groups.playgroups import create_playgroup
from scoring.groups.set_membership import take
from scoring.live import hub as live
from scoring.models import GameSet
from scoring.play import commands
from scoring.rules.corrections import Undo
from scoring.rules.formats.conspiracy import CONSPIRACY
from scoring.rules.moves import Draw
from tests.scoring.rules.play import ANN, BO, CY, hit
from tests.scoring.tables import address, events, record, the_game

from .hand import PATIENCE, PAUSE, becomes, board, give_key, last_event, worker_is_there
from .looks import seat

# A page can't be hidden here, but it can believe that it is.
HIDE = """(state) => {
  Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def table(site) -> GameSet:
    """Four players in their first game, Ann to begin."""
    return seat(4)


@pytest.fixture
def phone(new_context: Callable[..., BrowserContext], site, table) -> Callable[..., Page]:
    """Return a phone more at the table, with the scorekeeper link.

    Where requests are caught it is one without a service worker, in whose first moments none are.
    """
    key = f"the-key-of-{table.code}"
    commands.change_key(table, key)

    def take_out(*, worker: bool = True) -> Page:
        context = new_context(service_workers="allow" if worker else "block")
        cookie = {"name": f"key-{table.code}", "value": key, "url": site.address}
        context.add_cookies([cookie])
        page = context.new_page()
        page.goto(address(table, "score"))
        reception(page, "Live")
        return page

    return take_out


def tap(page: Page, target: str, amount: int) -> None:
    """Hit somebody; nothing is waited for but the finger."""
    page.get_by_role("checkbox", name=target).tap()
    page.get_by_role("button", name=f"Hit for {amount}", exact=True).tap()
    page.wait_for_timeout(PAUSE * 1000)


def reception(page: Page, words: str) -> None:
    """Expect what the bar says of the connection; after a lost one it may be tried late."""
    bar = page.locator("#net")
    expect(bar).to_have_text(words, use_inner_text=True, timeout=PATIENCE * 1000)


def waiting(page: Page) -> list[str]:
    """Return the taps that a phone shows as its own, in order."""
    return [" ".join(item.inner_text().split()) for item in page.locator("#outbox > li").all()]


def kept_open(page: Page) -> None:
    """Wait until the phone could open the page without a connection."""
    worker_is_there(page)
    comes_to(lambda: bool(kept_copy(page)), True)


def kept_copy(page: Page) -> str:
    """Return the phone's copy of the page, empty where it has none."""
    return page.evaluate(
        "async () => (await (await caches.match(location.pathname))?.text()) ?? ''"
    )


def entries(table: GameSet) -> list[dict[str, Any]]:
    """Return what the log of the first game says, line by line."""
    return [entry for _, entry, _ in events(table)]


def damage(table: GameSet) -> list[tuple[str, int]]:
    """Return whom each hit of the log was on, and for how much."""
    return [
        (one["target"], one["amount"])
        for entry in entries(table)
        if entry["type"] == "damage"
        for one in entry["hits"]
    ]


# --- many phones ---
def test_a_tap_shows_on_the_other_phones_with_who_made_it(phone, page, table):
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
        expect(one.locator(".player .vp b").first).to_have_text("VP 7")
        expect(one.locator(".player", has_text="Bo").locator(".life b")).to_have_text(
            re.compile("18$")
        )
    expect(tv.locator(".post", has_text="Ann").locator(".big")).to_have_text("VP 7")
    expect(first.locator(".peek .flag")).to_have_count(0)


def test_two_who_keep_the_score_see_each_other_once_they_have_tapped(phone):
    first, second = phone(), phone()
    expect(first.locator("#others")).to_have_text("")

    tap(first, "Bo", 7)
    expect(second.locator("#others")).to_have_text(
        re.compile(r"Also keeping the score:\s+1\s+Phone 1")
    )
    tap(second, "Bo", 1)

    expect(first.locator("#others")).to_have_text(
        re.compile(r"Also keeping the score:\s+1\s+Phone 2")
    )
    expect(second.locator("#others")).to_have_text(
        re.compile(r"Also keeping the score:\s+1\s+Phone 1")
    )


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
    becomes(lambda: damage(table), [("2", 7), ("4", 4)])


def test_the_other_phone_is_taken_along_into_the_next_game(phone, table):
    first, second = phone(), phone()
    record(table, hit(ANN, BO, 20))
    expect(second.locator(".player .vp b").first).to_have_text("VP 20")

    tap(first, "Bo", 1)

    expect(second.get_by_role("heading", name="Ann wins")).to_be_visible()
    commands.start_game(table, 2, first=CY)
    expect(second.locator(".setbar .grow")).to_contain_text("Cy is active")


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

    take(table, group)
    expect(page.locator("#playing li")).to_contain_text("Ann 0, Bo 0, Cy 0, Di 0")
    record(table, hit(ANN, BO, 7))
    expect(page.locator("#playing li")).to_contain_text("Ann 7, Bo 0, Cy 0, Di 0")


def test_the_stream_is_closed_while_the_page_is_hidden_and_what_was_missed_is_caught_up(
    phone, table
):
    page = phone()
    comes_to(listeners, 1)

    page.evaluate(HIDE, "hidden")
    comes_to(listeners, 0)
    page.wait_for_timeout(500)  # for what was asked before
    record(table, hit(ANN, BO, 7))
    page.wait_for_timeout(300)
    becomes(lambda: board(page)["Ann"], (0, 25))

    page.evaluate(HIDE, "visible")
    expect(page.locator(".player .vp b").first).to_have_text("VP 7")
    comes_to(listeners, 1)


def listeners() -> int:
    hubs = list(live._hubs.values())
    return sum(len(heard) for hub in hubs for heard in list(hub.listeners.values()))


def comes_to(ask: Callable[[], Any], wanted: object) -> None:
    """Wait until something is as wanted; on a busy machine it may take its time."""
    give_up = time.monotonic() + PATIENCE
    while (found := ask()) != wanted and time.monotonic() < give_up:
        time.sleep(0.02)
    assert found == wanted


@pytest.mark.parametrize(
    "answer",
    [lambda route: None, lambda route: route.fulfill(status=503, headers={"Retry-After": "15"})],
    ids=["held back by a proxy", "refused"],
)
def test_a_page_without_a_stream_is_only_slow_and_retries_now_and_then(phone, table, answer):
    context, asked = (page := phone(worker=False)).context, []
    context.route("**/live/**", lambda route: (asked.append(route), answer(route)))
    page.clock.install()
    began = time.monotonic()
    page.reload()
    record(table, hit(ANN, BO, 7))

    page.clock.fast_forward(16_000)

    expect(page.locator(".player .vp b").first).to_have_text("VP 7")
    # As it loads, again as it is shown if it was refused by then, and once every 15 seconds.
    assert len(asked) <= 3 + (time.monotonic() - began) // 15


# --- no signal ---
def test_taps_without_connection_survive_a_reload_and_lost_answers_and_count_once(phone, table):
    page = phone()
    kept_open(page)
    page.context.set_offline(True)
    for amount in (1, 2, 3):
        tap(page, "Bo", amount)
    page.reload()
    tap(page, "Cy", 4)
    page.get_by_role("button", name=re.compile("^Turn")).tap()
    reception(page, "5 waiting")
    becomes(
        lambda: waiting(page),
        [
            "Ann → Bo 3, Combat, waiting",
            "Ann → Cy 4, Combat, waiting",
            "Turn to Bo, waiting",
        ],
    )
    page.reload()
    reception(page, "5 waiting")
    page.wait_for_timeout(PAUSE * 1000)
    assert the_game(table).length == 0

    destroyed = lose_answers(page, 2)
    page.context.set_offline(False)

    reception(page, "Live")
    expect(page.locator(".setbar .grow")).to_contain_text("Bo is active")
    assert len(destroyed) == 2
    becomes(lambda: [entry["type"] for entry in entries(table)], ["damage"] * 4 + ["turn"])
    becomes(lambda: damage(table), [("2", 1), ("2", 2), ("2", 3), ("3", 4)])
    becomes(lambda: waiting(page), [])


def lose_answers(page: Page, count: int) -> list[str]:
    """Let the server hear the next taps, and the phone not the answers."""
    destroyed: list[str] = []

    def handle(route: Route) -> None:
        if len(destroyed) == count:
            route.continue_()
            return
        route.fetch()
        destroyed.append(route.request.url)
        route.abort()

    kept_open(page)  # by its worker, whose requests are caught once it is there
    page.context.route(re.compile("/score/1/(hit|turn)/"), handle)
    return destroyed


def test_a_tap_that_waits_is_taken_back_by_undo_before_it_goes_out(phone, table):
    page = phone()
    page.context.set_offline(True)
    tap(page, "Bo", 1)
    tap(page, "Bo", 2)

    page.get_by_role("button", name=re.compile("^Undo Ann → Bo 2, Combat")).tap()
    reception(page, "1 waiting")
    page.context.set_offline(False)

    expect(page.locator(".peek li")).to_have_text(["1Ann hits Bo for 1, combat"])
    becomes(lambda: damage(table), [("2", 1)])


def test_undo_of_a_tap_whose_answer_was_lost_takes_back_that_tap(phone, table):
    page = phone()
    destroyed = lose_answers(page, 3)
    tap(page, "Bo", 1)
    reception(page, "1 waiting")
    page.get_by_role("button", name=re.compile("^Undo")).tap()

    reception(page, "Live")
    expect(page.locator("#undo")).to_be_disabled()
    assert len(destroyed) == 3
    becomes(lambda: [entry["type"] for entry in entries(table)], ["damage", "undo"])


def test_a_waiting_tap_that_is_refused_is_shown_to_be_sent_again_or_dropped(phone, table):
    page = phone()
    page.context.set_offline(True)
    tap(page, "Bo", 1)
    tap(page, "Cy", 2)
    record(table, Draw())
    page.context.set_offline(False)

    over = "This game is over. Undo its last event to go on playing it."
    expect(page.locator("#outbox > .problem")).to_have_count(2, timeout=20_000)
    becomes(
        lambda: waiting(page),
        [
            f"Not recorded: Game 1: Ann → Bo 1, Combat {over} Send again Drop",
            f"Not recorded: Game 1: Ann → Cy 2, Combat {over} Send again Drop",
        ],
    )
    page.locator("#outbox > li").nth(1).get_by_role("button", name="Drop").tap()
    expect(page.locator("#outbox > li")).to_have_count(1)
    page.reload()
    expect(page.locator("#outbox > li")).to_have_count(1)
    page.get_by_role("button", name=re.compile("^Undo")).tap()
    page.locator("#outbox").get_by_role("button", name="Send again").tap()

    expect(page.locator(".peek li").first).to_contain_text("Ann hits Bo for 1, combat")
    expect(page.locator("#outbox")).to_be_hidden()
    becomes(lambda: [entry["type"] for entry in entries(table)], ["draw", "undo", "damage"])


def test_a_move_from_the_more_page_without_connection_waits_too(phone, table):
    page = phone()
    page.goto(address(table, "more", 1))
    page.context.set_offline(True)
    page.get_by_role("radio", name="Cy").check()
    page.get_by_role("button", name="+5").tap()
    reception(page, "1 waiting")

    page.context.set_offline(False)

    page.wait_for_url(f"**{address(table, 'score')}", timeout=20_000)
    expect(page.locator(".player .life b").nth(2)).to_contain_text("30")


def test_a_page_that_is_not_cached_says_so_without_connection_in_its_own_looks(phone):
    page = phone()
    kept_open(page)
    page.context.set_offline(True)
    page.goto("/")

    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    expect(page.locator("header.top")).to_have_css("display", "flex")


def test_a_key_that_was_changed_meanwhile_refuses_a_tap_which_stays_in_sight(phone, table):
    page = phone()
    page.context.set_offline(True)
    tap(page, "Bo", 1)
    commands.change_key(table, "a-new-key")
    page.context.set_offline(False)

    expect(page.get_by_role("heading", name="Somebody else keeps score here")).to_be_visible()
    expect(page.locator("#outbox > .problem")).to_contain_text(
        "Not recorded: Game 1: Ann → Bo 1, Combat"
    )
    assert the_game(table).length == 0


def test_without_connection_the_board_comes_back_as_it_was_left(phone, table):
    page = phone()
    kept_open(page)
    tap(page, "Bo", 7)
    expect(page.locator(".player .vp b").first).to_have_text("VP 7")
    comes_to(lambda: "Ann hits Bo for 7" in kept_copy(page), True)
    page.context.set_offline(True)

    page.reload()

    becomes(lambda: board(page)["Ann"], (7, 25))
    becomes(lambda: last_event(page), "1 Ann hits Bo for 7, combat")


def test_without_connection_the_ring_follows_the_taps(phone, table):
    page = phone()
    page.context.set_offline(True)
    tap(page, "Cy", 1)
    page.get_by_role("button", name="Hit for 2", exact=True).tap()

    reception(page, "2 waiting")
    becomes(lambda: waiting(page)[-1], "Ann → Cy 2, Combat, waiting")


def test_undo_at_the_moment_of_sending_takes_back_what_it_names_or_nothing_is_sent(phone, table):
    page = phone()
    undo = page.get_by_role("button", name=re.compile("^Undo"))
    for _ in range(6):
        page.context.set_offline(True)
        tap(page, "Bo", 1)
        reception(page, "1 waiting")
        page.context.set_offline(False)
        undo.tap()
        reception(page, "Live")
        page.wait_for_timeout(PAUSE * 1000)

    comes_to(lambda: len(entries(table)) % 2, 0)  # the last Undo may be under way
    told = [entry["type"] for entry in entries(table)]
    assert told == ["damage", "undo"] * (len(told) // 2)


def test_undo_stays_under_a_finger_while_the_tap_it_names_is_answered(phone, table):
    page = phone()
    page.context.set_offline(True)
    tap(page, "Bo", 1)
    reception(page, "1 waiting")
    page.get_by_role("button", name=re.compile("^Undo")).hover()
    page.mouse.down()
    page.context.set_offline(False)
    reception(page, "Live")

    page.mouse.up()

    comes_to(lambda: [entry["type"] for entry in entries(table)], ["damage", "undo"])
    expect(page.locator("#undo")).to_be_disabled()


def test_hits_that_were_collected_go_out_once(phone, table):
    page = phone()
    page.get_by_role("checkbox", name=re.compile("^Add")).tap()
    tap(page, "Bo", 3)
    send = page.get_by_role("button", name="Send 1 hit", exact=True)
    send.wait_for()
    page.context.set_offline(True)
    send.tap()
    expect(send).to_have_count(0)
    tap(page, "Cy", 2)
    reception(page, "2 waiting")
    page.context.set_offline(False)

    reception(page, "Live")
    becomes(lambda: damage(table), [("2", 3), ("3", 2)])
    becomes(lambda: len(entries(table)), 2)


def test_taps_wait_while_the_database_is_away_and_go_out_by_themselves(phone, table, monkeypatch):
    def fail(*args: object, **said: object) -> None:
        raise OperationalError("the database system is starting up")

    page = phone()
    with monkeypatch.context() as away:
        away.setattr(commands, "record", fail)
        tap(page, "Bo", 1)
        tap(page, "Cy", 2)
        reception(page, "2 waiting")

    reception(page, "Live")
    becomes(lambda: damage(table), [("2", 1), ("3", 2)])


def test_taps_that_are_too_many_wait_and_go_out_by_themselves(phone, table, settings):
    page = phone()
    settings.LIMITS = {"tap": (0, 3600)}
    tap(page, "Bo", 1)
    tap(page, "Cy", 2)
    reception(page, "2 waiting")

    settings.LIMITS = {}

    reception(page, "Live")
    becomes(lambda: damage(table), [("2", 1), ("3", 2)])


def test_a_tap_goes_out_from_whatever_page_is_opened_next(phone, table):
    page = phone()
    kept_open(page)
    page.context.set_offline(True)
    tap(page, "Bo", 1)
    page.close()
    page = page.context.new_page()
    page.context.set_offline(False)

    page.goto("/bans/")

    comes_to(lambda: damage(table), [("2", 1)])


def test_a_tap_that_was_refused_is_shown_on_other_pages_too(phone, table):
    page = phone()
    page.context.set_offline(True)
    tap(page, "Bo", 1)
    record(table, Draw())
    page.context.set_offline(False)
    expect(page.locator("#outbox > .problem")).to_have_count(1, timeout=20_000)

    page.goto("/")

    expect(page.locator("#elsewhere")).to_contain_text("A tap from another table is waiting here")
    page.get_by_role("link", name="Open that table").click()
    expect(page.locator("#outbox > .problem")).to_have_count(1)


def test_a_phone_that_can_keep_nothing_says_that_a_tap_may_be_lost(phone):
    page = phone()
    page.evaluate("() => { IDBDatabase.prototype.transaction = () => { throw Error('full'); }; }")
    tap(page, "Bo", 1)

    expect(page.locator("#lost")).to_be_visible()


def test_an_answer_that_comes_late_does_not_bring_an_old_board_back(phone, table):
    first = phone(worker=False)
    late: list[Route] = []

    def hold(route: Route) -> None:
        answer = route.fetch()
        record(table, hit(ANN, BO, 2))  # while the answer is under way
        connections.close_all()  # what answers here has connections of its own
        late.append(route)
        route.fulfill(response=answer)

    first.context.route("**/hit/", hold)
    tap(first, "Bo", 3)

    expect(first.locator(".player .vp b").first).to_have_text("VP 5")
    first.wait_for_timeout(500)
    expect(first.locator(".player .vp b").first).to_have_text("VP 5")
    assert len(late) == 1


def test_a_board_that_was_asked_for_before_a_tap_and_comes_after_it_is_asked_for_again(
    phone, table
):
    page = phone(worker=False)
    asked: list[Route] = []

    def times() -> int:
        page.wait_for_timeout(20)  # in which the page's requests are heard of
        return len(asked)

    page.context.route("**/score/?pad=*", lambda route: asked.append(route))
    record(table, hit(ANN, BO, 1))
    comes_to(times, 1)

    late, answer = asked[0], asked[0].fetch()
    tap(page, "Cy", 3)
    answered = re.compile(r"^\s*2\s*Ann hits Cy for 3")  # while it waits it has no number
    expect(page.locator(".peek li").first).to_have_text(answered)
    late.fulfill(response=answer)

    comes_to(times, 2)
    becomes(lambda: last_event(page), "2 Ann hits Cy for 3, combat")
    asked[1].continue_()


def test_pages_with_secrets_are_not_cached_and_a_lost_key_takes_the_others_along(phone, table):
    page = phone()
    kept_open(page)
    page.goto(address(table, "links"))
    page.goto(address(table, "score"))
    commands.change_key(table, "a-new-key")
    page.goto(address(table, "score"))
    page.context.set_offline(True)

    for name in ("links", "score"):
        page.goto(address(table, name))
        expect(page.get_by_role("heading", name="No connection")).to_be_visible()


def is_fetched(answer: Response) -> bool:
    return not answer.request.is_navigation_request()


def kept_pages(page: Page) -> list[str]:
    """Return which pages, without the files that they are made of, the phone has copies of."""
    kept = page.evaluate(
        """async () => (await (await caches.open("tables-1")).keys())
          .map(({ url }) => new URL(url).pathname).filter((path) => !path.startsWith("/static/"))"""
    )
    return sorted(kept)


def test_a_page_that_nobody_may_cache_is_not_cached_by_the_worker_either(new_context, site):
    table = seat(3, ruleset=CONSPIRACY)
    context = new_context()
    give_key(context, site.address, table)
    page = context.new_page()
    page.goto(address(table, "score"))
    kept_open(page)
    page.evaluate("() => caches.delete('tables-1')")

    own = address(table, "agendas", 1)
    with page.expect_response(lambda answer: answer.url.endswith(own) and is_fetched(answer)):
        page.goto(own)
    comes_to(lambda: "/offline/" in kept_pages(page), True)
    becomes(lambda: kept_pages(page), ["/offline/"])


def test_signing_out_leaves_no_copy_of_a_page_and_every_tap_that_waits(phone, site, table, client):
    client.force_login(User.objects.create_user("olga"))
    page = phone()
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": site.address}])
    kept_open(page)
    becomes(lambda: kept_pages(page), ["/offline/", address(table, "score")])
    page.context.route("**/hit/", lambda route: route.abort())
    tap(page, "Bo", 7)
    reception(page, "1 waiting")

    page.goto(reverse("account"))
    page.get_by_role("button", name="Sign out").tap()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()

    comes_to(lambda: kept_pages(page), ["/offline/"])
    page.context.unroute("**/hit/")
    page.goto(address(table, "score"))
    expect(page.locator(".player .vp b").first).to_have_text("VP 7")
    becomes(lambda: damage(table), [("2", 7)])


KEPT_WORDS = """() => new Promise((resolve) => {
  indexedDB.open("outbox", 1).onsuccess = ({ target: { result } }) => {
    const asked = result.transaction("taps").objectStore("taps").getAll();
    asked.onsuccess = () => resolve(asked.result.map(({ words }) => words));
  };
})"""


def test_a_tap_waits_for_the_account_that_made_it_and_names_nobody_to_another(
    new_context, site, table
):
    olga, bert = (User.objects.create_user(name) for name in ("olga", "bert"))
    take(table, create_playgroup("Thursday", olga, visibility="private", ruleset="coalition-906"))
    context = new_context(service_workers="block")

    def sign_in(account: User) -> None:
        client = Client()
        client.force_login(account)
        session = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": session, "url": site.address}])

    page = context.new_page()
    sign_in(olga)
    page.goto(address(table, "score"))
    context.route("**/hit/", lambda route: route.abort())
    tap(page, "Bo", 7)
    reception(page, "1 waiting")
    becomes(lambda: kept_words(page), ["Ann → Bo 7, Combat"])
    page.goto(reverse("account"))
    page.get_by_role("button", name="Sign out").tap()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    comes_to(lambda: kept_words(page), ["a tap from before you signed out"])
    context.unroute("**/hit/")

    sign_in(bert)
    sent = []
    page.on("request", lambda request: sent.append(request.method))
    page.goto(reverse("account"), wait_until="networkidle")
    expect(page.locator("#elsewhere")).to_be_hidden()
    becomes(lambda: (set(sent), entries(table)), ({"GET"}, []))
    becomes(lambda: kept_words(page), ["a tap from before you signed out"])

    sign_in(olga)
    page.goto(reverse("account"))
    comes_to(lambda: damage(table), [("2", 7)])


def kept_words(page: Page) -> list[str]:
    """Return what the phone stores of the taps that wait, in words."""
    return page.evaluate(KEPT_WORDS)


@pytest.fixture
def newer(tmp_path: Path, monkeypatch) -> Callable[[], None]:
    """Bring out another service worker."""
    path = tmp_path / "sw.js"
    path.write_text(Path(finders.find("js/sw.js")).read_text())
    monkeypatch.setattr(installing, "find", lambda _: str(path))
    return lambda: path.write_text(path.read_text() + "// newer\\n")


STATE = """() => navigator.serviceWorker.getRegistration().then(
  (found) => [Boolean(found.waiting), found.active?.state])"""


def test_a_new_version_takes_over_only_when_no_game_is_played(newer, phone, table):
    page = phone()
    kept_open(page)

    newer()
    page.evaluate("() => navigator.serviceWorker.getRegistration().then((found) => found.update())")
    comes_to(lambda: page.evaluate(STATE), [True, "activated"])
    tap(page, "Bo", 1)
    other = page.context.new_page()
    other.goto("/bans/", wait_until="networkidle")
    other.wait_for_timeout(3_000)  # pages at rest have asked by now
    becomes(lambda: page.evaluate(STATE), [True, "activated"])
    other.close()

    record(table, Draw())
    comes_to(lambda: page.evaluate(STATE), [False, "activated"])


def test_a_tap_that_waits_does_not_take_another_page_away(phone, table):
    page = phone()
    kept_open(page)
    page.context.set_offline(True)
    tap(page, "Bo", 1)
    page.context.route("**/hit/", lambda route: route.abort())
    page.context.set_offline(False)
    page.goto(address(table, "more", 1))
    reception(page, "1 waiting")

    page.context.unroute("**/hit/")

    reception(page, "Live")
    assert page.url.endswith(address(table, "more", 1))
    becomes(lambda: damage(table), [("2", 1)])
