"""A game of Realm Wars on a phone, from the start page to the final page."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from scoring.play import commands
from scoring.rules.formats.leveler import LEVELER
from scoring.rules.formats.realm_wars import REALM_WARS
from scoring.rules.formats.realm_wars.moves import (
    BeginPhase,
    ChangeDevelopments,
    DamageZone,
    EmptyDeck,
    PlayLegend,
)
from scoring.setlog import document
from tests.scoring.tables import SEED, address, record, set_up

from .checks import Console, complaints
from .hand import Hand, becomes, give_key, last_event, problem, see, signs, words

NAMES = ["Ada", "Bruno", "Cleo", "Dora"]
EMPTY = ["0 of 8"] * 3


class Player(Hand):
    """A hand that holds pages to what every page is held to, where scripts run to look at them."""

    def __init__(self, page: Page, *, has_scripts: bool) -> None:
        super().__init__(page)
        self.has_scripts = has_scripts

    def look(self) -> None:
        assert not self.has_scripts or complaints(self.page, 393) == []


@pytest.fixture(params=[True, False], ids=["with JavaScript", "without JavaScript"])
def hand(request, new_context) -> Player:
    context: BrowserContext = new_context(java_script_enabled=request.param)
    return Player(context.new_page(), has_scripts=request.param)


def capitals(page: Page) -> dict[str, list[str]]:
    """Return each player's zones as they are read out, without their names."""
    return {
        name: [
            re.sub(r"^.*?: ", "", one.replace("/", "").replace("  ", " "))
            for one in words(page.get_by_label(f"Capital of {name}").get_by_role("listitem"))
        ]
        for name in NAMES
    }


def tallies(page: Page) -> list[str]:
    """Return how many zones burn, team by team."""
    return words(page.locator(".players .burnt b"))


def reminders(page: Page) -> list[str]:
    return words(page.get_by_role("list", name="Reminders").get_by_role("listitem"))


def now(page: Page) -> list[str]:
    """Return what happened, and what the players have to do."""
    return words(page.locator("#happened > li"))


def choose(hand: Hand, name: str, zone: str) -> None:
    for label in (name, zone):
        hand.tap(hand.page.locator("#pad").get_by_role("radio", name=label))


def test_a_game_of_realm_wars_is_played_by_taps_to_its_end(hand):
    start(hand)
    attack(hand)
    refuse_what_burns(hand)
    build_and_play_a_legend(hand)
    correct_in_the_log(hand)
    burn_the_last_zones(hand)
    check_the_end(hand)


def start(hand: Player) -> None:
    page = hand.page
    page.goto("/")
    hand.link("Start a table")
    hand.format("realm-wars")
    expect(page.get_by_role("main")).to_contain_text("seats 1 and 2 against 3 and 4")
    for seat, name in enumerate(NAMES, 1):
        page.get_by_label(re.compile(rf"^\s*Seat {seat}")).fill(name)
    hand.look()
    hand.send(page.get_by_role("button", name="Start"))
    see(page, "Realm Wars")
    becomes(lambda: capitals(page), dict.fromkeys(NAMES, EMPTY))
    becomes(lambda: tallies(page), ["0 of 4 zones burning"] * 2)

    hand.link("Change")
    hand.tap(page.get_by_role("radio", name="Bruno"))
    hand.send(page.get_by_role("button", name="Change the start"))
    expect(page.get_by_role("region", name="The start")).to_contain_text("Ada and Bruno start.")
    becomes(lambda: [signs(page, name) for name in NAMES], [["Commander"], [], ["Commander"], []])
    becomes(lambda: len(reminders(page)), 2)
    hand.look()


def attack(hand: Player) -> None:
    """Go to the battlefield phase, attack a zone, and burn it: then damage takes one tap."""
    page = hand.page
    for phase in ("quest", "capital", "battlefield"):
        hand.button(f"Phase to {phase}")
    becomes(
        lambda: now(page),
        [
            "Ada and Bruno’s turn, battlefield phase",
            "Ada, the Commander, chooses the one zone that the team attacks",
        ],
    )
    choose(hand, "Cleo", "Quest")
    hand.button("Attack")
    becomes(lambda: now(page)[-1], "Only the quest of Cleo is attacked: only cards in it defend")

    hand.taps = 0
    hand.number(5)
    assert hand.taps == 1
    becomes(lambda: capitals(page)["Cleo"], ["0 of 8", "5 of 8", "0 of 8"])
    hand.typed(11)
    becomes(lambda: capitals(page)["Cleo"], ["0 of 8", "burning, 16 of 8", "0 of 8"])
    becomes(lambda: tallies(page), ["0 of 4 zones burning", "1 of 4 zones burning"])
    becomes(lambda: last_event(page), "6 Cleo: quest takes 11 damage")
    hand.look()


def refuse_what_burns(hand: Player) -> None:
    page = hand.page
    hand.number(1)
    expect(problem(page)).to_have_text(
        "The quest of Cleo burns already: it takes no more damage, and none off."
    )
    becomes(lambda: capitals(page)["Cleo"], ["0 of 8", "burning, 16 of 8", "0 of 8"])
    hand.look()
    hand.button(re.compile("^Pass"))
    hand.button(re.compile("^Pass"))
    becomes(
        lambda: now(page)[0],
        "Both teams passed: the top of the stack resolves, or the phase ends; "
        "the active team has priority",
    )


def build_and_play_a_legend(hand: Player) -> None:
    page = hand.page
    hand.button(re.compile("^Turn to the other team"))
    hand.taps = 0
    choose(hand, "Dora", "Kingdom")
    hand.button(re.compile(r"^\+1"))
    assert hand.taps == 3
    becomes(lambda: capitals(page)["Dora"][0], "0 of 9 +1 development")
    hand.more("Bruno", "Plays legend", "Player")
    becomes(lambda: tallies(page), ["0 of 4 zones burning", "1 of 5 zones burning"])
    becomes(lambda: signs(page, "Bruno"), ["Legend"])
    hand.menu()
    hand.look()
    for missing in ("No monarch", "can’t lose", "Loses", "All concede"):
        expect(page.get_by_role("button", name=missing)).to_have_count(0)
    hand.in_sheet("Damage off")
    see(page, "Take damage off which zone?")
    hand.look()
    hand.close_sheet("Play on")


def correct_in_the_log(hand: Player) -> None:
    page = hand.page
    choose(hand, "Dora", "Kingdom")
    hand.number(6)
    hand.link("Log")
    expect(page.get_by_role("main")).to_contain_text("The quest of Cleo burns")
    hand.look()
    hand.link("Amend event 12")
    page.get_by_label("Damage", exact=True).fill("9")
    hand.look()
    hand.amend(12)
    expect(page.get_by_role("main")).to_contain_text("The kingdom of Dora burns")
    hand.link("Back to the pad")
    becomes(lambda: tallies(page)[1], "2 of 5 zones burning")


def burn_the_last_zones(hand: Player) -> None:
    page = hand.page
    for zone in ("Quest", "Battlefield"):
        choose(hand, "Dora", zone)
        hand.number(8)
    becomes(
        lambda: now(page)[0],
        "The battlefield of Dora burns: the team has 4 burning zones, and loses at 5. "
        "Dora plays on: only a team wins or loses",
    )
    hand.taps = 0
    choose(hand, "Cleo", "Kingdom")
    hand.number(8)
    assert hand.taps == 3


def check_the_end(hand: Player) -> None:
    page = hand.page
    expect(page.locator(".banner")).to_have_text(
        re.compile(r"Ada and Bruno win\s*The other team has 5 zones burning.")
    )
    hand.button(re.compile("^Undo"))
    becomes(lambda: tallies(page)[1], "4 of 5 zones burning")
    choose(hand, "Cleo", "Kingdom")
    hand.number(10)
    hand.look()
    hand.link("Final standings")
    see(page, "Ada and Bruno win")
    expect(page.get_by_role("main")).to_contain_text(
        "Ended by: the other team has 5 zones burning. 1 game"
    )
    becomes(
        lambda: words(page.locator(".podium .team")),
        [
            "1 Ada and Bruno won · 0 of 4 zones burning",
            "2 Cleo and Dora lost · 5 of 5 zones burning",
        ],
    )
    becomes(lambda: words(page.locator(".podium .mate b")), NAMES)
    becomes(lambda: tallies(page), ["0 of 4 zones burning", "5 of 5 zones burning"])
    hand.look()

    (log,) = document.read_all(json.loads(page.request.get(f"{page.url}log.json").text()))
    assert document.play(log).games[0].state.winners == (1, 2)


# --- six players, and without a connection ---
@pytest.mark.parametrize("width", [360, 393, 1280])
def test_six_capitals_have_room_for_fingers_on_every_page(new_context, site, width):
    table = commands.create_set(REALM_WARS, LONG_NAMES, seed=SEED)
    commands.start_game(table, 1)
    record(table, *LATE)
    context = new_context()
    give_key(context, site.address, table)
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": 640})
    console = Console(page)
    for view, args in PAGES:
        page.goto(address(table, view, *args))
        assert (view, args, complaints(page, width)) == (view, args, [])
    assert console.complaints(200) == []


CUT = """(names) => names
  .filter((name) => name.scrollHeight > name.clientHeight + 3
    || name.scrollWidth > name.clientWidth)
  .map((name) => name.textContent)"""


@pytest.mark.parametrize("ruleset", [REALM_WARS, LEVELER], ids=lambda ruleset: ruleset.format)
def test_names_of_twenty_letters_are_whole_on_a_tablet_with_six_players(new_context, site, ruleset):
    table = commands.create_set(ruleset, TWENTY_LETTERS, seed=SEED)
    commands.start_game(table, 1, first=1)
    page = new_context().new_page()
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(address(table, "table"))

    names = page.locator(".post h2 > span:not(.vh)")
    becomes(lambda: sorted(words(names)), TWENTY_LETTERS)
    assert names.evaluate_all(CUT) == []


TWENTY_LETTERS = [
    *("Adalbert Ashenbrooke", "Bonaventura Belmonte", "Cleopatra Castiglio"),
    *("Dietlinde Drachenfel", "Emmanuel Eisenberger", "Fiordiligi Farnesina"),
]
LONG_NAMES = ["Maximiliane Konstanze von Hohenstaufen", "W" * 40, "Bo", "محمد الحسن", "Ev", "Fay"]
LATE = (
    ChangeDevelopments(4, "kingdom", 4),
    DamageZone((4,), "kingdom", 12),
    EmptyDeck((4,), True),
    PlayLegend(4),
    BeginPhase("battlefield"),
)
PAGES = [
    ("score", ()),
    ("more", (1,)),
    ("watch", ()),
    ("table", ()),
    ("log", ()),
    ("line", (1, 1)),
    *(("own", (1, move)) for move in ("repair", "development", "zone_damage", "phase", "assault")),
    *(("end", (1, what)) for what in ("concede", "win", "draw")),
]


def test_damage_waits_on_the_phone_until_there_is_a_connection(new_context, site):
    table = set_up(ruleset=REALM_WARS)
    context = new_context()
    give_key(context, site.address, table)
    page = context.new_page()
    hand = Hand(page)
    page.goto(address(table, "score"))
    expect(page.locator("#net [data-net=live]")).to_be_visible()

    context.set_offline(True)
    choose(hand, "Cy", "Quest")
    hand.send(page.get_by_role("button", name="Hit for 3", exact=True))
    expect(page.locator("#outbox")).to_have_text("Cy · Quest · 3, waiting")
    context.set_offline(False)

    expect(page.get_by_label("Capital of Cy")).to_contain_text("3")
    becomes(lambda: last_event(page), "1 Cy: quest takes 3 damage")
