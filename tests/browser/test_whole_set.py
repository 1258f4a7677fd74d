"""Three games from the start page to the final standings, by taps on a phone."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from .hand import Hand, becomes, board, last_event, problem, see, signs, words

NAMES = ["Ada", "Bruno", "Cleo", "Dora"]


@pytest.fixture(params=[True, False], ids=["with JavaScript", "without JavaScript"])
def page(request, new_context) -> Page:
    context: BrowserContext = new_context(java_script_enabled=request.param)
    return context.new_page()


def test_a_set_is_played_by_taps_from_the_start_to_the_final_standings(page):
    hand = Hand(page)
    start_table(hand)
    play_first_game(hand)
    concede(hand)
    end_first_game_twice(hand)
    play_second_game(hand)
    play_third_game(hand)
    hand.link("Final standings")
    see(page, "Dora takes the set")
    totals = page.get_by_role("table").get_by_role("row").locator("td:last-child")
    becomes(lambda: words(totals), ["45", "33", "26", "0"])
    expect(problem(page)).to_have_count(0)


def latest(hand: Hand, event: str) -> None:
    becomes(lambda: last_event(hand.page), event)


def board_is(hand: Hand, **players: tuple[int, int]) -> None:
    becomes(lambda: board(hand.page), players)


def podium_is(hand: Hand, *rows: str) -> None:
    found = hand.page.locator(".podium li")
    parts = ".rank, b, .sub, .total"
    becomes(lambda: [" ".join(words(row.locator(parts))) for row in found.all()], [*rows])


def banner_is(hand: Hand, *told: str) -> None:
    becomes(lambda: words(hand.page.locator(".banner h2, .banner p")), [*told])


def active(page: Page) -> str:
    return words(page.locator(".setbar .grow b"))[0]


def pass_turn(hand: Hand, name: str) -> None:
    hand.button(re.compile(f"^Turn to {name}"))
    becomes(lambda: active(hand.page), name)


# --- game 1: Ada wins with 21 VP, Bruno concedes ---
def start_table(hand: Hand) -> None:
    page = hand.page
    hand.start("", NAMES)
    see(page, "Game 1 of 3")
    board_is(hand, **dict.fromkeys(NAMES, (0, 25)))
    # Everybody sees the dice; the highest starts.
    rolls = {
        name: [int(roll) for roll in re.findall(r"\d+", signs(page, name)[0])] for name in NAMES
    }
    highest = max(rolls, key=rolls.__getitem__)
    start = page.get_by_role("region", name="The start")
    expect(start).to_contain_text(f"{highest} starts, by the roll.")
    becomes(lambda: active(page), highest)
    hand.change_start("Ada")
    becomes(lambda: active(page), "Ada")
    assert all(signs(page, name) == ["Hero: Outside"] for name in NAMES), "nobody rolled for that"


def play_first_game(hand: Hand) -> None:
    page = hand.page
    hand.source("Ada")
    hand.target("Bruno")
    hand.number(8)
    latest(hand, "1 Ada hits Bruno for 8, combat")
    changed = page.locator(".player", has=page.locator(".delta")).locator("h2 > span:first-child")
    becomes(lambda: words(changed), ["Ada", "Bruno"])
    becomes(lambda: words(page.locator(".player .delta")), ["+8 VP", "−8 life"])
    hand.number(3)
    latest(hand, "2 Ada hits Bruno for 3, combat")
    pass_turn(hand, "Bruno")

    hand.target("Each")
    hand.number(2)
    latest(hand, "4 Bruno hits Ada, Cleo and Dora for 2, combat")
    hand.target("Cleo", "Dora")
    hand.number(1)
    latest(hand, "5 Bruno hits Cleo and Dora for 1, combat")
    pass_turn(hand, "Cleo")

    hand.kind("Hero")
    hand.target("Ada")
    hand.number(4)
    latest(hand, "7 Cleo hits Ada for 4, hero")
    hand.target("Dora")
    hand.typed(12)
    latest(hand, "8 Cleo hits Dora for 12, combat")
    board_is(hand, Ada=(11, 19), Bruno=(8, 14), Cleo=(16, 22), Dora=(0, 10))

    # Several hits are one event.
    hand.tap(page.get_by_role("checkbox", name="Add hit"))
    for name, amount in (("Ada", 1), ("Bruno", 2)):
        hand.target(name)
        hand.number(amount)
    tray = page.get_by_role("form", name="Hits of one event")
    not_recorded = [
        "Cleo → Ada 1 combat, not recorded yet",
        "Cleo → Bruno 2 combat, not recorded yet",
    ]
    becomes(lambda: words(tray.get_by_role("listitem").locator(":scope > span")), not_recorded)
    hand.button("Record 2 hits")
    expect(tray).to_have_count(0)
    expect(page.get_by_role("checkbox", name="Add hit")).not_to_be_checked()
    latest(hand, "9 Cleo hits Ada for 1, combat; Cleo hits Bruno for 2, combat")
    pass_turn(hand, "Dora")

    hand.sign("Extra")
    hand.sign("Infect")
    hand.target("Bruno")
    hand.number(3)
    latest(hand, "11 Dora hits Bruno for 3, combat, infect")
    becomes(lambda: signs(page, "Bruno"), ["3 poison +3", "Hero: Outside"])
    expect(page.get_by_role("checkbox", name=re.compile("^Extra"))).not_to_be_checked()
    expect(page.locator("input[name=infect]")).not_to_be_checked()

    before = board(page)
    hand.target("Ada")
    hand.number(10)
    becomes(lambda: board(page), before | {"Ada": (11, 8), "Dora": (13, 10)})
    hand.button("Undo Dora → Ada 10")
    becomes(lambda: board(page), before)
    latest(hand, "11 Dora hits Bruno for 3, combat, infect")
    expect(page.get_by_role("button", name="Undo Dora → Bruno 3")).to_be_enabled()


def concede(hand: Hand) -> None:
    page = hand.page
    hand.menu()
    hand.tap(hand.sheet.get_by_role("radio", name="Bruno"))
    hand.in_sheet(re.compile("^Concede$"))
    see(page, "Bruno concedes?")
    hand.button("Yes: Bruno concedes")
    latest(hand, "14 Bruno concedes")
    becomes(lambda: signs(page, "Bruno"), ["Conceded", "3 poison"])


def end_first_game_twice(hand: Hand) -> None:
    pass_turn(hand, "Ada")
    for undone in (True, False):
        hand.target("Cleo")
        hand.number(10)
        banner_is(hand, "Ada wins", "21 VP. Bruno conceded: no VP.")
        podium_is(hand, "1 Ada 21 21 VP", "2 Cleo 19 19 VP", "3 Dora 3 3 VP", "4 Bruno 0 0 VP")
        if undone:
            hand.button("Undo Ada → Cleo 10; reopens the game")
            becomes(lambda: board(hand.page)["Cleo"], (19, 22))


# --- game 2: Dora wins with 21 VP ---
def choose_start(hand: Hand, lowest: str, number: int, name: str) -> None:
    page = hand.page
    who = page.get_by_role("group", name=f"{lowest} has the lowest standing and chooses who starts")
    becomes(lambda: words(who.locator("label")), ["Ada", "Cleo", "Dora"])
    hand.tap(who.get_by_role("radio", name=name))
    hand.tap(page.get_by_role("button", name=f"Start game {number}"))
    see(page, f"Game {number} of 3")
    expect(page.get_by_role("region", name="The start")).to_contain_text(f"{name} starts.")


def play_second_game(hand: Hand) -> None:
    choose_start(hand, "Dora", 2, "Cleo")
    hand.change_start("Ada")
    becomes(lambda: active(hand.page), "Ada")
    board_is(hand, Ada=(0, 25), Cleo=(0, 25), Dora=(0, 25))
    hand.target("Cleo")
    hand.number(5)
    pass_turn(hand, "Cleo")
    hand.target("Dora")
    hand.number(6)
    pass_turn(hand, "Dora")
    hand.target("Each")
    hand.number(5)
    board_is(hand, Ada=(5, 20), Cleo=(6, 15), Dora=(10, 19))
    hand.target("Each")
    hand.number(10)

    banner_is(hand, "Dora wins", "21 VP.")
    podium_is(
        hand, "1 Ada 21 + 5 26 VP", "2 Cleo 19 + 6 25 VP", "3 Dora 3 + 21 24 VP", "4 Bruno 0 0 VP"
    )


# --- game 3: Dora is the last player in the game ---
def play_third_game(hand: Hand) -> None:
    page = hand.page
    choose_start(hand, "Dora", 3, "Cleo")
    hand.target("Ada")
    hand.number(4)
    hand.number(4)
    pass_turn(hand, "Dora")
    hand.kind("Other")
    hand.target("Cleo")
    hand.number(3)
    board_is(hand, Ada=(0, 17), Cleo=(8, 22), Dora=(0, 25))

    hand.menu()
    hand.tap(hand.sheet.get_by_role("radio", name="Ada"))
    hand.in_sheet("Loses")
    see(page, "Ada loses?")
    page.get_by_label("Reason").fill("decked")
    hand.button("Yes: Ada loses")
    latest(hand, "5 Ada loses: decked")

    hand.target("Cleo")
    hand.number(9)
    hand.kind("Other")
    hand.typed(13)
    banner_is(
        hand,
        "Dora takes the set",
        "By 12 VP. Game 3: Dora wins. Last player in the game: 21 VP with the bonus.",
    )
