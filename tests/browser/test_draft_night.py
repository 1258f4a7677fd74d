"""A night of a Conspiracy draft: what the scorekeeper, a player's phone and a watcher see."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scoring.models import GameSet
from scoring.play import commands
from scoring.rules.formats.conspiracy_draft import CONSPIRACY_DRAFT
from tests.decks.cards import given
from tests.decks.cards import record as card
from tests.scoring.tables import SEED, address

from .checks import complaints
from .hand import Hand, becomes, give_key, see
from .test_draft import enter

WIDTH = 360
NAMES = [
    *("Adalbert Ashenbrooke", "Bonaventura Belmonte", "Cleopatra Castiglion"),
    *("Dietlinde Drachenfel", "Emmanuel Eisenberger"),
]
ADA, BO, CLEO, DI, EMIL = NAMES
DECK = "A deck of Bonaventura"
HIDDEN = f"{DECK}, seen when the game is over"


@pytest.fixture
def browser_context_args(browser_context_args) -> dict[str, Any]:
    return browser_context_args | {"viewport": {"width": WIDTH, "height": 740}}


class DraftNight:
    """A draft on three phones, and then a game: the scorekeeper's, Bonaventura's, a watcher's."""

    def __init__(self, new_context, site) -> None:
        given(card("Plains", "Basic Land — Plains"), card("Noble Banneret"), card("Throne Warden"))
        self.draft = commands.create_set(CONSPIRACY_DRAFT, NAMES, key="the-key", seed=SEED)
        commands.start_game(self.draft, 1, first=1)
        commands.change_seat_key(self.draft, 2, "the-seat")
        keeping = new_context()
        give_key(keeping, site.address, self.draft)
        self.keeper, self.player, self.watcher = (
            each.new_page() for each in (keeping, new_context(), new_context())
        )
        self.hand = Hand(self.keeper)
        self.keeper.goto(address(self.draft, "score"))
        self.player.goto(address(self.draft, "take_seat_key", "the-seat"))
        self.watcher.goto(address(self.draft, "watch"))

    @property
    def phones(self) -> tuple[Page, ...]:
        return self.keeper, self.player, self.watcher

    def all_see(self, *texts: str) -> None:
        for page in self.phones:
            for text in texts:
                expect(page.locator("main")).to_contain_text(text, use_inner_text=True)

    def all_have_room(self) -> None:
        assert [complaints(page, WIDTH) for page in self.phones] == [[]] * len(self.phones)

    def turn(self) -> None:
        self.hand.button(re.compile("^Turn"))


@pytest.fixture
def night(new_context, site) -> DraftNight:
    return DraftNight(new_context, site)


def test_a_night_goes_from_the_draft_over_a_game_to_another_with_its_decks(night: DraftNight):
    draft_three_rounds(night)
    build_a_deck(night)
    seat_the_table(night)
    play_to_the_end(night)
    play_again(night)


def draft_three_rounds(night: DraftNight) -> None:
    hand = night.hand
    night.all_see("Pass left · round 1")
    enter(hand, BO, "Noble Banneret", "Face up")
    enter(hand, ADA, "Regicide", "Reveal", name="blue, red, white")
    night.all_see("Noble Banneret face up", "blue, red, white for Regicide")
    hand.button(re.compile("^All picked a card"))
    night.all_see("Pass left · round 1 · pick 2")
    hand.link(f"Note for Noble Banneret of {BO}")
    night.keeper.get_by_label("Name").fill("Throne Warden")
    with night.keeper.expect_navigation():
        hand.send(night.keeper.get_by_role("button", name="Note, and turn it face down"))
    night.all_see("Throne Warden for Noble Banneret")
    for page in night.phones:
        expect(page.get_by_text("Noble Banneret face up")).to_have_count(0)
    night.all_have_room()
    for headline in ("Pass right · round 2", "Pass left · round 3"):
        hand.button(re.compile("^Next"))
        night.all_see(headline)
    hand.button(re.compile("^End"))
    night.all_see("The draft is over")


def build_a_deck(night: DraftNight) -> None:
    """Build a deck on the player's own phone, out of what was noted."""
    player = night.player
    player.get_by_role("link", name="Build your deck").tap()
    expect(player.locator("main")).to_contain_text("At least 40 cards")
    player.get_by_role("link", name=f"Build a deck for {BO}").tap()
    pool = player.get_by_label("Deck list")
    expect(pool).to_have_value("Pool\n1 Noble Banneret\n1 Throne Warden\n")
    pool.fill(pool.input_value() + "\nDeck\n40 Plains")
    player.get_by_role("button", name="Check", exact=True).tap()
    player.get_by_label("Name of the deck").fill(DECK)
    player.get_by_role("button", name="Save", exact=True).tap()
    verdict = player.get_by_role("region", name="Verdict").get_by_role("heading")
    expect(verdict).to_have_text("Legal")


def seat_the_table(night: DraftNight) -> None:
    """Draw the table; the player brings the deck there, by the link of the own seat."""
    hand, keeper, player = night.hand, night.keeper, night.player
    deck = player.url
    hand.link("Seat the tables")
    hand.button("Split into tables")
    expect(keeper.get_by_role("link", name="Scan to keep score")).to_have_count(1)
    night.watcher.goto(address(night.draft, "watch"))
    night.all_have_room()
    (table,) = GameSet.objects.filter(draft=night.draft)
    hand.link(re.compile("^Keep score here"))
    hand.tap(keeper.get_by_role("button", name="Players’ links"))
    see(keeper, "A link for each player")
    player.goto(keeper.get_by_label(f"Link for {BO}").input_value())
    player.goto(deck)
    player.get_by_role("link", name="Bring it to a table").tap()
    player.get_by_role("button", name=f"To {BO}’s seat").tap()
    expect(player.get_by_text(HIDDEN)).to_be_visible()
    keeper.goto(address(table, "score"))
    player.goto(address(table, "seat"))
    night.watcher.goto(address(table, "watch"))


def play_to_the_end(night: DraftNight) -> None:
    """Play on all phones; at each turn each says whose it is, and what has happened."""
    hand, keeper = night.hand, night.keeper
    hand.tap(keeper.get_by_role("group", name="Who starts?").get_by_role("radio", name=BO))
    hand.send(keeper.get_by_role("button", name="Start", exact=True))
    expect(night.player.locator(".whose-turn")).to_have_text("It’s your turn")
    hit(night, CLEO, 7)
    night.all_see(f"{BO} hits {CLEO} for 7")

    turn_to(night, CLEO, f"{CLEO}’s turn")
    hand.button(re.compile("^Crown"))
    night.all_see(f"{CLEO} is the monarch and draws a card at their end step")
    hit(night, BO, 5)
    turn_to(night, ADA, f"{ADA}’s turn")
    night.all_see(f"{CLEO}, the monarch, draws a card at the end step")
    hit(night, EMIL, 20)
    night.all_see(f"{EMIL} is out: no life left")
    night.all_have_room()

    turn_to(night, DI, f"{DI}’s turn, you are next")
    hit(night, ADA, 20)
    night.all_see(f"{ADA} is out: no life left")
    turn_to(night, BO, "It’s your turn")
    hit(night, DI, 20)
    hit(night, CLEO, 13)
    check_the_end(night)


def turn_to(night: DraftNight, name: str, on_own_phone: str) -> None:
    """Pass the turn, and see on each phone whose it is."""
    night.turn()
    night.all_see(f"{name}’s turn begins")
    expect(night.player.locator(".whose-turn")).to_have_text(on_own_phone)


def hit(night: DraftNight, name: str, amount: int) -> None:
    night.hand.target(name)
    if amount > 10:
        night.hand.typed(amount)
    else:
        night.hand.number(amount)


def check_the_end(night: DraftNight) -> None:
    """See who won on each phone, and now also what was in the deck."""
    for page in (night.keeper, night.player):
        expect(page.locator(".banner h2")).to_have_text(f"{BO} wins")
    expect(night.watcher.get_by_role("heading", level=1)).to_have_text(f"{BO} wins")
    expect(night.watcher.get_by_role("link", name=DECK)).to_be_visible()
    results = night.watcher.locator(".podium .sub")
    becomes(lambda: [" ".join(each.inner_text().split()) for each in results.all()], RESULTS)
    night.all_have_room()


RESULTS = [
    *("won", "40 damage dealt · crowned once"),
    *(
        f"out in turn 5: no life left, by {BO}, outlasted 3 opponents",
        "5 damage dealt · crowned once",
    ),
    *(f"out in turn 5: no life left, by {BO}, outlasted 2 opponents", "20 damage dealt"),
    *(f"out in turn 4: no life left, by {DI}, outlasted 1 opponent", "20 damage dealt"),
    f"out in turn 3: no life left, by {ADA}",
]


def play_again(night: DraftNight) -> None:
    """Play the next game of the draft, with its decks and notes."""
    hand, watcher = night.hand, night.watcher
    expect(night.keeper.get_by_role("button", name="Play again, same seats")).to_have_count(0)
    hand.button("Play again with these decks")
    see(night.keeper, "Conspiracy")
    again = GameSet.objects.filter(draft=night.draft).latest("pk")
    decks = again.seats.filter(deck__isnull=False).values_list("name", "deck__deck__name")
    assert [*decks] == [(BO, DECK)]
    watcher.goto(address(again, "watch"))
    watcher.get_by_text("Notes of the draft").first.click()
    for text in ("blue, red, white", "Throne Warden", HIDDEN):
        expect(watcher.locator("main")).to_contain_text(text)
    draft = watcher.get_by_role("link", name="The draft")
    expect(draft).to_have_attribute("href", address(night.draft, "watch"))
    assert complaints(watcher, WIDTH) == []
