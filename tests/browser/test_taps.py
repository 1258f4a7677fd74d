"""How many taps things take at the table, and the pad's keys on a keyboard."""

import re
from datetime import date

import pytest
from playwright.sync_api import Page, expect

from scoring.models import GameSet
from scoring.rules.moves import Draw
from tests.decks.faults import bring_pool
from tests.scoring.grouped import play
from tests.scoring.rules.play import ANN, BO, hit
from tests.scoring.tables import address, record

from .checks import DESK, DESKTOP, complaints
from .hand import Hand, give_key, keep_score
from .looks import TWO_HITS, seat

FOUR = ["Ada", "Bruno", "Cleo", "Dov"]


@pytest.fixture
def played(page: Page, site) -> GameSet:
    table = play(None, date(2026, 3, 6), dict.fromkeys(FOUR, (1, 2, 3)))
    give_key(page, site, table)
    return table


def seated(page: Page) -> list[str]:
    page.wait_for_url(re.compile("/score/$"))
    expect(page.get_by_role("group", name="From")).to_be_visible()
    return list(GameSet.objects.latest("pk").names.values())


def test_a_new_table_with_the_same_four_or_to_try_takes_one_tap(page, played):
    hand = Hand(page)
    page.goto("/")

    hand.tap(page.get_by_role("button", name="Same as last time: Ada, Bruno, Cleo, Dov"))

    assert (seated(page), hand.taps) == (FOUR, 1)

    page.goto("/")
    hand.tap(page.get_by_role("button", name="Try it"))
    assert (len(seated(page)), hand.taps) == (4, 2)


def test_a_new_table_takes_one_tap_and_its_first_hit_two_more(page, site):
    hand = Hand(page)
    page.goto("/")

    hand.tap(page.get_by_role("button", name="3 players"))

    assert (seated(page), hand.taps) == (["Red", "Blue", "Green"], 1)
    active = page.get_by_role("group", name="From").locator(":checked").get_attribute("value")
    target = "Blue" if active == "1" else "Red"
    hand.tap(page.get_by_role("list", name="Players").get_by_role("heading", name=target))
    hand.number(3)
    expect(page.locator(".peek li").first).to_contain_text(f"hits {target} for 3, combat")
    assert hand.taps == 3


def test_a_seat_is_renamed_by_two_taps_and_typing(page, site):
    table = seat(3)
    keep_score(page, site, table)
    hand = Hand(page)
    hand.tap(page.locator(".player.seat-2 summary"))
    hand.link("Bo: Name")

    expect(page.locator("[name='seat-2']")).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type("Bob")
    page.keyboard.press("Enter")

    page.wait_for_url(re.compile("/score/$"))
    assert (list(GameSet.objects.get().names.values()), hand.taps) == (["Ann", "Bob", "Cy"], 2)


def test_life_poison_undo_conceding_and_the_next_game_take_few_taps_and_amending_four(pad, table):
    hand, log = Hand(pad), pad.locator(".peek li").first

    def taken() -> int:
        taps, hand.taps = hand.taps, 0
        return taps

    row = pad.locator(".player.seat-2")
    for key, said in (("gain 3 life", "Bo gains 3 life"), ("get 1 poison", "Bo gets 1 poison")):
        hand.tap(row.locator("summary"))
        hand.tap(pad.get_by_role("button", name=f"Bo: {key}"))
        expect(log).to_contain_text(said)
        assert taken() == 2
        hand.tap(pad.locator(".player.seat-3 h2"))  # closes the keys of Bo, and chooses nobody
        expect(pad.locator(".to :checked")).to_have_count(0)
        taken()
    hand.button(re.compile("^Undo"))
    assert taken() == 1
    hand.target("Cy")
    hand.number(4)
    taken()

    hand.link("Log")
    with pad.expect_navigation():
        hand.tap(pad.get_by_role("link", name="Amend event").first)
    hand.tap(pad.get_by_label("Damage"))
    pad.keyboard.press("Control+A")
    pad.keyboard.type("5")
    with pad.expect_navigation():
        hand.tap(pad.get_by_role("button", name="Amend event"))
    assert taken() == 4
    pad.goto(address(table, "score"))

    hand.menu()
    hand.in_sheet(re.compile("^Concede"))
    with hand.answered():
        hand.tap(pad.get_by_role("button", name="Yes: Ann concedes"))
    assert taken() == 3

    record(table, Draw())
    pad.goto(address(table, "score"))
    hand.tap(pad.get_by_role("group", name="chooses who starts").get_by_role("radio", name="Bo"))
    hand.tap(pad.get_by_role("button", name="Start game 2"))
    expect(pad.locator(".pips [aria-current]")).to_have_text("2")
    assert taken() == 2


def test_a_table_of_four_known_people_takes_six_taps_from_the_home_page(page, played):
    hand = Hand(page)
    page.goto("/")
    hand.link("Change the format")
    for name in ("Cleo", "Ada", "Dov", "Bruno"):
        hand.tap(page.get_by_role("checkbox", name=re.compile(f"^{name}")))
    for number, name in enumerate(("Cleo", "Ada", "Dov", "Bruno"), 1):
        expect(page.get_by_label(f"Seat {number}")).to_have_value(name)

    hand.tap(page.get_by_role("button", name="Start game 1"))

    assert (seated(page), hand.taps) == (["Cleo", "Ada", "Dov", "Bruno"], 6)

    page.goto("/start/")  # where a second tap on a person frees the seat for the next
    for name in ("Ada", "Bruno", "Ada", "Dov"):
        page.get_by_role("checkbox", name=re.compile(f"^{name}")).tap()

    values = [page.get_by_label(f"Seat {seat}").input_value() for seat in (1, 2, 3)]
    assert values == ["Dov", "Bruno", ""]
    expect(page.get_by_role("checkbox", name=re.compile("^Ada"))).not_to_be_checked()


def test_a_hero_and_its_type_are_named_by_four_taps_and_some_letters(page, site):
    bring_pool()
    table = seat(4)
    keep_score(page, site, table)
    hand = Hand(page)
    hand.menu()
    with page.expect_navigation():
        hand.tap(page.get_by_role("link", name="Heroes"))
    field = page.get_by_role("form", name="Hero of Bo").get_by_label("Hero")
    hand.tap(field)
    field.press_sequentially("kaal")
    with page.expect_navigation():
        hand.tap(page.get_by_role("form", name="Kaalia").get_by_role("button", name="Angel"))

    assert hand.taps <= 4
    page.goto(address(table, "seat_decks"))
    assert complaints(page, 393) == []
    for name in ("score", "table"):
        page.goto(address(table, name))
        expect(page.locator(".seat-2 .led").first).to_have_text("Kaalia, Angel")


# --- keys of a keyboard ---
def test_hits_are_entered_by_keys_and_the_focus_stays_on_the_number(pad):
    tab_to(pad, "to-2")
    pad.keyboard.press("Space")
    tab_to(pad, "n-7")
    for number, key in enumerate(("Enter", "Space"), 1):
        pad.keyboard.press(key)

        expect(pad.locator(".peek li").first).to_have_text(f"{number}Ann hits Bo for 7, combat")
        expect(pad.locator("#n-7")).to_be_focused()

    tab_to(pad, "from-1")
    pad.keyboard.press("ArrowRight")
    tab_to(pad, "to-1")
    pad.keyboard.press("Space")
    tab_to(pad, "kind-combat")
    pad.keyboard.press("ArrowDown")
    tab_to(pad, "n-3")
    pad.keyboard.press("Enter")

    expect(pad.locator(".peek li").first).to_have_text("3Bo hits Ann for 3, hero")


def tab_to(page: Page, name: str) -> None:
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == name:
            return
    pytest.fail(f"Tab never came to #{name}")


# On a wide screen, with the standings and the log beside the pad.
desk = pytest.mark.browser_context_args(**DESK)


def latest_is(page: Page, text: str) -> None:
    expect(page.locator("#desk ol:not(.podium) li").first).to_contain_text(text)


@desk
def test_keys_hit_undo_and_turn_and_the_log_beside_the_pad_follows(page, site):
    table = seat(3)
    record(table, hit(ANN, BO, 3))
    keep_score(page, site, table)
    latest_is(page, "Ann hits Bo for 3")
    assert complaints(page, DESKTOP[0]) == []

    page.keyboard.press("4")
    latest_is(page, "Ann hits Bo for 4")
    page.keyboard.press("u")
    latest_is(page, "Undo of 2")
    page.keyboard.press("0")
    latest_is(page, "Ann hits Bo for 10")
    page.keyboard.press("Enter")
    page.keyboard.type("12")
    expect(page.locator("#typed")).to_have_value("12")
    page.keyboard.press("Enter")
    latest_is(page, "Ann hits Bo for 12")
    expect(page.locator("#desk .podium .first")).to_contain_text("21 VP")


@desk
def test_the_page_about_keys_leads_back_to_the_hits_that_were_collected(page, site):
    table = seat(3)
    keep_score(page, site, table)
    page.goto(address(table, "score") + TWO_HITS)
    expect(page.locator("#desk")).to_contain_text("No event yet.")
    page.keyboard.press("?")
    page.get_by_role("link", name="Back to the pad").click()

    expect(page.locator(".tray")).to_be_visible()


@desk
def test_keys_that_are_turned_off_do_nothing(page, site):
    keep_score(page, site, seat(3))
    expect(page.locator("#desk")).to_contain_text("No event yet.")
    page.keyboard.press("?")
    page.get_by_role("button", name="Turn the keys off").click()
    page.get_by_role("link", name="Back to the pad").click()
    expect(page.locator("#desk")).to_contain_text("No event yet.")

    page.keyboard.press("t")
    page.locator("#turn").click()
    latest_is(page, "Bo’s turn begins")

    expect(page.locator("#desk ol:not(.podium) li")).to_have_count(1)
