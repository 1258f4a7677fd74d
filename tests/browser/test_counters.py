"""Life and poison in a player's row: taps that add up, wait, and count while they wait."""

import random
import re
from io import StringIO

import pytest
from django.core.management import call_command
from playwright.sync_api import Locator, Page, expect

from scoring.models import GameSet
from scoring.rules.formats import RULESETS
from scoring.rules.ruleset import Ruleset
from tests.lengths import long
from tests.scoring.tables import address, events, set_up, the_game

from .hand import Hand, becomes, give_key
from .looks import seat

HOLD = 2_100  # milliseconds: changes of one counter within these are one tap
WAITS = 20_000  # milliseconds; on a busy machine, and after a pause between attempts


@pytest.fixture
def phone(site, page: Page, table) -> Page:
    return take_out(page, site.address, table)


def take_out(page: Page, address_of_site: str, table: GameSet) -> Page:
    give_key(page.context, address_of_site, table)
    page.goto(address(table, "score"))
    expect(page.locator("#net [data-net=live]")).to_be_visible(timeout=WAITS)
    return page


def row(page: Page, name: str) -> Locator:
    return page.locator(".player", has=page.locator("h2", has_text=name))


def change(page: Page, *labels: str) -> None:
    """Tap counters, in rows that are open or not yet."""
    for label in labels:
        key = page.get_by_role("button", name=label, exact=True)
        if not key.is_visible():
            row(page, label.partition(":")[0]).locator("summary").tap()
        key.tap()


def test_the_counters_of_a_row_close_with_the_next_tap_elsewhere(phone):
    keys = phone.get_by_role("button", name="Ann: gain 1 life", exact=True)
    row(phone, "Ann").locator("summary").tap()
    keys.tap()
    stayed = keys.is_visible()
    phone.locator("#to-2").tap()

    expect(keys).to_be_hidden()
    assert stayed
    assert phone.locator(".to :checked").count() == 1, "that tap counts as well"


def test_the_header_stays_with_five_players_and_open_counters(site, page):
    table = seat(5)
    give_key(page.context, site.address, table)
    for height in (568, 667, 852):
        page.set_viewport_size({"width": 393, "height": height})
        page.goto(address(table, "score"))
        row(page, "Ev").locator("summary").tap()

        expect(page.get_by_role("button", name="Ev: gain 1 life", exact=True)).to_be_in_viewport()
        bar = page.locator("#setbar").bounding_box()
        assert (bar["y"], bar["height"] >= 40) == (0, True)
        assert page.evaluate("document.elementFromPoint(200, 20).closest('#setbar') !== null")


def hit(page: Page, target: str, amount: int) -> None:
    page.locator(".to").get_by_role("checkbox", name=target).tap()
    page.locator(f"#n-{amount}").tap()


def life(page: Page, name: str) -> str:
    return row(page, name).locator("[data-total=life]").inner_text()


def shown_to_wait(page: Page, count: int) -> None:
    expect(page.locator("#net b").first).to_have_text(str(count), timeout=WAITS)


def entries(table: GameSet) -> list[dict[str, object]]:
    return [entry for _, entry, _ in events(table)]


def from_whom(page: Page) -> Locator:
    return page.locator(".from input:checked")


def test_undo_and_turn_end_what_was_begun_on_the_pad_and_a_counter_does_not(phone, table):
    hand = Hand(phone)
    hand.button(re.compile("^Turn"))
    expect(from_whom(phone)).to_have_accessible_name("Bo")

    hand.target("Cy")
    change(phone, "Di: lose 1 life")
    expect(phone.locator(".peek li").first).to_have_text("2Di loses 1 life")
    expect(phone.locator(".to input:checked")).to_have_accessible_name("Cy")
    hand.tap(phone.get_by_role("button", name=re.compile("^Undo Di")))
    expect(phone.locator(".peek li").first).to_have_text("1Next turn")
    expect(phone.locator(".to input:checked")).to_have_count(0)
    hand.target("Cy")
    hand.tap(phone.get_by_role("button", name=re.compile("^Undo Next turn")))

    expect(from_whom(phone)).to_have_accessible_name("Ann")
    expect(phone.locator(".to input:checked")).to_have_count(0)


# --- several taps are one event ---
def test_taps_on_one_counter_are_one_event_which_undo_takes_back(phone, table):
    change(phone, "Bo: lose 1 life", "Bo: lose 1 life", "Bo: lose 5 life")
    becomes(lambda: entries(table), [])
    expect(row(phone, "Bo").locator(".signs .late")).to_contain_text("1 waiting")

    expect(phone.locator(".peek li")).to_have_text(["1Bo loses 7 life"])
    becomes(lambda: life(phone, "Bo"), "18")
    phone.get_by_role("button", name=re.compile("^Undo")).tap()

    expect(row(phone, "Bo").locator("[data-total=life]")).to_have_text("25")
    becomes(lambda: [entry["type"] for entry in entries(table)], ["life", "undo"])


def test_undo_withdraws_what_is_not_sent_yet_and_opposite_taps_cancel_out(phone, table):
    change(phone, "Bo: lose 1 life", "Bo: lose 1 life")
    phone.get_by_role("button", name="Undo Bo: lose 2 life").tap()
    expect(row(phone, "Bo").locator("[data-total=life]")).to_have_text("25")
    change(phone, "Bo: lose 3 life", "Bo: gain 3 life")
    expect(row(phone, "Bo").locator(".late")).to_have_count(0)

    change(phone, "Cy: get 1 poison counter")
    expect(phone.locator(".peek li")).to_have_text(["1Cy gets 1 poison counter"])


def test_a_tap_of_something_else_sends_what_is_held(phone, table):
    phone.context.set_offline(True)
    change(
        phone, "Bo: lose 1 life", "Cy: lose 1 life", "Bo: lose 1 life", "Bo: get 1 poison counter"
    )
    shown_to_wait(phone, 4)
    phone.context.set_offline(False)

    expect(phone.locator("#net [data-net=live]")).to_be_visible(timeout=WAITS)
    changes = [{"2": -1}, {"3": -1}, {"2": -1}, {"2": 1}]
    becomes(lambda: [list(entry.values())[1] for entry in entries(table)], changes)


def test_what_is_held_outlives_a_reload_and_goes_out_before_another_page_opens(phone, table):
    change(phone, "Bo: lose 3 life")
    expect(row(phone, "Bo").locator(".late").first).to_be_visible()
    phone.reload()
    expect(phone.locator(".peek li")).to_have_text(["1Bo loses 3 life"])

    change(phone, "Cy: gain 1 life")
    expect(row(phone, "Cy").locator(".late").first).to_be_visible()
    phone.get_by_role("link", name="Log").first.tap()

    expect(phone.get_by_text("Cy gains 1 life")).to_have_count(1)


def test_an_open_row_stays_open_while_the_board_changes(phone, table):
    change(phone, "Bo: lose 1 life")
    expect(phone.locator(".peek li")).to_have_text(["1Bo loses 1 life"])

    key = phone.get_by_role("button", name="Bo: lose 1 life")
    expect(key).to_be_visible()
    row(phone, "Cy").locator("summary").tap()
    expect(key).to_be_hidden()


def test_the_keys_of_the_last_row_are_not_behind_the_pad(phone):
    row(phone, "Di").locator("summary").tap()
    key = phone.get_by_role("button", name="Di: get 1 poison counter")

    expect(key).to_be_in_viewport(ratio=1)
    key.tap(trial=True, timeout=5000)  # nothing is in front of it


# --- without a connection ---
def test_a_whole_game_is_tapped_without_a_connection_and_sent_later(phone, table):
    menu = "async () => Boolean(await caches.match(`${location.pathname}1/more/`))"
    becomes(lambda: phone.evaluate(menu), True)
    phone.context.set_offline(True)
    for target, amount in (("Bo", 10), ("Cy", 9)):
        hit(phone, target, amount)
    change(phone, "Ann: gain 1 life", "Di: get 1 poison counter")
    expect(row(phone, "Ann").locator("[data-total=points]")).to_have_text("19")
    becomes(
        lambda: [life(phone, name) for name in ("Ann", "Bo", "Cy", "Di")], ["26", "15", "16", "25"]
    )
    hand = Hand(phone)
    hand.menu()
    hand.tap(hand.sheet.get_by_role("radio", name="Cy"))
    hand.tap(hand.sheet.get_by_role("button", name="Crown"))
    hand.tap(phone.get_by_role("button", name=re.compile("^Turn to")))
    shown_to_wait(phone, 6)
    phone.get_by_role("radio", name="Ann").tap()
    hit(phone, "Di", 2)
    expect(row(phone, "Ann").locator(".signs .late")).to_contain_text("waits")
    phone.context.set_offline(False)

    expect(phone.get_by_role("heading", name="Ann wins")).to_be_visible(timeout=WAITS)
    kinds = [entry["type"] for entry in entries(table)]
    assert kinds == ["damage", "damage", "life", "poison", "monarch", "turn", "damage"]
    call_command("verify_ledger", stdout=StringIO())


@pytest.mark.parametrize("key", ["coalition-906", "coalition-2026", "leveler"])
@pytest.mark.parametrize("seed", [0, *long(1)])
def test_totals_shown_while_waiting_are_those_after_sending(site, page, key, seed):
    table = set_up(ruleset=RULESETS[key])
    take_out(page, site.address, table)
    page.clock.install()
    chance = random.Random(seed)
    page.context.set_offline(True)
    for count in range(1, 9):
        tap_anything(page, chance, table.rules)
        shown_to_wait(page, count)

    sure = totals(page)
    page.context.set_offline(False)
    expect(page.locator("#net [data-net=live]")).to_be_visible(timeout=WAITS)

    players = the_game(table).current_state.players
    recorded = {str(seat): (player.points, player.life) for seat, player in players.items()}
    assert sure
    assert sure == {seat: recorded[seat] for seat in sure}


def tap_anything(page: Page, chance: random.Random, rules: Ruleset) -> None:
    """Tap a hit, or a change of life or poison, each a tap of its own."""
    name = chance.choice(["Ann", "Bo", "Cy", "Di"])
    if chance.random() < 0.3:
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
    page.locator(f"#n-{chance.randint(1, 3)}").tap()


def totals(page: Page) -> dict[str, tuple[int, int]]:
    """Return the VP and life of each row that is sure of them, by seat."""
    sure = page.locator(".player:not(:has(.signs .late:text('waits')))").all()
    return {
        one.get_attribute("data-seat") or "": (total(one, "points"), total(one, "life"))
        for one in sure
    }


def total(row: Locator, name: str) -> int:
    shown = row.locator(f"[data-total={name}]")
    return int(shown.inner_text()) if shown.count() else 0
