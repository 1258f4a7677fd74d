"""Games of Leveler and Realm Wars, and a draft, on a phone, from the start page to the end."""

import re

import pytest
from playwright.sync_api import Page, expect

from scoring.rules.formats.leveler import LEVELER
from scoring.rules.formats.realm_wars import REALM_WARS
from tests.scoring.tables import address

from .checks import complaints
from .hand import Hand, becomes, board, last_event, problem, see, signs, words
from .looks_of_formats import NAMES as NAMES_OF_20
from .looks_of_formats import begun

NAMES = ["Ada", "Bruno", "Cleo", "Dora"]
EIGHT = [*NAMES, "Emil", "Frida", "Gus", "Hal"]


@pytest.fixture
def hand(page: Page) -> Hand:
    return Hand(page)


def look(hand: Hand) -> None:
    assert complaints(hand.page, 393) == []


def test_a_game_of_leveler_is_played_by_taps_to_its_end(hand):
    page = hand.page
    hand.start("leveler", NAMES[:3], first="Ada")
    see(page, "Leveler")
    becomes(lambda: board(page), dict.fromkeys(NAMES[:3], (30, 1)))
    marks = page.locator(".player", has_text="Bruno").locator(".marks>span")

    hand.target("Bruno")
    hand.number(10)
    becomes(lambda: board(page), {"Ada": (30, 1), "Bruno": (20, 2), "Cleo": (30, 1)})
    becomes(lambda: words(marks), ["10 taken", "10 reached", "20 exile"])

    hand.source("Ada")
    hand.target("Cleo")
    hand.typed(23)
    becomes(lambda: board(page)["Cleo"], (7, 3))
    look(hand)

    hand.more("Bruno", "Is empty", "Library")
    becomes(lambda: board(page)["Bruno"], (20, 3))
    becomes(lambda: words(marks), ["10 taken", "10 reached", "20 no exile"])
    hand.button(re.compile("^Undo"))
    becomes(lambda: board(page)["Bruno"], (20, 2))

    hand.menu()
    hand.tap(hand.sheet.get_by_role("radio", name="Cleo"))
    hand.in_sheet("Drew from empty")
    expect(hand.sheet.get_by_text("Cleo is out: drew from an empty library")).to_be_visible()
    hand.button("Yes: Cleo drew from an empty library")
    becomes(lambda: signs(page, "Cleo")[0], "Out")
    hand.menu()
    look(hand)
    hand.close_sheet("Back to the pad")
    hand.source("Bruno")
    hand.target("Ada")
    hand.typed(30)
    expect(page.locator(".banner h2")).to_have_text("Bruno wins")
    hand.link("Final standings")
    see(page, "Bruno wins")
    reasons = [
        *("won", "30 damage dealt · 10 taken · level 2"),
        "out in turn 2: no life left, by Bruno, outlasted 1 opponent",
        "33 damage dealt · 30 taken · level 1",
        *("out in turn 1: drew from an empty library", "23 taken · level 3"),
    ]
    becomes(lambda: words(page.locator(".podium .sub")), reasons)
    look(hand)


def capitals(page: Page) -> dict[str, list[str]]:
    """Return each player's zones as they are read out, without their names."""
    return {
        name: [
            re.sub(r"^.*?: ", "", one.replace("/", "").replace("  ", " "))
            for one in words(page.get_by_label(f"Capital of {name}").get_by_role("listitem"))
        ]
        for name in NAMES
    }


def choose(hand: Hand, name: str, zone: str) -> None:
    for label in (name, zone):
        hand.tap(hand.page.locator("#pad").get_by_role("radio", name=label))


def test_a_game_of_realm_wars_is_played_by_taps_to_its_end(hand):
    page = hand.page
    tallies, now = page.locator(".players .burnt b"), page.locator("#happened > li")
    hand.start("realm-wars", NAMES, first="Bruno")
    see(page, "Realm Wars")
    becomes(lambda: capitals(page), dict.fromkeys(NAMES, ["0 of 8"] * 3))
    becomes(lambda: words(tallies), ["0 of 4 zones burning"] * 2)
    expect(page.get_by_role("region", name="The start")).to_contain_text("Ada and Bruno start.")
    becomes(lambda: [signs(page, name) for name in NAMES], [["Commander"], [], ["Commander"], []])
    reminders = page.get_by_role("list", name="Reminders").get_by_role("listitem")
    expect(reminders).to_have_count(2)
    look(hand)

    # An attacked zone burns: then damage takes one tap, and more of it is refused.
    for phase in ("quest", "capital", "battlefield"):
        hand.button(f"Phase to {phase}")
    attack = [
        "Ada and Bruno’s turn, battlefield phase",
        "Ada, the Commander, chooses the one zone that the team attacks",
    ]
    becomes(lambda: words(now), attack)
    choose(hand, "Cleo", "Quest")
    hand.button("Attack")
    only = "Only the quest of Cleo is attacked: only cards in it defend"
    becomes(lambda: words(now)[-1], only)
    hand.taps = 0
    hand.number(5)
    assert hand.taps == 1
    becomes(lambda: capitals(page)["Cleo"], ["0 of 8", "5 of 8", "0 of 8"])
    hand.typed(11)
    burning = ["0 of 8", "burning, 16 of 8", "0 of 8"]
    becomes(lambda: capitals(page)["Cleo"], burning)
    becomes(lambda: words(tallies), ["0 of 4 zones burning", "1 of 4 zones burning"])
    becomes(lambda: last_event(page), "6 Cleo: quest takes 11 damage")
    look(hand)
    hand.number(1)
    expect(problem(page)).to_have_text(
        "The quest of Cleo is already burning: its damage can't change."
    )
    becomes(lambda: capitals(page)["Cleo"], burning)
    look(hand)
    hand.button(re.compile("^Pass"))
    hand.button(re.compile("^Pass"))
    expect(now.first).to_contain_text("Both teams passed: the top of the stack resolves")

    # The other team builds, and a legend is played.
    hand.button(re.compile("^Turn to the other team"))
    hand.taps = 0
    choose(hand, "Dora", "Kingdom")
    hand.button(re.compile(r"^\+1"))
    assert hand.taps == 3
    becomes(lambda: capitals(page)["Dora"][0], "0 of 9 +1 development")
    hand.more("Bruno", "Plays legend", "Player")
    becomes(lambda: words(tallies), ["0 of 4 zones burning", "1 of 5 zones burning"])
    becomes(lambda: signs(page, "Bruno"), ["Legend"])
    hand.menu()
    look(hand)
    hand.in_sheet("Remove damage")
    see(page, "Remove damage from which zone?")
    look(hand)
    hand.close_sheet("Play on")

    for zone in ("Kingdom", "Quest", "Battlefield"):
        choose(hand, "Dora", zone)
        hand.number(9)
    expect(now.first).to_contain_text("the team has 4 burning zones, and loses at 5")
    choose(hand, "Cleo", "Kingdom")
    hand.number(8)
    expect(page.locator(".banner")).to_have_text(
        re.compile(r"Ada and Bruno win\s*The other team has 5 zones burning.")
    )
    look(hand)
    hand.link("Final standings")
    see(page, "Ada and Bruno win")
    teams = [
        "1 Ada and Bruno won · 0 of 4 zones burning",
        "2 Cleo and Dora lost · 5 of 5 zones burning",
    ]
    becomes(lambda: words(page.locator(".podium .team")), teams)


CUT = """(names) => names
  .filter((name) => name.scrollHeight > name.clientHeight + 3
    || name.scrollWidth > name.clientWidth)
  .map((name) => name.textContent)"""


@pytest.mark.parametrize("ruleset", [REALM_WARS, LEVELER], ids=lambda ruleset: ruleset.format)
def test_names_of_twenty_letters_are_whole_on_a_tablet_with_six_players(page, site, ruleset):
    table = begun(ruleset, NAMES_OF_20[:6])
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(address(table, "table"))

    names = page.locator(".post h2 > span:not(.vh)")
    becomes(lambda: sorted(words(names)), sorted(NAMES_OF_20[:6]))
    assert names.evaluate_all(CUT) == []


# --- a draft ---
def passing(page: Page) -> list[str]:
    return [told.removeprefix("passes to ") for told in words(page.locator(".player .passes"))]


def public(page: Page, name: str) -> list[str]:
    found = page.get_by_role("list", name=f"What is public of {name}").get_by_role("listitem")
    return words(found)


def enter(hand: Hand, who: str, card: str, button: str, **notes: str) -> None:
    pad = hand.page.get_by_role("form", name="Enter what is public")
    hand.tap(pad.get_by_role("radio", name=who))
    pad.get_by_label("Card", exact=True).fill(card)
    for what, note in notes.items():
        pad.get_by_label(f"{what} to note", exact=True).fill(note)
    with hand.answered():
        hand.tap(pad.get_by_role("button", name=button, exact=True))


def test_a_draft_of_eight_goes_on_to_two_tables(hand):
    page = hand.page
    headline, act = (
        page.locator(".setbar .headline"),
        page.get_by_text("Several players want to act at"),
    )
    hand.start("conspiracy-draft", EIGHT)
    see(page, "Conspiracy draft")
    expect(headline).to_have_text("Pass left · round 1")
    becomes(lambda: passing(page), [*EIGHT[1:], EIGHT[0]])
    look(hand)

    enter(hand, "Cleo", "Noble Banneret", "Face up")
    enter(hand, "Hal", "Garbage Fire", "Reveal", Number="3")
    enter(hand, "Cleo", "Noble Banneret", "Note", Name="Throne Warden")
    noted = "Throne Warden for Noble Banneret"
    becomes(lambda: public(page, "Cleo"), ["Noble Banneret face up", noted])
    becomes(lambda: public(page, "Hal"), ["3 for Garbage Fire", "revealed Garbage Fire"])
    hand.button("Turn face down Noble Banneret of Cleo")
    becomes(lambda: public(page, "Cleo"), [noted])
    expect(act).to_have_count(0)
    enter(hand, "Emil", "Deal Broker", "Face up")
    enter(hand, "Dora", "Regicide", "Face up")
    expect(page.get_by_text("Regicide isn’t drafted face up.")).to_be_visible()
    look(hand)
    enter(hand, "Dora", "Cogwork Librarian", "Face up")
    hand.tap(act)
    expect(page.get_by_text("Rolled just now among")).to_be_visible()
    enter(hand, "Bruno", "Custodi Peacekeeper of a very long name", "Note", Number="99999")
    for width in (320, 360, 393):
        page.set_viewport_size({"width": width, "height": 640})
        assert complaints(page, width) == []

    hand.button(re.compile("^Next"))
    expect(headline).to_have_text("Pass right · round 2")
    becomes(lambda: passing(page), [EIGHT[-1], *EIGHT[:-1]])
    hand.button(re.compile("^Undo"))
    expect(headline).to_have_text("Pass left · round 1")

    hand.button(re.compile("^Next"))
    hand.button(re.compile("^Next"))
    hand.button(re.compile("^End"))
    expect(page.locator(".banner h2")).to_have_text("The draft is over")
    expect(page.locator(".rolled li")).to_have_count(8)
    hand.link("Seat the tables")
    see(page, "Tables of the draft")
    becomes(lambda: words(page.locator(".pod h3")), ["Table 1", "Table 2"])
    hand.tap(page.get_by_role("radio", name="5 and 3"))
    hand.button("Show these tables")
    expect(page.locator(".pod").first.get_by_role("listitem")).to_have_count(5)
    hand.button("Draw again")
    expect(page.get_by_text("Draw 2: everybody rolled")).to_be_visible()
    hand.button("Split into tables")
    expect(page.get_by_role("link", name="Scan to keep score")).to_have_count(2)
    hand.tap(page.get_by_role("button", name="Undo these tables"))
    expect(page.get_by_role("heading", name="Who will sit where")).to_be_visible()
