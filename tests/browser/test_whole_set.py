"""Three games from the start page to the final standings, by taps on a phone."""

import re

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from .hand import Hand, becomes, board, changes, last_event, podium, problem, see, signs, words

NAMES = ["Ada", "Bruno", "Cleo", "Dora"]


@pytest.fixture(params=[True, False], ids=["with JavaScript", "without JavaScript"])
def page(request, new_context) -> Page:
    context: BrowserContext = new_context(java_script_enabled=request.param)
    return context.new_page()


def test_a_set_is_played_by_taps_from_the_start_to_the_final_standings(page):
    hand = Hand(page)
    start_table(hand)
    play_first_game(hand)
    end_first_game_twice(hand)
    start_second_game(hand)
    play_second_game(hand)
    strike_a_line_of_the_second_game(hand)
    play_third_game(hand)
    hand.link("Final standings")
    check_final_standings(page)


def taps(hand: Hand) -> int:
    hand.taps, counted = 0, hand.taps
    return counted


# --- game 1: Ada wins with 21 VP, Bruno concedes ---
def start_table(hand: Hand) -> None:
    page = hand.page
    page.goto("/")
    hand.link("Start a table")
    for seat, name in enumerate(NAMES, 1):
        page.get_by_label(re.compile(rf"^\s*Seat {seat}")).fill(name)
    hand.tap(page.get_by_role("button", name="Start game 1"))

    see(page, "Game 1 of 3")
    assert taps(hand) == 2
    becomes(lambda: board(page), dict.fromkeys(NAMES, (0, 25)))
    check_roll(page)
    change_start(hand, 1, "Ada")
    assert all(signs(page, name) == ["Hero: Outside"] for name in NAMES), "nobody rolled for that"
    taps(hand)


def check_roll(page: Page) -> None:
    """Hold the dice that everybody sees against who starts: the highest."""
    rolls = {
        name: [int(roll) for roll in re.findall(r"\d+", signs(page, name)[0])] for name in NAMES
    }
    highest = max(rolls, key=rolls.__getitem__)
    start = page.get_by_role("region", name="The start")
    expect(start).to_contain_text(f"{highest} starts, by the roll.")
    becomes(lambda: active(page), highest)


def active(page: Page) -> str:
    return words(page.locator(".setbar .grow b"))[0]


def change_start(hand: Hand, number: int, name: str) -> None:
    page = hand.page
    hand.link("Change")
    see(page, f"Who starts game {number}?")
    hand.tap(page.get_by_role("radio", name=name))
    hand.tap(page.get_by_role("button", name="Change the start"))
    expect(page.get_by_role("region", name="The start")).to_contain_text(f"{name} starts.")
    becomes(lambda: active(page), name)


def play_first_game(hand: Hand) -> None:
    page = hand.page
    hand.source("Ada")
    hand.target("Bruno")
    hand.number(8)
    assert taps(hand) == 3
    becomes(lambda: last_event(page), "1 Ada hits Bruno for 8, combat")
    becomes(lambda: changes(page), {"Ada": ["+8 VP"], "Bruno": ["−8 life"]})

    hand.number(3)
    assert taps(hand) == 1
    becomes(lambda: last_event(page), "2 Ada hits Bruno for 3, combat")

    hand.button(re.compile("^Turn to Bruno"))
    assert taps(hand) == 1
    becomes(lambda: active(page), "Bruno")

    hand.target("Each")
    hand.number(2)
    assert taps(hand) == 2
    becomes(lambda: last_event(page), "4 Bruno hits Ada, Cleo and Dora for 2, combat")

    hand.target("Cleo", "Dora")
    hand.number(1)
    assert taps(hand) == 3
    becomes(lambda: last_event(page), "5 Bruno hits Cleo and Dora for 1, combat")

    hand.button(re.compile("^Turn to Cleo"))
    taps(hand)
    hand.kind("Hero")
    hand.target("Ada")
    hand.number(4)
    assert taps(hand) == 3
    becomes(lambda: last_event(page), "7 Cleo hits Ada for 4, hero")

    hand.target("Dora")
    hand.typed(12)
    assert taps(hand) == 3  # besides the digits
    becomes(lambda: last_event(page), "8 Cleo hits Dora for 12, combat")
    becomes(
        lambda: board(page), {"Ada": (11, 19), "Bruno": (8, 14), "Cleo": (16, 22), "Dora": (0, 10)}
    )

    assert hit_twice_together(hand) == 6
    assert hit_with_infect(hand) == 4
    assert take_a_hit_back(hand) == 1
    do_seldom_things(hand)
    concede(hand)


def hit_twice_together(hand: Hand) -> int:
    page = hand.page
    hand.tap(page.get_by_role("checkbox", name="Add hit"))
    hand.target("Ada")
    hand.number(1)
    hand.target("Bruno")
    hand.number(2)
    tray = page.get_by_role("form", name="Hits of one event")
    not_sent = ["Cleo → Ada 1 combat, not sent", "Cleo → Bruno 2 combat, not sent"]
    becomes(lambda: words(tray.get_by_role("listitem").locator(":scope > span")), not_sent)
    hand.button("Send 2 hits")

    expect(tray).to_have_count(0)
    expect(page.get_by_role("checkbox", name="Add hit")).not_to_be_checked()
    becomes(
        lambda: last_event(page), "9 Cleo hits Ada for 1, combat; Cleo hits Bruno for 2, combat"
    )
    return taps(hand)


def hit_with_infect(hand: Hand) -> int:
    page = hand.page
    hand.button(re.compile("^Turn to Dora"))
    taps(hand)
    hand.sign("Extra")
    hand.sign("Infect")
    hand.target("Bruno")
    hand.number(3)

    becomes(lambda: last_event(page), "11 Dora hits Bruno for 3, combat, infect")
    becomes(lambda: signs(page, "Bruno"), ["3 poison +3", "Hero: Outside"])
    expect(page.get_by_role("checkbox", name=re.compile("^Extra"))).not_to_be_checked()
    expect(page.locator("input[name=infect]")).not_to_be_checked()
    return taps(hand)


def take_a_hit_back(hand: Hand) -> int:
    page = hand.page
    before = board(page)
    hand.target("Ada")
    hand.number(10)
    becomes(lambda: board(page), before | {"Ada": (11, 8), "Dora": (13, 10)})
    taps(hand)
    hand.button("Undo Dora → Ada 10")

    becomes(lambda: board(page), before)
    becomes(lambda: last_event(page), "11 Dora hits Bruno for 3, combat, infect")
    expect(page.get_by_role("button", name="Undo Dora → Bruno 3")).to_be_enabled()
    return taps(hand)


def do_seldom_things(hand: Hand) -> None:
    page = hand.page
    hand.more("Dora", "+5", "Life, without damage")
    becomes(lambda: last_event(page), "14 Dora gains 5 life")
    hand.more("Ada", "+1", "Poison counters")
    becomes(lambda: signs(page, "Ada"), ["1 poison +1", "Hero: Outside"])
    hand.more("Dora", "Hand", "Hero goes to")
    becomes(lambda: signs(page, "Dora"), ["Hero: Hand"])
    hand.more("Dora", "Crown", "Turn and monarch")
    becomes(lambda: last_event(page), "17 Dora becomes the monarch")
    monarch = page.get_by_role("heading", level=2, name=re.compile("monarch"))
    expect(monarch).to_have_accessible_name(re.compile("^Dora *, monarch *, active$"))
    becomes(
        lambda: board(page), {"Ada": (11, 18), "Bruno": (8, 12), "Cleo": (19, 22), "Dora": (3, 15)}
    )
    taps(hand)


def concede(hand: Hand) -> None:
    page = hand.page
    hand.menu()
    hand.tap(hand.sheet.get_by_role("radio", name="Bruno"))
    hand.in_sheet(re.compile("^Concede$"))

    see(page, "Bruno concedes?")
    hand.button("Yes: Bruno concedes")
    assert taps(hand) == 4
    becomes(lambda: last_event(page), "18 Bruno concedes")
    becomes(lambda: signs(page, "Bruno"), ["Conceded", "3 poison"])


# --- the end of game 1, taken back and played again ---
def end_first_game_twice(hand: Hand) -> None:
    page = hand.page
    hand.button(re.compile("^Turn to Ada"))
    becomes(lambda: active(page), "Ada")
    hand.target("Cleo")
    hand.number(10)
    check_first_game_is_over(page)

    taps(hand)
    hand.button("Undo Ada → Cleo 10; reopens the game")
    assert taps(hand) == 1
    becomes(lambda: board(page)["Cleo"], (19, 22))
    hand.target("Cleo")
    hand.number(10)
    check_first_game_is_over(page)


def check_first_game_is_over(page: Page) -> None:
    banner = page.locator(".banner h2, .banner p")
    becomes(lambda: words(banner), ["Ada wins", "21 VP. Bruno conceded: no VP."])
    becomes(
        lambda: podium(page),
        [
            ("1", "Ada", "21", "21 VP"),
            ("2", "Cleo", "19", "19 VP"),
            ("3", "Dora", "3", "3 VP"),
            ("4", "Bruno", "0", "0 VP"),
        ],
    )


# --- game 2: Dora wins with 21 VP ---
def start_second_game(hand: Hand) -> None:
    page = hand.page
    who = page.get_by_role("group", name="Dora has the lowest standing and chooses who starts")
    becomes(lambda: words(who.locator("label")), ["Ada", "Cleo", "Dora"])
    choose_start(hand, who, 2, "Cleo")
    change_start(hand, 2, "Ada")
    becomes(lambda: board(page), {"Ada": (0, 25), "Cleo": (0, 25), "Dora": (0, 25)})


def choose_start(hand: Hand, who: Locator, number: int, name: str) -> None:
    page = hand.page
    hand.tap(who.get_by_role("radio", name=name))
    hand.tap(page.get_by_role("button", name=f"Start game {number}"))
    see(page, f"Game {number} of 3")
    expect(page.get_by_role("region", name="The start")).to_contain_text(f"{name} starts.")


def play_second_game(hand: Hand) -> None:
    page = hand.page
    hand.target("Cleo")
    hand.number(5)
    hand.button(re.compile("^Turn to Cleo"))
    hand.target("Dora")
    hand.number(6)
    hand.button(re.compile("^Turn to Dora"))
    hand.target("Each")
    hand.number(5)
    becomes(lambda: board(page), {"Ada": (5, 20), "Cleo": (6, 15), "Dora": (10, 19)})
    hand.target("Each")
    hand.number(10)

    becomes(lambda: words(page.locator(".banner h2, .banner p")), ["Dora wins", "21 VP."])
    becomes(
        lambda: podium(page),
        [
            ("1", "Ada", "21 + 5", "26 VP"),
            ("2", "Cleo", "19 + 6", "25 VP"),
            ("3", "Dora", "3 + 21", "24 VP"),
            ("4", "Bruno", "0", "0 VP"),
        ],
    )
    expect(
        page.get_by_role("group", name="Dora has the lowest standing and chooses who starts")
    ).to_be_visible()


def strike_a_line_of_the_second_game(hand: Hand) -> None:
    """It changes who stands lowest, and so who says who starts game 3."""
    page = hand.page
    hand.link("Log")
    see(page, "Log, game 2")
    taps(hand)
    hand.link("Strike event 1")
    see(page, "Ada hits Cleo for 5, combat")
    becomes(lambda: words(page.locator("#strike li")), ["Ada: 5 VP → 0", "Cleo: 5 life → 10"])
    hand.tap(page.get_by_role("button", name="Strike event 1"))

    see(page, "Log, game 2")
    assert taps(hand) == 2
    becomes(lambda: words(page.locator(".log .struck .flag")), ["Struck"])
    hand.link("Back to the pad")
    becomes(
        lambda: podium(page),
        [
            ("1", "Cleo", "19 + 6", "25 VP"),
            ("2", "Dora", "3 + 21", "24 VP"),
            ("3", "Ada", "21 + 0", "21 VP"),
            ("4", "Bruno", "0", "0 VP"),
        ],
    )


# --- game 3: Dora is the last player in the game ---
def play_third_game(hand: Hand) -> None:
    page = hand.page
    who = page.get_by_role("group", name="Ada has the lowest standing and chooses who starts")
    choose_start(hand, who, 3, "Cleo")
    hand.target("Ada")
    hand.number(4)
    hand.number(4)
    hand.button(re.compile("^Turn to Dora"))
    hand.kind("Other")
    hand.target("Cleo")
    hand.number(3)
    becomes(lambda: board(page), {"Ada": (0, 17), "Cleo": (8, 22), "Dora": (0, 25)})

    hand.menu()
    hand.tap(hand.sheet.get_by_role("radio", name="Ada"))
    hand.in_sheet("Loses")
    see(page, "Ada loses?")
    page.get_by_label("Reason").fill("decked")
    hand.button("Yes: Ada loses")
    becomes(lambda: last_event(page), "5 Ada loses: decked")

    hand.target("Cleo")
    hand.number(9)
    hand.kind("Other")
    hand.typed(13)
    becomes(
        lambda: words(page.locator(".banner h2, .banner p")),
        [
            "Dora takes the set",
            "Game 3: Dora wins. Last player in the game: 21 VP with the bonus.",
        ],
    )


# --- the end ---
def check_final_standings(page: Page) -> None:
    see(page, "Dora takes the set")
    matrix = page.get_by_role("table")
    rows = [words(row.locator("th, td")) for row in matrix.get_by_role("row").all()]
    assert rows[1][1] == "Dora 58 damage dealt · crowned once"
    names = [re.sub(r" \d+ damage dealt.*$", "", row[1]) for row in rows]
    assert [[row[0], name, *row[2:]] for row, name in zip(rows, names, strict=True)] == [
        ["Rank", "Player", "Game 1", "Game 2", "Game 3", "Total"],
        ["1", "Dora", "3", "won with 21", "won with 21", "45"],
        ["2", "Cleo", "19", "6", "8", "33"],
        ["3", "Ada", "won with 21", "0", "0", "21"],
        ["4", "Bruno conceded game 1", "8 voided, 0", "– not played", "– not played", "0"],
    ]
    expect(page.get_by_role("img", name=re.compile("^Victory points"))).to_have_accessible_name(
        "Victory points over the set: "
        "Dora ends at 45, Cleo ends at 33, Ada ends at 21, Bruno ends at 0."
    )
    facts = page.get_by_text(re.compile(r"^\s*Ended by"))
    expect(facts).to_have_text(
        re.compile(
            r"^\s*Ended by: 21 VP · 21 VP · last player in the game\. "
            r"3 games, \d min, 23 hits\.\s*$"
        )
    )
    expect(problem(page)).to_have_count(0)
