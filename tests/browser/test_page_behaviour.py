"""What the pages do by themselves: awake, buzzing, ticking, and right when two things meet."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from scoring.record import commands
from scoring.rules.formats import COALITION_906, COALITION_README
from scoring.rules.formats.realm_wars import REALM_WARS
from scoring.rules.moves import Draw
from tests.scoring.rules.play import ANN, BO, hit
from tests.scoring.tables import address, record, the_game

from .hand import Hand, becomes, board, damage, give_key, keep_score, kinds, last_event, tap
from .looks import seat
from .looks_of_formats import begun

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)

# Stand-ins for what a phone has: a lock that browsers take away, and a motor.
PHONE = """
window.locks = [];
window.buzzes = [];
Object.defineProperty(navigator, "wakeLock", { value: { request: async () => {
  const lock = { released: false, release: async () => { lock.released = true; } };
  window.locks.push(lock);
  return lock;
} } });
navigator.vibrate = (pattern) => window.buzzes.push(pattern);
"""
# The browser takes the lock with every dialog, and when the page is left.
TAKE_LOCKS = "() => window.locks.forEach((lock) => { lock.released = true; })"
HELD = "window.locks.filter((lock) => !lock.released).length"
LOCKS = f"[{HELD}, window.locks.length]"


@pytest.fixture(autouse=True)
def _phone(page: Page) -> None:
    page.add_init_script(PHONE)


def test_the_bar_has_room_for_the_name_of_the_active_player(page: Page, site):
    keep_score(page, site, begun(COALITION_906, ["Dmitri", "Bo"]))

    name = page.locator(".setbar .grow")
    expect(name).to_contain_text("Dmitri")
    for width in (360, 393, 412, 430):
        page.set_viewport_size({"width": width, "height": 800})
        assert not name.evaluate("(one) => one.scrollWidth > one.clientWidth")


# --- awake ---
def test_screen_is_kept_awake_by_one_lock_after_coming_back_and_after_an_answered_tap(pad):
    becomes(lambda: pad.evaluate(HELD), 1)
    pad.evaluate(TAKE_LOCKS)
    pad.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    becomes(lambda: pad.evaluate(LOCKS), [1, 2])
    pad.locator("#to-2").check()

    pad.evaluate(TAKE_LOCKS)
    pad.locator("#n-7").press("Enter")

    becomes(lambda: pad.evaluate(LOCKS), [1, 3])
    becomes(lambda: last_event(pad), "1 Ann hits Bo for 7, combat")
    pad.evaluate(TAKE_LOCKS)

    # Two occasions that meet ask for one: a lock that was forgotten would be kept for good.
    pad.evaluate("() => ['pageshow', 'focus'].forEach((name) => dispatchEvent(new Event(name)))")
    becomes(lambda: pad.evaluate(LOCKS), [1, 4])


def test_start_and_undo_stay_in_sight_between_games_on_low_screens(pad, table):
    record(table, hit(ANN, BO, 21))
    pad.reload()

    for width, height in ((393, 660), (375, 553), (667, 375)):
        pad.set_viewport_size({"width": width, "height": height})
        for name in ("Start game 2", "Undo"):
            expect(pad.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
        podium = pad.locator(".podium")
        assert podium.evaluate("(one) => one.scrollHeight - one.clientHeight") == 0, "it is whole"


def test_the_page_of_an_event_keeps_each_shield_in_line_with_its_name(pad, table):
    record(table, hit(ANN, BO, 4))
    pad.goto(address(table, "line", 1, 1))

    for width in range(320, 440, 15):
        pad.set_viewport_size({"width": width, "height": 852})
        for who in pad.locator("h1 .who").all():
            shield, name = (who.locator(part).bounding_box() for part in ("svg", "bdi"))
            assert shield["y"] < name["y"] + name["height"] / 2 < shield["y"] + shield["height"]


# --- the hand is answered ---
def test_a_recorded_tap_is_felt_and_told_and_a_refused_one_is_not(pad):
    """Readers tell changes inside a region that they know; one put in its place stays silent."""
    region = pad.locator("#said").element_handle()
    pad.get_by_role("button", name="Hit for 7", exact=True).tap()
    expect(pad.get_by_role("alert").filter(has_text="To whom?")).to_be_visible()
    becomes(lambda: pad.evaluate("window.buzzes"), [])

    hand = Hand(pad)
    hand.target("Bo")
    hand.number(7)

    becomes(lambda: pad.evaluate("window.buzzes"), [12])
    told = "Ann hits Bo for 7, combat. +7 VP Ann. Bo 18 life"
    expect(pad.locator("#said")).to_have_text(told)
    becomes(lambda: region.text_content(), told)


# --- clocks ---
def test_game_and_set_have_clocks_and_the_set_has_notes_that_can_be_put_away(page, site):
    table = seat(3, ruleset=COALITION_README, first=None)
    commands.start_game(table, 1, first=ANN, at=NOON - timedelta(minutes=99))
    record(table, Draw())
    commands.start_game(table, 2, first=ANN, at=NOON - timedelta(minutes=59))
    page.clock.install(time=NOON)
    keep_score(page, site, table)
    page.clock.pause_at(NOON + timedelta(seconds=30))
    first, second = (page.locator(f"[data-minute='{minute}']") for minute in (100, 120))
    clock = page.locator(".setbar time").first
    expect(page.locator("#set-clock")).to_have_text(re.compile(r"Set\s+1:39"))
    expect(first).to_be_hidden()
    page.clock.run_for(1000)
    expect(clock).to_have_text("59:31")

    page.clock.run_for(29_000)
    expect(clock).to_have_text("1:00:00")
    expect(page.locator("#set-clock")).to_have_text(re.compile(r"Set\s+1:40"))
    expect(first).to_be_visible()
    page.clock.resume()
    Hand(page).button(re.compile("^Turn"))
    expect(first).to_be_visible()
    expect(page.locator("#set-clock")).to_have_text(re.compile(r"Set\s+1:40"))

    first.get_by_role("button", name="Put away").tap()
    page.reload()
    expect(page.locator("#set-clock")).to_have_text(re.compile(r"Set\s+1:40"))
    page.clock.run_for(1000)
    expect(first).to_be_hidden()

    page.clock.run_for(20 * 60_000)
    expect(first).to_be_hidden()
    expect(second).to_be_visible()
    note, pad = second.bounding_box(), page.locator("#pad").bounding_box()
    assert note
    assert pad
    assert note["y"] + note["height"] <= pad["y"]


# --- the end of a game ---
# What was set in motion, however long ago.
NOTE_MOTION = """(() => {
  window.moved = [];
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...how) {
    window.moved.push(this.tagName);
    return animate.apply(this, how);
  };
})()"""
MOVED = "() => window.moved"
RUNNING = "() => document.getAnimations().map(({ effect }) => effect.target.tagName).sort()"


def test_the_winning_hit_runs_the_bar_up_unrolls_the_banner_once_and_lets_the_screen_sleep(
    pad, table
):
    becomes(lambda: pad.evaluate(HELD), 1)
    record(table, hit(ANN, BO, 15))
    expect(pad.locator(".player .vp b").first).to_have_text("15 VP")
    pad.add_init_script(NOTE_MOTION)
    pad.evaluate(NOTE_MOTION)
    tap(pad, "Cy", 6)

    becomes(lambda: pad.evaluate(MOVED), ["DIV", "PROGRESS"])
    expect(pad.get_by_role("progressbar", name="Ann: 21 VP of 21")).to_have_count(1)
    assert [40, 60, 120] in pad.evaluate("() => window.buzzes")
    becomes(lambda: pad.evaluate(HELD), 0)
    pad.reload()
    pad.wait_for_load_state("networkidle")
    becomes(lambda: pad.evaluate(MOVED), [])


def test_where_less_motion_is_wanted_the_end_of_a_game_is_still(new_context, site, table):
    page = new_context(reduced_motion="reduce").new_page()
    page.add_init_script(PHONE)
    keep_score(page, site, table)
    page.locator("#sheet").wait_for(state="attached")
    record(table, hit(ANN, BO, 21))

    expect(page.get_by_role("heading", name="Ann wins")).to_be_visible()
    becomes(lambda: page.evaluate(RUNNING), [])
    assert [40, 60, 120] not in page.evaluate("() => window.buzzes")


# --- the timer of a break ---
# A stand-in for the sound: each tone is noted instead of heard.
SOUND = """
window.tones = 0;
OscillatorNode.prototype.start = () => { window.tones += 1; };
OscillatorNode.prototype.stop = () => {};
"""


@pytest.fixture
def over(pad, table) -> Page:
    """The page between the first two games, its clock stopped at noon."""
    record(table, hit(ANN, BO, 21))
    pad.add_init_script(SOUND)
    pad.clock.install(time=NOON)
    pad.goto(address(table, "score"))
    pad.clock.pause_at(NOON + timedelta(minutes=1))
    return pad


def test_the_timer_of_a_break_runs_down_through_a_reload_and_rings(over):
    timer = over.locator("[role=timer]")
    over.get_by_role("button", name="3 min").tap()
    expect(timer).to_have_text("3:00")
    over.clock.run_for(61_000)
    expect(timer).to_have_text("1:59")
    over.reload()
    expect(timer).to_have_text("1:59")
    becomes(lambda: over.evaluate("[window.buzzes, window.tones]"), [[], 0])

    timer.tap()  # browsers allow sound after a tap only
    over.clock.run_for(120_000)

    expect(timer).to_have_text("Time is up")
    expect(over.locator("#said")).to_have_text("Time is up. The next game can start.")
    becomes(
        lambda: over.evaluate("[window.buzzes, window.tones]"), [[[300, 150, 300, 150, 300]], 3]
    )
    over.reload()
    expect(timer).to_have_text("Time is up")
    becomes(lambda: over.evaluate("[window.buzzes, window.tones]"), [[], 0])


def test_the_timer_keeps_the_screen_awake_until_it_is_stopped(over):
    three, stop = over.get_by_role("button", name="3 min"), over.get_by_role("button", name="Stop")
    expect(stop).to_be_hidden()
    three.tap()
    becomes(lambda: over.evaluate(HELD), 1)

    stop.tap()

    expect(over.locator("[role=timer]")).to_have_text("")
    expect(over.locator("#said")).to_have_text("The timer is stopped")
    expect(three).to_be_focused()
    becomes(lambda: over.evaluate(HELD), 0)
    over.clock.run_for(200_000)
    becomes(lambda: over.evaluate("[window.buzzes, window.tones]"), [[], 0])

    # It is silent where its sound was put out.
    expect(over.get_by_label("Sound")).to_be_checked()  # else there is nothing to put out yet
    over.get_by_label("Sound").uncheck()
    over.reload()
    expect(over.get_by_label("Sound")).not_to_be_checked()
    three.tap()
    over.clock.run_for(180_000)
    expect(over.locator("[role=timer]")).to_have_text("Time is up")
    becomes(lambda: over.evaluate("[window.buzzes.length, window.tones]"), [1, 0])


def test_a_timer_is_of_one_break_of_one_table(over, site, table):
    """Neither the break after the next game shows it, nor another table on the same phone."""
    timer = over.locator("[role=timer]")
    over.get_by_role("button", name="10 min").tap()
    expect(timer).to_have_text("10:00")
    other = seat(3)
    give_key(over, site, other)
    record(other, hit(ANN, BO, 21))
    commands.start_game(table, 2, first=ANN)
    record(table, hit(ANN, BO, 21), game=2)

    for break_of in (other, table):
        over.goto(address(break_of, "score"))
        expect(over.get_by_role("button", name="10 min")).to_be_visible()
        expect(timer).to_have_text("")


# --- links are given away ---
SHARING = """
window.shared = [];
navigator.share = async (what) => { window.shared.push(what); throw new Error("put away"); };
"""


def test_a_link_goes_to_the_share_sheet_of_the_phone_or_is_copied_without_one(pad, table):
    pad.add_init_script(SHARING)
    pad.goto(address(table, "links"))

    pad.get_by_role("button", name="Share").first.tap()

    shared = {"title": "Watch the table", "url": pad.get_by_label("Public link").input_value()}
    becomes(lambda: pad.evaluate("window.shared"), [shared])

    pad.add_init_script("navigator.share = undefined")
    pad.context.grant_permissions(["clipboard-read", "clipboard-write"])
    pad.reload()
    pad.get_by_role("button", name="Copy").first.tap()
    expect(pad.get_by_role("button", name="Copied")).to_be_visible()
    expect(pad.get_by_role("button", name="Share")).to_have_count(0)
    copied = pad.evaluate("navigator.clipboard.readText()")
    assert copied == pad.get_by_label("Public link").input_value()


def test_a_qr_code_fills_the_screen_awake_and_on_white_in_the_dark(pad, table):
    pad.emulate_media(color_scheme="dark")
    pad.goto(address(table, "qr"))

    becomes(lambda: pad.evaluate(HELD), 1)
    expect(pad.get_by_role("main")).to_have_css("background-color", "rgb(255, 255, 255)")
    for width, height in ((320, 568), (393, 852), (852, 393), (1280, 800)):
        pad.set_viewport_size({"width": width, "height": height})
        box = pad.locator(".qr").bounding_box()
        room = min(width, height - (200 if height > width else 0))
        assert box["width"] == box["height"] >= 0.9 * room
        assert box["y"] + box["height"] <= height


# --- a tap counts once ---
TREMBLES = "() => { Math.hypot = (x, y) => Math.sqrt(x * x + y * y); }"  # see STEADY


@pytest.mark.parametrize("java_script_enabled", [True, False], ids=["in place", "plain"])
def test_a_double_tap_counts_once_while_the_answer_is_under_way(
    new_context, site, table, java_script_enabled
):
    """Without JavaScript the browser sends both taps, and shows the second answer."""
    page = new_context(java_script_enabled=java_script_enabled).new_page()
    keep_score(page, site, table)
    page.get_by_role("checkbox", name="Bo").tap()
    key = page.get_by_role("button", name="Hit for 7", exact=True)
    slow = {"offline": False, "latency": 500, "downloadThroughput": -1, "uploadThroughput": -1}
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slow)

    page.evaluate(TREMBLES)
    place = place_of(key)
    page.touchscreen.tap(*place)
    page.touchscreen.tap(*place)

    expect(page.locator(".player .vp b").first).to_have_text("7 VP")
    becomes(lambda: damage(table), [(1, 2, 7)])


def test_a_double_tap_counts_once_though_the_first_was_answered_in_between(pad, table):
    """On a quick server the answer stands there before the finger comes down again."""
    pad.evaluate(TREMBLES)
    pad.clock.set_fixed_time(NOON)  # no slow machine makes two taps of it
    pad.get_by_role("checkbox", name="Bo").tap()
    place = place_of(pad.get_by_role("button", name="Hit for 7", exact=True))

    with pad.expect_response("**/hit/"):
        pad.touchscreen.tap(*place)
    pad.locator(".delta").first.wait_for()
    pad.touchscreen.tap(*place)

    expect(pad.get_by_role("region", name="Last events").get_by_role("listitem")).to_have_count(1)
    pad.clock.set_fixed_time(NOON + timedelta(milliseconds=350))
    pad.touchscreen.tap(*place)
    pad.get_by_role("button", name="Hit for 3", exact=True).press("Enter")
    becomes(lambda: damage(table), [(1, 2, 7), (1, 2, 7), (1, 2, 3)])


def test_another_key_right_after_a_tap_is_meant(pad, table):
    pad.evaluate(TREMBLES)
    pad.clock.set_fixed_time(NOON)
    pad.get_by_role("checkbox", name="Bo").tap()
    seven = place_of(pad.get_by_role("button", name="Hit for 7", exact=True))
    turn = place_of(pad.locator("#turn"))
    pad.touchscreen.tap(*seven)
    pad.touchscreen.tap(*turn)

    expect(pad.locator(".setbar .grow")).to_contain_text("Bo is active")
    expect(pad.locator("#acts")).to_have_attribute("data-seen", re.compile("^2"))  # as recorded
    assert kinds(table) == ["damage", "turn"]


def place_of(key: Locator) -> tuple[float, float]:
    """Return the middle of a key, for a finger that waits for nothing."""
    box = key.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


# --- the pad under the finger ---
IS_THE_SAME = "document.getElementById('pad') === window.pad"
PRESSED = "[...document.querySelectorAll('#pad :checked')].map(({ id }) => id)"


def mark(pad: Page) -> None:
    """Note the pad that the page shows, to see whether it stays."""
    pad.evaluate("() => { window.pad = document.getElementById('pad'); }")


def test_the_pad_stays_through_hits_with_its_keys_released(pad, table):
    pad.wait_for_load_state("networkidle")
    mark(pad)
    hand = Hand(pad)
    hand.target("Bo")
    with pad.expect_response(lambda answer: "pad=" in answer.url) as answered:
        hand.number(3)
    assert answered.value.status == 304, "it has the board that its hit was answered with"
    for name, amount in (("Cy", 2), ("Cy", 1)):
        hand.target(name)
        hand.number(amount)
        becomes(lambda: pad.evaluate(PRESSED), ["from-1", "kind-combat"])
    hand.number(4)  # whom the ring marks
    hand.kind("Other")
    hand.target("Bo", "Di")
    hand.typed(11)

    assert pad.evaluate(IS_THE_SAME)
    becomes(lambda: pad.evaluate(PRESSED), ["from-1", "kind-combat"])
    expect(pad.get_by_label("A larger number")).to_have_value("")
    becomes(
        lambda: damage(table), [(1, 2, 3), (1, 3, 2), (1, 3, 1), (1, 3, 4), (1, 2, 11), (1, 4, 11)]
    )
    assert last_event(pad).startswith("5 Ann hits")
    becomes(lambda: board(pad), {"Ann": (10, 25), "Bo": (0, 11), "Cy": (0, 18), "Di": (0, 14)})


def test_after_a_refusal_was_put_right_the_keys_are_released(pad, table):
    hand, typed = Hand(pad), pad.get_by_label("A larger number")
    hand.target("Bo")
    hand.kind("Hero")
    hand.tap(typed)
    pad.keyboard.type("99999")  # nothing is cut
    pad.keyboard.press("Enter")
    wrong = "The damage must be a whole number from 1 to 9999."
    refusal = pad.get_by_role("alert").filter(has_text=wrong)
    expect(refusal).to_be_visible()
    becomes(lambda: pad.evaluate(PRESSED), ["from-1", "to-2", "kind-hero"])
    assert kinds(table) == []

    pad.context.set_offline(True)
    typed.fill("14")
    pad.keyboard.press("Enter")

    expect(refusal).to_have_count(0)
    expect(typed).to_have_value("")
    becomes(lambda: pad.evaluate(PRESSED), ["from-1", "kind-combat"])
    pad.context.set_offline(False)
    becomes(lambda: damage(table), [(1, 2, 14)])


def test_what_was_begun_stays_when_the_answer_to_the_hit_before_comes(pad, table):
    late: list[Route] = []
    pad.context.route("**/hit/", lambda route: late.append(route))
    Hand(pad).target("Bo")
    with pad.expect_request("**/hit/"):
        pad.get_by_role("button", name="Hit for 7", exact=True).tap()
    pad.get_by_role("checkbox", name="Cy").tap()
    mark(pad)

    late[0].continue_()

    expect(pad.locator(".player .vp b").first).to_have_text("7 VP")
    assert pad.evaluate(IS_THE_SAME)
    becomes(lambda: pad.evaluate(PRESSED), ["from-1", "to-3", "kind-combat"])

    pad.get_by_label("A larger number").fill("99999")
    with pad.expect_request("**/hit/"):
        pad.keyboard.press("Enter")
    pad.get_by_role("checkbox", name="Di").tap()
    late[1].continue_()

    expect(pad.locator("#outbox > .problem")).to_contain_text("from 1 to 9999")
    becomes(lambda: pad.evaluate(PRESSED), ["from-1", "to-4", "kind-combat"])


@pytest.mark.parametrize("table", [REALM_WARS], indirect=True)
def test_a_number_that_was_refused_is_gone_after_the_next_in_realm_wars_too(pad):
    number = pad.get_by_label("A larger number")
    for choice in ("Cy", "Quest"):
        pad.locator("#pad").get_by_role("radio", name=choice).tap()
    number.fill("99999")
    pad.keyboard.press("Enter")
    expect(pad.locator("#pad[data-stamp$='.typed']")).to_be_attached()
    pad.context.set_offline(True)
    number.fill("4")
    pad.keyboard.press("Enter")

    expect(number).to_have_value("")


@contextmanager
def nothing_to_keep_taps(pad: Page) -> Iterator[None]:
    """Open the page again; what can keep its taps comes at the end."""
    late: list[Route] = []
    pad.context.route("**/js/outbox.js", lambda route: late.append(route))
    pad.reload()
    yield
    becomes(lambda: bool(pad.title() and late), True)
    for route in late:
        route.continue_()


def test_taps_before_anything_can_keep_them_mean_what_was_chosen_at_each(pad, table):
    """Also whom the ring was on, where nobody was chosen."""
    tap(pad, "Di", 1)
    becomes(lambda: damage(table), [(1, 4, 1)])
    with nothing_to_keep_taps(pad):
        tap(pad, "Bo", 7)
        pad.get_by_role("button", name="Hit for 5", exact=True).tap()
        tap(pad, "Cy", 3)

    becomes(lambda: damage(table), [(1, 4, 1), (1, 2, 7), (1, 4, 5), (1, 3, 3)])


def test_a_hit_is_collected_before_anything_can_keep_taps(pad):
    with nothing_to_keep_taps(pad):
        pad.get_by_role("checkbox", name="Add").tap()
        tap(pad, "Bo", 3)
        expect(pad.locator(".tray li")).to_have_count(1)
        tap(pad, "Cy", 2)

    expect(pad.locator(".tray li")).to_have_count(2)


def test_the_focus_is_where_the_sheet_was_opened_once_a_tap_on_it_is_recorded(pad, table):
    more = pad.get_by_role("main").get_by_role("link", name=re.compile("^More"))
    hand = Hand(pad)
    hand.menu()
    life = hand.sheet.get_by_role("group", name=re.compile("^Life"))
    life.get_by_role("button", name="+5").press("Enter")
    becomes(lambda: pad.evaluate("() => document.querySelector('#acts .undo')?.disabled"), None)

    expect(pad.locator("#log, .peek").first).to_contain_text("5 life")
    expect(more).to_be_focused()


def test_a_tap_on_a_sheet_waits_there_for_what_keeps_it(pad, table):
    hand = Hand(pad)
    with nothing_to_keep_taps(pad):
        hand.menu()
        hand.tap(hand.sheet.get_by_role("radio", name="Cy"))
        hand.tap(
            hand.sheet.get_by_role("group", name=re.compile("^Life")).get_by_role(
                "button", name="+5"
            )
        )

    expect(hand.sheet).to_be_hidden()
    becomes(lambda: kinds(table), ["life"])


# --- no answer ---
def test_what_is_not_kept_on_the_phone_is_told_when_it_gets_no_answer(pad, table):
    """A hit that is collected for an event of several is not a tap yet."""
    before = board(pad)
    pad.context.set_offline(True)
    pad.get_by_role("checkbox", name="Bo").tap()
    pad.get_by_role("checkbox", name="Add").tap()
    pad.get_by_role("button", name="Hit for 7", exact=True).tap()

    expect(pad.locator("#lost")).to_contain_text("No answer")
    expect(pad.get_by_role("checkbox", name="Bo")).to_be_checked()
    becomes(lambda: board(pad), before)

    pad.context.set_offline(False)
    Hand(pad).number(7)

    expect(pad.locator("#lost")).to_be_hidden()
    assert the_game(table).length == 0


# --- the visitor's own ---
def test_chosen_colours_stay_on_every_page_and_another_day(pad, table):
    another_day = pad.context.new_page()
    for device, choice, ground in (
        ("dark", "Light", "rgb(236, 229, 214)"),
        ("light", "Dark", "rgb(14, 20, 22)"),
    ):
        pad.emulate_media(color_scheme=device)
        another_day.emulate_media(color_scheme=device)
        pad.goto("/start/")
        pad.get_by_label("Colours").select_option(choice)
        pad.get_by_role("button", name="Choose", exact=True).tap()

        expect(pad).to_have_url(re.compile("/start/$"))
        expect(pad.locator("body")).to_have_css("background-color", ground)
        for path in ("/", address(table, "score"), address(table, "log")):
            another_day.goto(path)
            expect(another_day.locator("body")).to_have_css("background-color", ground)
        expect(another_day.get_by_label("Colours")).to_have_value(choice.lower())


def test_times_are_the_visitors_own(browser, browser_context_args, table):
    zone = "America/New_York"
    at = datetime(2026, 1, 15, 20, 30, tzinfo=UTC)
    commands.record(table, 1, hit(ANN, BO, 3), at=at)
    page = browser.new_context(**browser_context_args | {"timezone_id": zone}).new_page()
    page.goto("/")  # where the browser tells its zone

    page.goto(address(table, "log"))

    time = page.locator(".log time")
    expect(time).to_have_text("15:30")
    expect(time).to_have_attribute("datetime", re.compile("^2026-01-1[56]T"))
    stated = time.get_attribute("datetime")
    assert stated is not None
    assert datetime.fromisoformat(stated) == at
    expect(page.get_by_text("Times in")).to_have_text(f"Times in {zone}.")
