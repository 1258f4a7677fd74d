"""Bad reception: taps wait on the phone, and none is lost or doubled."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.contrib.staticfiles import finders
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, Response, Route, expect

from coalition_site.ops import installing
from scoring.groups.playgroups import create_playgroup
from scoring.groups.set_membership import take
from scoring.play import commands
from scoring.rules.formats.conspiracy import CONSPIRACY
from scoring.rules.moves import Draw
from tests.scoring.tables import address, record, the_game

from .hand import (
    becomes,
    board,
    damage,
    entries,
    give_key,
    last_event,
    reception,
    tap,
    waiting,
    worker_is_there,
)
from .looks import seat


def kept_open(page: Page) -> None:
    """Wait until the phone could open the page without a connection."""
    worker_is_there(page)
    becomes(lambda: bool(kept_copy(page)), True)


def kept_copy(page: Page) -> str:
    """Return the phone's copy of the page, empty where it has none."""
    return page.evaluate(
        "async () => (await (await caches.match(location.pathname))?.text()) ?? ''"
    )


def test_taps_without_connection_survive_a_reload_and_lost_answers_and_count_once(phone, table):
    page = phone(worker=True)
    kept_open(page)
    page.context.set_offline(True)
    for amount in (1, 2, 3):
        tap(page, "Bo", amount)
    reception(page, "3 waiting")
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
    page = phone(worker=True)
    kept_open(page)
    page.goto(address(table, "more", 1))
    page.context.set_offline(True)
    page.get_by_role("radio", name="Cy").check()
    page.get_by_role("button", name="+5").tap()
    reception(page, "1 waiting")

    page.context.set_offline(False)

    page.wait_for_url(f"**{address(table, 'score')}", timeout=20_000)
    expect(page.locator(".player .life b").nth(2)).to_contain_text("30")


def test_a_page_that_is_not_cached_says_so_without_connection_in_its_own_looks(phone):
    page = phone(worker=True)
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
    page = phone(worker=True)
    kept_open(page)
    tap(page, "Bo", 7)
    expect(page.locator(".player .vp b").first).to_have_text("VP 7")
    becomes(lambda: "Ann hits Bo for 7" in kept_copy(page), True)
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
        becomes(lambda: (len(entries(table)) % 2, kept_words(page)), (0, []))

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

    becomes(lambda: [entry["type"] for entry in entries(table)], ["damage", "undo"])
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


@pytest.mark.parametrize("why", ["database", "limit"])
def test_taps_that_the_server_can_not_take_now_go_out_by_themselves(
    phone, table, monkeypatch, settings, why
):
    def fail(*args: object, **said: object) -> None:
        raise OperationalError("the database system is starting up")

    page = phone()
    with monkeypatch.context() as away:
        if why == "database":
            away.setattr(commands, "record", fail)
        else:
            settings.LIMITS = {"tap": (0, 3600)}
        tap(page, "Bo", 1)
        tap(page, "Cy", 2)
        reception(page, "2 waiting")
    settings.LIMITS = {}

    reception(page, "Live")
    becomes(lambda: damage(table), [("2", 1), ("3", 2)])


def test_a_tap_goes_out_from_whatever_page_is_opened_next(phone, table):
    page = phone()
    page.context.set_offline(True)
    tap(page, "Bo", 1)
    reception(page, "1 waiting")
    page.close()
    page = page.context.new_page()
    page.context.set_offline(False)

    page.goto("/bans/")

    becomes(lambda: damage(table), [("2", 1)])


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


def test_a_hit_on_a_game_that_somebody_else_has_ended_is_refused_in_sight(phone, table):
    page = phone()
    page.wait_for_function(
        "performance.getEntriesByType('resource').some(e => /sheet.js/.test(e.name))"
    )
    page.context.route(re.compile(r"/score/\?pad="), lambda route: route.abort())  # the board stays
    record(table, Draw())

    tap(page, "Bo", 1)

    expect(page.locator("#outbox > .problem")).to_contain_text("This game is over")


def test_a_phone_that_can_keep_nothing_says_that_a_tap_may_be_lost(phone):
    page = phone()
    page.evaluate("() => { IDBDatabase.prototype.transaction = () => { throw Error('full'); }; }")
    tap(page, "Bo", 1)

    expect(page.locator("#lost")).to_be_visible()


def test_pages_with_secrets_are_not_cached_and_a_lost_key_takes_the_others_along(phone, table):
    page = phone(worker=True)
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
    context = new_context(worker=True)
    give_key(context, site.address, table)
    page = context.new_page()
    page.goto(address(table, "score"))
    kept_open(page)
    page.evaluate("() => caches.delete('tables-1')")

    own = address(table, "agendas", 1)
    with page.expect_response(lambda answer: answer.url.endswith(own) and is_fetched(answer)):
        page.goto(own)
    becomes(lambda: "/offline/" in kept_pages(page), True)
    becomes(lambda: kept_pages(page), ["/offline/"])


def sign_out(page: Page) -> None:
    """Sign out while a tap waits, which a notice above the page's head says: it moves the rest."""
    page.goto(reverse("account"))
    expect(page.locator("#elsewhere")).to_be_visible()
    page.get_by_role("button", name="Sign out").tap()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()


def test_signing_out_leaves_no_copy_of_a_page_and_every_tap_that_waits(phone, site, table, client):
    client.force_login(User.objects.create_user("olga"))
    page = phone(worker=True)
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": site.address}])
    kept_open(page)
    becomes(lambda: kept_pages(page), ["/offline/", address(table, "score")])
    page.context.route("**/hit/", lambda route: route.abort())
    tap(page, "Bo", 7)
    reception(page, "1 waiting")

    sign_out(page)

    becomes(lambda: kept_pages(page), ["/offline/"])
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
    context = new_context()

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
    sign_out(page)
    becomes(lambda: kept_words(page), ["a tap from before you signed out"])
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
    becomes(lambda: damage(table), [("2", 7)])


def kept_words(page: Page) -> list[str]:
    return page.evaluate(KEPT_WORDS)


# A newer worker says to a page that asked it to take over that it has decided.
TELLS = """
const decide = takeOver;
takeOver = (source) => decide(source).then(() => source.postMessage("decided"));
"""
HEAR = (
    """navigator.serviceWorker.addEventListener("message", ({ data }) => (window.heard = data));"""
)


@pytest.fixture
def newer(tmp_path: Path, monkeypatch) -> Callable[[], None]:
    path = tmp_path / "sw.js"
    path.write_text(Path(finders.find("js/sw.js")).read_text())
    monkeypatch.setattr(installing, "find", lambda _: str(path))
    return lambda: path.write_text(path.read_text() + TELLS)


STATE = """() => navigator.serviceWorker.getRegistration().then(
  (found) => [Boolean(found.waiting), found.active?.state])"""


def test_a_new_version_takes_over_only_when_no_game_is_played(newer, phone, table):
    page = phone(worker=True)
    kept_open(page)

    newer()
    page.evaluate("() => navigator.serviceWorker.getRegistration().then((found) => found.update())")
    becomes(lambda: page.evaluate(STATE), [True, "activated"])
    tap(page, "Bo", 1)
    other = page.context.new_page()
    other.add_init_script(HEAR)
    other.goto("/bans/")
    becomes(lambda: other.evaluate("() => window.heard"), "decided")
    becomes(lambda: page.evaluate(STATE), [True, "activated"])
    other.close()

    record(table, Draw())
    becomes(lambda: page.evaluate(STATE), [False, "activated"])


def test_a_tap_that_waits_does_not_take_another_page_away(phone, table):
    page = phone()
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
