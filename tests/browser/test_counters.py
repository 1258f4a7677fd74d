"""Life and poison in a player's row: taps that add up, wait, and count while they wait."""

import random
import re
from io import StringIO

import pytest
from django.core.management import call_command
from playwright.sync_api import Locator, Page, expect

from scoring.record import commands
from scoring.rules.formats import RULESETS
from scoring.rules.moves import CrownMonarch, Draw
from scoring.rules.ruleset import Ruleset
from tests.lengths import long
from tests.scoring.rules.play import ANN, BO, hit
from tests.scoring.tables import record, set_up, the_game

from .hand import Hand, becomes, entries, keep_score, kinds, reception, tap
from .looks import seat

WAITING = re.compile(r"\d+\s+waiting")
HOLD = 2_100  # milliseconds: changes of one counter within these are one tap


def row(page: Page, name: str) -> Locator:
    return page.locator(".player", has=page.locator("h2", has_text=name))


def change(page: Page, *labels: str) -> None:
    """Tap counters, in rows that are open or not yet."""
    for label in labels:
        key = page.get_by_role("button", name=label, exact=True)
        if not key.is_visible():
            row(page, label.partition(":")[0]).locator("summary").tap()
        key.tap()


def test_the_counters_of_a_row_stay_while_the_board_changes_and_close_with_a_tap_elsewhere(pad):
    change(pad, "Bo: lose 1 life")
    expect(pad.locator(".peek li")).to_have_text(["1Bo loses 1 life"])
    key = pad.get_by_role("button", name="Bo: lose 1 life")
    expect(key).to_be_visible()
    row(pad, "Cy").locator("summary").tap()
    expect(key).to_be_hidden()
    key = pad.get_by_role("button", name="Cy: lose 1 life")
    expect(key).to_be_visible()
    pad.locator("#to-2").tap()

    expect(key).to_be_hidden()
    assert pad.locator(".to :checked").count() == 1, "that tap counts as well"


def test_header_and_open_counters_of_the_last_row_are_in_sight_with_five_players(site, page):
    keep_score(page, site, seat(5))
    for height in (568, 667, 852):
        page.set_viewport_size({"width": 393, "height": height})
        page.reload()
        row(page, "Ev").locator("summary").tap()

        key = page.get_by_role("button", name="Ev: get 1 poison counter")
        expect(key).to_be_in_viewport(ratio=1)
        key.tap(trial=True, timeout=5000)  # nothing is in front of it
        bar = page.locator("#setbar").bounding_box()
        assert (bar["y"], bar["height"] >= 40) == (0, True)
        assert page.evaluate("document.elementFromPoint(200, 20).closest('#setbar') !== null")


def life(page: Page, name: str) -> str:
    return row(page, name).locator("[data-total=life]").inner_text()


def test_undo_and_turn_end_what_was_begun_on_the_pad_and_a_counter_does_not(pad, table):
    hand, source = Hand(pad), pad.locator(".from input:checked")
    hand.button(re.compile("^Turn"))
    expect(source).to_have_accessible_name("Bo")

    hand.target("Cy")
    change(pad, "Di: lose 1 life")
    expect(pad.locator(".peek li").first).to_have_text("2Di loses 1 life")
    expect(pad.locator(".to input:checked")).to_have_accessible_name("Cy")
    hand.tap(pad.get_by_role("button", name=re.compile("^Undo Di")))
    expect(pad.locator(".peek li").first).to_have_text("1Next turn")
    expect(pad.locator(".to input:checked")).to_have_count(0)
    hand.target("Cy")
    hand.tap(pad.get_by_role("button", name=re.compile("^Undo Next turn")))

    expect(source).to_have_accessible_name("Ann")
    expect(pad.locator(".to input:checked")).to_have_count(0)


# --- several taps are one event ---
def test_taps_on_one_counter_are_one_event_which_undo_takes_back(pad, table):
    change(pad, "Bo: lose 1 life", "Bo: lose 1 life", "Bo: lose 5 life")
    becomes(lambda: entries(table), [])
    expect(row(pad, "Bo").locator(".signs .late")).to_contain_text("1 waiting")

    expect(pad.locator(".peek li")).to_have_text(["1Bo loses 7 life"])
    becomes(lambda: life(pad, "Bo"), "18")
    pad.get_by_role("button", name=re.compile("^Undo")).tap()

    expect(row(pad, "Bo").locator("[data-total=life]")).to_have_text("25")
    becomes(lambda: kinds(table), ["life", "undo"])


def test_undo_withdraws_what_is_not_sent_yet_and_opposite_taps_cancel_out(pad, table):
    change(pad, "Bo: lose 1 life", "Bo: lose 1 life")
    pad.get_by_role("button", name="Undo Bo: lose 2 life").tap()
    expect(row(pad, "Bo").locator("[data-total=life]")).to_have_text("25")
    change(pad, "Bo: lose 3 life", "Bo: gain 3 life")
    expect(row(pad, "Bo").locator(".late")).to_have_count(0)

    change(pad, "Cy: get 1 poison counter")
    expect(pad.locator(".peek li")).to_have_text(["1Cy gets 1 poison counter"])


def test_a_tap_of_something_else_sends_what_is_held(pad, table):
    pad.context.set_offline(True)
    change(pad, "Bo: lose 1 life", "Cy: lose 1 life", "Bo: lose 1 life", "Bo: get 1 poison counter")
    reception(pad, "4 waiting")
    pad.context.set_offline(False)

    reception(pad, "Live")
    changes = [{"2": -1}, {"3": -1}, {"2": -1}, {"2": 1}]
    becomes(lambda: [list(entry.values())[1] for entry in entries(table)], changes)


def test_what_is_held_outlives_a_reload_and_goes_out_before_another_page_opens(pad, table):
    change(pad, "Bo: lose 3 life")
    expect(row(pad, "Bo").locator(".late").first).to_be_visible()
    pad.reload()
    expect(pad.locator(".peek li")).to_have_text(["1Bo loses 3 life"])

    change(pad, "Cy: gain 1 life")
    expect(row(pad, "Cy").locator(".late").first).to_be_visible()
    pad.get_by_role("link", name="Log").first.tap()

    expect(pad.get_by_text("Cy gains 1 life")).to_have_count(1)


# --- without a connection ---
def test_a_whole_game_is_tapped_without_a_connection_and_sent_later(pad, table):
    menu = "async () => Boolean(await caches.match(`${location.pathname}1/more/`))"
    becomes(lambda: pad.evaluate(menu), True)
    pad.context.set_offline(True)
    for target, amount in (("Bo", 10), ("Cy", 9)):
        tap(pad, target, amount)
    change(pad, "Ann: gain 1 life", "Di: get 1 poison counter")
    expect(row(pad, "Ann").locator("[data-total=points]")).to_have_text("19")
    becomes(
        lambda: [life(pad, name) for name in ("Ann", "Bo", "Cy", "Di")], ["26", "15", "16", "25"]
    )
    hand = Hand(pad)
    hand.menu()
    hand.tap(hand.sheet.get_by_role("radio", name="Cy"))
    hand.tap(hand.sheet.get_by_role("button", name="Crown"))
    expect(pad.get_by_role("heading", name=re.compile("^Cy ?, monarch$"))).to_be_visible()
    hand.menu()
    hand.tap(hand.sheet.get_by_role("radio", name="Ann"))
    hand.tap(hand.sheet.get_by_role("button", name="Hand", exact=True))
    expect(row(pad, "Ann").locator(".signs")).to_contain_text("Hand")
    hand.tap(pad.get_by_role("button", name=re.compile("^Turn to")))
    reception(pad, "7 waiting")
    pad.get_by_role("radio", name="Ann").tap()
    tap(pad, "Di", 2)
    expect(row(pad, "Ann").locator(".signs .late")).to_contain_text("waits")
    pad.context.set_offline(False)

    expect(pad.get_by_role("heading", name="Ann wins")).to_be_visible()
    assert kinds(table) == "damage damage life poison monarch hero turn damage".split()
    call_command("verify_ledger", stdout=StringIO())


@pytest.mark.parametrize("key", ["coalition-906", "coalition-2026", "leveler"])
@pytest.mark.parametrize("seed", [0, 1, *long(*range(2, 67))])
def test_what_is_shown_while_taps_wait_is_what_is_after_sending(site, page, key, seed):
    """In odd games hits are hard, to the end; in even ones the connection fails again and again."""
    table = set_up(ruleset=RULESETS[key])
    record(table, CrownMonarch(BO))
    keep_score(page, site, table)
    reception(page, "Live")
    page.clock.install()
    chance = random.Random(seed)
    page.context.set_offline(True)
    for _ in range(12):
        tap_anything(page, chance, table.rules, (4, 9) if seed % 2 else (1, 2))
        reception(page, WAITING)
        if seed % 2 == 0 and chance.random() < 0.3:
            waiting = page.locator("#net").inner_text()
            page.context.set_offline(False)
            expect(page.locator("#net")).not_to_have_text(waiting, use_inner_text=True)
            page.context.set_offline(True)
    tap(page, "Di", 3)
    expect(page.locator("#outbox > li").last).to_contain_text("Di 3")

    sure, turn = totals(page), page.locator(".player.turn").get_attribute("data-seat")
    crowned = page.locator(".player:has(h2 .crown)").evaluate_all(SEATS)
    page.context.set_offline(False)
    reception(page, "Live")

    state = the_game(table).current_state
    recorded = {str(seat): [one.points, one.life] for seat, one in state.players.items()}
    assert sure == {seat: recorded[seat] for seat in sure}
    monarch = [str(state.monarch)] if state.monarch else []
    assert len(sure) < len(recorded) or (turn, crowned) == (str(state.active), monarch)
    call_command("verify_ledger", stdout=StringIO())


def tap_anything(page: Page, chance: random.Random, rules: Ruleset, hard: tuple[int, int]) -> None:
    """Tap a hit, a change of life or poison, or the turn, each a tap of its own."""
    name = chance.choice(["Ann", "Bo", "Cy", "Di"])
    what = chance.random()
    if what < 0.1:
        page.locator("#turn").tap()
        return
    if what < 0.3:
        what = chance.choice(["lose 3 life", "gain 5 life", "get 1 poison counter"])
        change(page, f"{name}: {what}")
        page.clock.fast_forward(HOLD)  # otherwise the next one may be added to it
        return
    page.locator(".from").get_by_role("radio", name=chance.choice(["Ann", "Bo", "Cy"])).tap()
    kind = chance.choice(rules.kinds)
    page.locator(f".key:has(#kind-{kind.value})").tap()
    if chance.random() < 0.3:
        page.locator(".key:has(#signs)").tap()
        page.locator(f".key:has([name={chance.choice(['infect', 'lifelink'])}])").tap()
    page.locator(
        ".key:has(#to-each)" if chance.random() < 0.2 else f".to .key:has-text('{name}')"
    ).tap()
    page.locator(f"#n-{chance.randint(*hard)}").tap()


SEATS = "(rows) => rows.map((row) => row.dataset.seat)"
SHOWN = """(rows) => rows.map((row) => [row.dataset.seat, ["points", "life"].map((name) =>
  Number(row.querySelector(`[data-total=${name}]`)?.innerText ?? 0))])"""


def totals(page: Page) -> dict[str, list[int]]:
    """Return the VP and life of each row that is sure of them, by seat."""
    sure = page.locator(".player:not(:has(.signs .late:text('waits')))")
    return dict(sure.evaluate_all(SHOWN))


def test_a_tap_that_waits_counts_for_the_standing_of_the_set_as_well(pad, table):
    record(table, hit(ANN, BO, 5), Draw())
    commands.start_game(table, 2, first=BO)
    pad.reload()
    reception(pad, "Live")
    pad.context.set_offline(True)

    pad.locator(".from").get_by_role("radio", name="Bo").tap()
    tap(pad, "Cy", 7)

    reception(pad, "1 waiting")
    shown = [f"Rank {rank}. Set {points}" for rank, points in ((2, 5), (1, 7), (3, 0), (3, 0))]
    expect(pad.locator(".player .earlier")).to_have_text(shown)
