"""A game of Realm Wars on a phone, from the start page to the final page."""

import re

import pytest
from playwright.sync_api import Page, expect

from scoring.play import commands
from scoring.rules.formats.leveler import LEVELER
from scoring.rules.formats.realm_wars import REALM_WARS
from tests.scoring.tables import SEED, address, set_up

from .checks import complaints
from .hand import Hand, becomes, give_key, last_event, problem, see, signs, words

NAMES = ["Ada", "Bruno", "Cleo", "Dora"]
EMPTY = ["0 of 8"] * 3


@pytest.fixture
def hand(page: Page) -> Hand:
    return Hand(page)


def look(hand: Hand) -> None:
    assert complaints(hand.page, 393) == []


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
    return words(page.locator(".players .burnt b"))


def reminders(page: Page) -> list[str]:
    return words(page.get_by_role("list", name="Reminders").get_by_role("listitem"))


def now(page: Page) -> list[str]:
    return words(page.locator("#happened > li"))


def choose(hand: Hand, name: str, zone: str) -> None:
    for label in (name, zone):
        hand.tap(hand.page.locator("#pad").get_by_role("radio", name=label))


def test_a_game_of_realm_wars_is_played_by_taps_to_its_end(hand):
    start(hand)
    attack(hand)
    refuse_what_burns(hand)
    build_and_play_a_legend(hand)
    burn_the_last_zones(hand)
    check_the_end(hand)


def start(hand: Hand) -> None:
    page = hand.page
    hand.start("realm-wars", NAMES, first="Bruno")
    see(page, "Realm Wars")
    becomes(lambda: capitals(page), dict.fromkeys(NAMES, EMPTY))
    becomes(lambda: tallies(page), ["0 of 4 zones burning"] * 2)
    expect(page.get_by_role("region", name="The start")).to_contain_text("Ada and Bruno start.")
    becomes(lambda: [signs(page, name) for name in NAMES], [["Commander"], [], ["Commander"], []])
    becomes(lambda: len(reminders(page)), 2)
    look(hand)


def attack(hand: Hand) -> None:
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
    look(hand)


def refuse_what_burns(hand: Hand) -> None:
    page = hand.page
    hand.number(1)
    expect(problem(page)).to_have_text(
        "The quest of Cleo burns already: it takes no more damage, and none off."
    )
    becomes(lambda: capitals(page)["Cleo"], ["0 of 8", "burning, 16 of 8", "0 of 8"])
    look(hand)
    hand.button(re.compile("^Pass"))
    hand.button(re.compile("^Pass"))
    becomes(
        lambda: now(page)[0],
        "Both teams passed: the top of the stack resolves, or the phase ends; "
        "the active team has priority",
    )


def build_and_play_a_legend(hand: Hand) -> None:
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
    look(hand)
    hand.in_sheet("Damage off")
    see(page, "Take damage off which zone?")
    look(hand)
    hand.close_sheet("Play on")


def burn_the_last_zones(hand: Hand) -> None:
    page = hand.page
    for zone in ("Kingdom", "Quest", "Battlefield"):
        choose(hand, "Dora", zone)
        hand.number(9)
    becomes(
        lambda: now(page)[0],
        "The battlefield of Dora burns: the team has 4 burning zones, and loses at 5. "
        "Dora plays on: only a team wins or loses",
    )
    choose(hand, "Cleo", "Kingdom")
    hand.number(8)
    expect(page.locator(".banner")).to_have_text(
        re.compile(r"Ada and Bruno win\s*The other team has 5 zones burning.")
    )
    look(hand)


def check_the_end(hand: Hand) -> None:
    page = hand.page
    hand.link("Final standings")
    see(page, "Ada and Bruno win")
    becomes(
        lambda: words(page.locator(".podium .team")),
        [
            "1 Ada and Bruno won · 0 of 4 zones burning",
            "2 Cleo and Dora lost · 5 of 5 zones burning",
        ],
    )


CUT = """(names) => names
  .filter((name) => name.scrollHeight > name.clientHeight + 3
    || name.scrollWidth > name.clientWidth)
  .map((name) => name.textContent)"""


@pytest.mark.parametrize("ruleset", [REALM_WARS, LEVELER], ids=lambda ruleset: ruleset.format)
def test_names_of_twenty_letters_are_whole_on_a_tablet_with_six_players(page, site, ruleset):
    table = commands.create_set(ruleset, TWENTY_LETTERS, seed=SEED)
    commands.start_game(table, 1, first=1)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(address(table, "table"))

    names = page.locator(".post h2 > span:not(.vh)")
    becomes(lambda: sorted(words(names)), TWENTY_LETTERS)
    assert names.evaluate_all(CUT) == []


TWENTY_LETTERS = [
    *("Adalbert Ashenbrooke", "Bonaventura Belmonte", "Cleopatra Castiglio"),
    *("Dietlinde Drachenfel", "Emmanuel Eisenberger", "Fiordiligi Farnesina"),
]


def test_damage_waits_on_the_phone_until_there_is_a_connection(page, site):
    table = set_up(ruleset=REALM_WARS)
    give_key(page.context, site.address, table)
    hand = Hand(page)
    page.goto(address(table, "score"))
    expect(page.locator("#net [data-net=live]")).to_be_visible()

    page.context.set_offline(True)
    choose(hand, "Cy", "Quest")
    hand.tap(page.get_by_role("button", name="Hit for 3", exact=True))
    expect(page.locator("#outbox")).to_have_text("Cy · Quest · 3, waiting")
    page.context.set_offline(False)

    expect(page.get_by_label("Capital of Cy")).to_contain_text("3")
    becomes(lambda: last_event(page), "1 Cy: quest takes 3 damage")
