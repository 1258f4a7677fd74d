"""Bad reception: taps wait on the phone, and none is lost or doubled."""

import re
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest
from django.contrib.staticfiles import finders
from django.db import OperationalError
from django.urls import reverse
from playwright.sync_api import Page, Route, expect

from coalition_site.ops import installing
from scoring.groups.sets.membership import take_set
from scoring.groups.settings.commands import create_playgroup
from scoring.record import commands
from scoring.rules.formats.conspiracy import CONSPIRACY
from scoring.rules.moves import Draw
from tests.scoring.groups.visitors import account, browser
from tests.scoring.tables import address, record, the_game

from .hand import (
    becomes,
    board,
    damage,
    entries,
    keep_score,
    kept_open,
    kept_words,
    kinds,
    problem,
    reception,
    sign_in,
    tap,
    waiting,
)
from .looks import seat


def test_taps_without_connection_survive_a_reload_and_lost_answers_and_count_once(kept, table):
    tap(kept, "Bo", 7)
    copy = "async () => (await caches.match(location.pathname)).text()"
    becomes(lambda: "Ann hits Bo for 7" in kept.evaluate(copy), True)
    becomes(lambda: kept_words(kept), [])
    kept.context.set_offline(True)
    for amount in (1, 2, 3):
        tap(kept, "Bo", amount)
    reception(kept, "3 waiting")
    kept.reload()
    becomes(lambda: board(kept)["Ann"], (13, 25))
    expect(kept.locator(".peek li").filter(has_text="Ann hits Bo for 7, combat")).to_have_count(1)
    tap(kept, "Cy", 4)
    kept.get_by_role("button", name=re.compile("^Turn")).tap()
    reception(kept, "5 waiting")
    last = ["Ann → Bo 3, Combat, waiting", "Ann → Cy 4, Combat, waiting", "Turn to Bo, waiting"]
    becomes(lambda: waiting(kept), last)
    kept.reload()
    reception(kept, "5 waiting")
    assert the_game(table).length == 1

    destroyed = lose_answers(kept, 2)
    kept.context.set_offline(False)

    reception(kept, "Live")
    expect(kept.locator(".setbar .grow")).to_contain_text("Bo is active")
    assert len(destroyed) == 2
    becomes(lambda: kinds(table), ["damage"] * 5 + ["turn"])
    becomes(lambda: damage(table), [(1, 2, 7), (1, 2, 1), (1, 2, 2), (1, 2, 3), (1, 3, 4)])
    becomes(lambda: waiting(kept), [])


def lose_answers(page: Page, count: int) -> list[str]:
    """Let the server hear the next taps, and the phone not the answers."""
    destroyed: list[str] = []

    def handle(route: Route) -> None:
        if len(destroyed) == count:
            return route.continue_()
        route.fetch()
        destroyed.append(route.request.url)
        return route.abort()

    page.context.route(re.compile("/score/1/(hit|turn)/"), handle)
    return destroyed


def test_a_tap_that_was_recorded_before_another_went_out_is_there_after_a_reload(kept, table):
    kept.context.set_offline(True)
    tap(kept, "Bo", 1)
    tap(kept, "Cy", 2)
    reception(kept, "2 waiting")
    kept.context.route(re.compile("/s/"), lambda route: route.abort())
    first = iter([Route.continue_])
    kept.context.route(re.compile("/hit/"), lambda route: next(first, Route.abort)(route))
    kept.context.set_offline(False)
    reception(kept, "1 waiting")
    kept.context.set_offline(True)
    assert damage(table) == [(1, 2, 1)]
    copy = "async () => (await caches.match(location.pathname)).text()"
    becomes(lambda: "Ann hits Bo for 1" in kept.evaluate(copy), True)

    kept.reload()

    reception(kept, "1 waiting")
    expect(kept.locator(".peek li").filter(has_text="Ann hits Bo for 1, combat")).to_have_count(1)
    becomes(lambda: waiting(kept), ["Ann → Cy 2, Combat, waiting"])


def test_undo_of_a_tap_whose_answer_was_lost_takes_back_that_tap(pad, table):
    destroyed = lose_answers(pad, 3)
    tap(pad, "Bo", 1)
    reception(pad, "1 waiting")
    pad.get_by_role("button", name=re.compile("^Undo")).tap()

    reception(pad, "Live")
    expect(pad.locator("#undo")).to_be_disabled()
    assert len(destroyed) == 3
    becomes(lambda: kinds(table), ["damage", "undo"])


def test_a_waiting_tap_that_is_refused_is_shown_everywhere_and_sent_again_or_dropped(pad, table):
    pad.context.set_offline(True)
    tap(pad, "Bo", 1)
    tap(pad, "Cy", 2)
    reception(pad, "2 waiting")
    record(table, Draw())
    pad.context.set_offline(False)

    over = "This game is over. Undo its last event to go on playing it."
    expect(pad.locator("#outbox > .problem")).to_have_count(2, timeout=20_000)
    becomes(
        lambda: waiting(pad),
        [
            f"Not recorded: Game 1: Ann → Bo 1, Combat {over} Send again Drop",
            f"Not recorded: Game 1: Ann → Cy 2, Combat {over} Send again Drop",
        ],
    )
    expect(problem(pad)).to_have_count(2)
    drop = pad.locator("#outbox > li").nth(1).get_by_role("button", name="Drop")
    drop.focus()
    pad.evaluate("() => document.dispatchEvent(new Event('htmx:afterSettle'))")
    expect(drop).to_be_focused()
    drop.tap()
    expect(pad.locator("#outbox > li")).to_have_count(1)
    pad.goto("/")
    expect(pad.locator("#elsewhere")).to_contain_text("A tap from another table is waiting here")
    pad.get_by_role("link", name="Open that table").click()
    expect(pad.locator("#outbox > .problem")).to_have_count(1)
    pad.get_by_role("button", name=re.compile("^Undo")).tap()
    pad.locator("#outbox").get_by_role("button", name="Send again").tap()

    expect(pad.locator(".peek li").first).to_contain_text("Ann hits Bo for 1, combat")
    expect(pad.locator("#outbox")).to_be_hidden()
    becomes(lambda: kinds(table), ["draw", "undo", "damage"])


def test_a_move_from_the_more_page_without_connection_waits_too(kept, table):
    kept.goto(address(table, "more", 1))
    kept.context.set_offline(True)
    kept.get_by_role("radio", name="Cy").check()
    kept.get_by_role("button", name="+5").tap()
    reception(kept, "1 waiting")

    kept.context.set_offline(False)

    kept.wait_for_url(f"**{address(table, 'score')}", timeout=20_000)
    expect(kept.locator(".player .life b").nth(2)).to_contain_text("30")


def test_a_key_that_was_changed_meanwhile_refuses_a_tap_which_stays_in_sight(pad, table):
    pad.context.set_offline(True)
    tap(pad, "Bo", 1)
    commands.change_key(table, "a-new-key")
    pad.context.set_offline(False)

    expect(pad.get_by_role("heading", name="Somebody else keeps score here")).to_be_visible()
    expect(pad.locator("#outbox > .problem")).to_contain_text(
        "Not recorded: Game 1: Ann → Bo 1, Combat"
    )
    assert the_game(table).length == 0


def test_undo_at_the_moment_of_sending_takes_back_what_it_names_or_nothing_is_sent(pad, table):
    undo = pad.get_by_role("button", name=re.compile("^Undo"))
    for _ in range(6):
        pad.context.set_offline(True)
        tap(pad, "Bo", 1)
        reception(pad, "1 waiting")
        pad.context.set_offline(False)
        undo.tap()
        becomes(lambda: (len(entries(table)) % 2, kept_words(pad)), (0, []))

    told = kinds(table)
    assert told == ["damage", "undo"] * (len(told) // 2)


def test_undo_stays_under_a_finger_while_the_tap_it_names_is_answered(pad, table):
    pad.context.set_offline(True)
    tap(pad, "Bo", 1)
    reception(pad, "1 waiting")
    pad.get_by_role("button", name=re.compile("^Undo")).hover()
    pad.mouse.down()
    pad.context.set_offline(False)
    reception(pad, "Live")

    pad.mouse.up()

    becomes(lambda: kinds(table), ["damage", "undo"])
    expect(pad.locator("#undo")).to_be_disabled()


HAS_TRAY = """async () => {
  const stored = await caches.match(location.pathname);
  return (await stored.text()).includes('class="tray"');
}"""


def test_hits_that_were_collected_go_out_once_though_the_page_is_opened_again(kept, table):
    kept.get_by_role("checkbox", name=re.compile("^Add")).tap()
    tap(kept, "Bo", 3)
    send = kept.get_by_role("button", name="Record 1 hit", exact=True)
    send.wait_for()
    becomes(lambda: kept.evaluate(HAS_TRAY), True)
    kept.context.set_offline(True)
    send.tap()
    expect(send).to_have_count(0)
    expect(kept.locator("#undo")).to_be_disabled()
    becomes(lambda: kept.evaluate(HAS_TRAY), False)
    kept.reload()
    tap(kept, "Cy", 2)
    reception(kept, "2 waiting")
    kept.context.set_offline(False)

    reception(kept, "Live")
    becomes(lambda: damage(table), [(1, 2, 3), (1, 3, 2)])
    becomes(lambda: len(entries(table)), 2)


def test_undo_names_what_it_takes_out_of_the_collected_hits(pad, table):
    pad.get_by_role("checkbox", name=re.compile("^Add")).tap()
    tap(pad, "Bo", 3)
    undo = pad.locator("#undo small")
    expect(undo).to_contain_text("not recorded")
    pad.context.set_offline(True)
    pad.locator(".player summary").nth(2).tap()
    pad.get_by_role("button", name="Cy: gain 1 life").tap()
    reception(pad, "1 waiting")

    expect(undo).to_contain_text("not recorded")


@pytest.mark.parametrize("why", ["database", "limit"])
def test_taps_that_the_server_can_not_take_now_go_out_by_themselves(
    pad, table, monkeypatch, settings, why
):
    with monkeypatch.context() as away:
        if why == "database":
            away.setattr(commands, "record", Mock(side_effect=OperationalError("it starts up")))
        else:
            settings.LIMITS = {"tap": (0, 3600)}
        tap(pad, "Bo", 1)
        tap(pad, "Cy", 2)
        reception(pad, "2 waiting")
    settings.LIMITS = {}

    reception(pad, "Live")
    becomes(lambda: damage(table), [(1, 2, 1), (1, 3, 2)])


def test_a_tap_goes_out_from_whatever_page_is_opened_next(pad, table):
    pad.context.set_offline(True)
    tap(pad, "Bo", 1)
    reception(pad, "1 waiting")
    pad.close()
    pad.context.set_offline(False)

    pad.context.new_page().goto("/bans/")

    becomes(lambda: damage(table), [(1, 2, 1)])


def test_a_hit_on_a_game_that_somebody_else_has_ended_is_refused_in_sight(page, site, table):
    # The board stays: from the beginning, so that nothing is under way when the game ends.
    page.context.route(re.compile(r"/score/\?pad="), lambda route: route.fulfill(status=304))
    keep_score(page, site, table)
    page.locator("#sheet").wait_for(state="attached")
    record(table, Draw())

    tap(page, "Bo", 1)

    expect(page.locator("#outbox > .problem")).to_contain_text("This game is over")


def test_a_phone_that_can_keep_nothing_says_that_a_tap_may_be_lost(pad):
    pad.evaluate("() => { IDBDatabase.prototype.transaction = () => { throw Error('full'); }; }")
    tap(pad, "Bo", 1)

    expect(pad.locator("#lost")).to_be_visible()


def test_pages_with_secrets_are_not_cached_and_a_lost_key_takes_the_others_along(kept, table):
    kept.goto(address(table, "links"))
    kept.goto(address(table, "score"))
    kept.goto("/offline/")  # the pad would load itself again meanwhile
    commands.change_key(table, "a-new-key")
    kept.goto(address(table, "score"))
    kept.context.set_offline(True)

    for name in ("links", "score"):
        kept.goto(address(table, name))
        expect(kept.get_by_role("heading", name="No connection")).to_be_visible()


def kept_pages(page: Page) -> list[str]:
    """Return which pages, without the files that they are made of, the phone has copies of."""
    kept = page.evaluate(
        """async () => (await (await caches.open("tables-1")).keys())
          .map(({ url }) => new URL(url).pathname).filter((path) => !path.startsWith("/static/"))"""
    )
    return sorted(kept)


def test_a_page_that_nobody_may_cache_is_not_cached_by_the_worker_either(new_context, site):
    table = seat(3, ruleset=CONSPIRACY)
    page = new_context(worker=True).new_page()
    keep_score(page, site, table)
    kept_open(page)
    page.evaluate("() => caches.delete('tables-1')")

    own = address(table, "agendas", 1)
    with page.expect_response(
        lambda answer: answer.url.endswith(own) and not answer.request.is_navigation_request()
    ):
        page.goto(own)
    becomes(lambda: "/offline/" in kept_pages(page), True)
    becomes(lambda: kept_pages(page), ["/offline/"])


def sign_out(page: Page) -> None:
    """Sign out while a tap waits, which a notice above the page's head says: it moves the rest."""
    page.goto(reverse("account"))
    expect(page.locator("#elsewhere")).to_be_visible()
    page.get_by_role("button", name="Sign out").tap()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()


def test_signing_out_leaves_no_copy_of_a_page_and_every_tap_that_waits(phone, site, table):
    page = phone(worker=True)
    sign_in(page, site, browser("olga"))
    kept_open(page)
    pages = ["/offline/", address(table, "score"), address(table, "more", 1)]
    becomes(lambda: kept_pages(page), pages)
    page.context.route("**/hit/", lambda route: route.abort())
    tap(page, "Bo", 7)
    reception(page, "1 waiting")

    sign_out(page)

    becomes(lambda: kept_pages(page), ["/offline/"])
    page.context.unroute("**/hit/")
    page.goto(address(table, "score"))
    expect(page.locator(".player .vp b").first).to_have_text("7 VP")
    becomes(lambda: damage(table), [(1, 2, 7)])


def test_a_tap_waits_for_the_account_that_made_it_and_names_nobody_to_another(page, site, table):
    group = create_playgroup(
        "Thursday", account("olga"), visibility="private", ruleset="coalition-906"
    )
    take_set(table, group)
    sign_in(page, site, browser("olga"))
    page.goto(address(table, "score"))
    page.context.route("**/hit/", lambda route: route.abort())
    tap(page, "Bo", 7)
    reception(page, "1 waiting")
    becomes(lambda: kept_words(page), ["Ann → Bo 7, Combat"])
    sign_out(page)
    becomes(lambda: kept_words(page), ["a tap from before you signed out"])
    page.context.unroute("**/hit/")

    sign_in(page, site, browser("bert"))
    sent = []
    page.on("request", lambda request: sent.append(request.method))
    page.goto(reverse("account"), wait_until="networkidle")
    expect(page.locator("#elsewhere")).to_be_hidden()
    becomes(lambda: (set(sent), entries(table)), ({"GET"}, []))
    becomes(lambda: kept_words(page), ["a tap from before you signed out"])

    sign_in(page, site, browser("olga"))
    page.goto(reverse("account"))
    becomes(lambda: damage(table), [(1, 2, 7)])


@pytest.fixture
def newer(tmp_path: Path, monkeypatch) -> Callable[[], None]:
    path = tmp_path / "sw.js"
    path.write_text(Path(finders.find("js/sw.js")).read_text())
    monkeypatch.setattr(installing, "find", lambda _: str(path))
    return lambda: path.write_text(path.read_text() + "// newer")


STATE = """() => navigator.serviceWorker.getRegistration().then(
  (found) => [Boolean(found.waiting), found.active?.state])"""


def test_a_newer_worker_begins_once_every_page_is_closed(newer, kept, table):
    newer()
    kept.evaluate("() => navigator.serviceWorker.getRegistration().then((found) => found.update())")
    becomes(lambda: kept.evaluate(STATE), [True, "activated"])
    other = kept.context.new_page()
    other.goto("/bans/")
    kept.goto(address(table, "score"))
    kept.goto("/decks/")
    kept.close()
    assert other.evaluate(STATE) == [True, "activated"]
    blank = other.context.new_page()
    statuses: dict[str, str] = {}
    workers = other.context.new_cdp_session(blank)
    workers.on(
        "ServiceWorker.workerVersionUpdated",
        lambda told: statuses.update({one["versionId"]: one["status"] for one in told["versions"]}),
    )
    workers.send("ServiceWorker.enable")

    other.close()

    becomes(lambda: blank.evaluate("0") or sorted(statuses.values()), ["activated", "redundant"])
    blank.goto(address(table, "score"))
    assert blank.evaluate(STATE) == [False, "activated"]
    tap(blank, "Bo", 1)
    becomes(lambda: damage(table), [(1, 2, 1)])


def test_a_tap_is_kept_though_the_page_is_left_the_next_moment(pad, table):
    pad.context.route("**/hit/", lambda route: route.abort())
    for amount in (1, 2, 3, 4):
        pad.goto(address(table, "score"))
        reception(pad, f"{amount - 1} waiting" if amount > 1 else "Live")
        pad.get_by_role("checkbox", name="Bo").tap()
        pad.evaluate(f"() => document.getElementById('n-{amount}').click()")
        pad.goto("about:blank")

    pad.goto(address(table, "score"))

    reception(pad, "4 waiting")
    assert kept_words(pad) == [f"Ann → Bo {amount}, Combat" for amount in (1, 2, 3, 4)]


def test_a_refusal_that_comes_while_its_page_is_left_is_told_on_the_next(pad, table):
    pad.goto(address(table, "more", 1))
    held: list[Route] = []
    pad.route("**/more/", lambda route: route.continue_() if held else held.append(route))

    def refuse_first(left: Route) -> None:
        held[0].fulfill(response=held[0].fetch())
        left.continue_()

    pad.route(f"**{address(table, 'score')}", refuse_first)
    pad.get_by_role("radio", name="Bo").check()
    pad.get_by_role("button", name="Lose life").tap()

    expect(pad.locator("#outbox > .problem")).to_contain_text("Give a whole number from 1 to 9999.")


def test_a_tap_that_waits_does_not_take_another_page_away(pad, table):
    pad.context.set_offline(True)
    tap(pad, "Bo", 1)
    pad.context.route("**/hit/", lambda route: route.abort())
    pad.context.set_offline(False)
    pad.goto(address(table, "more", 1))
    reception(pad, "1 waiting")

    pad.context.unroute("**/hit/")

    reception(pad, "Live")
    assert pad.url.endswith(address(table, "more", 1))
    becomes(lambda: damage(table), [(1, 2, 1)])
