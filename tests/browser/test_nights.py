"""Whole nights on phones of their own: what the scorekeeper and a watcher see at each turn."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scoring.models import GameSet
from scoring.play import commands
from scoring.rules.formats.conspiracy import CONSPIRACY
from scoring.rules.formats.leveler import LEVELER
from scoring.rules.formats.realm_wars import REALM_WARS
from scoring.rules.ruleset import Ruleset
from tests.scoring.tables import SEED, address

from .checks import complaints
from .hand import Hand, becomes, give_key, see

WIDTH = 360
ADA, BO, CLEO, DI, EMIL, FAY = (
    *("Adalbert Ashenbrooke", "Bonaventura Belmonte", "Cleopatra Castiglione"),
    *("Dietlinde Drachenfels", "Emmanuel Eisenberger", "Fiordiligi Farnesina"),
)


@pytest.fixture
def browser_context_args(browser_context_args) -> dict[str, Any]:
    return browser_context_args | {"viewport": {"width": WIDTH, "height": 740}}


class Night:
    """A game on two phones: a hand that keeps the score, and somebody who looks on."""

    def __init__(self, ruleset: Ruleset, players: int, new_context, site) -> None:
        names = [ADA, BO, CLEO, DI, EMIL, FAY][:players]
        self.table: GameSet = commands.create_set(ruleset, names, key="the-key", seed=SEED)
        commands.start_game(self.table, 1, first=1)
        keeping = new_context()
        give_key(keeping, site.address, self.table)
        self.keeper, self.watcher = keeping.new_page(), new_context().new_page()
        self.hand = Hand(self.keeper)
        self.keeper.goto(address(self.table, "score"))
        self.watcher.goto(address(self.table, "watch"))
        self.wait_until_it_follows()

    @property
    def phones(self) -> tuple[Page, ...]:
        return self.keeper, self.watcher

    def wait_until_it_follows(self) -> None:
        expect(self.keeper.locator("#net [data-net=live]")).to_be_visible()

    def both_see(self, *lines: str) -> None:
        """Expect what happened and what is to be done, on all phones and nothing cut."""
        for page in self.phones:
            expect(page.locator("#happened > li")).to_have_text(list(lines))
            cut = "(line) => line.scrollWidth > line.clientWidth"
            assert not any(line.evaluate(cut) for line in page.locator("#happened > li").all())

    def both_have_room(self) -> None:
        assert [complaints(page, WIDTH) for page in self.phones] == [[]] * len(self.phones)

    def turn(self) -> None:
        self.hand.button(re.compile("^Turn"))


@pytest.fixture
def leveler(new_context, site) -> Night:
    return Night(LEVELER, 5, new_context, site)


def levels(page: Page) -> list[tuple[str, str]]:
    """Return level and life of each player, from top to bottom."""
    return [
        tuple(_last_word(row.locator(place).inner_text()) for place in (".life b", ".vp b"))
        for row in page.locator(".player").all()
    ]


def _last_word(text: str) -> str:
    return text.split()[-1]


def test_a_night_of_leveler(leveler: Night):
    hand, both_see = leveler.hand, leveler.both_see
    both_see()
    hand.target(BO)
    hand.number(10)
    both_see(f"{BO}, level 2: exile your library, shuffle in your 30")
    leveler.both_have_room()

    leveler.turn()
    both_see(f"{BO}’s turn begins")
    hand.button(re.compile("^Empty library"))
    both_see(f"{BO}, level 3: your library is empty, shuffle in your 20")

    leveler.turn()
    hand.button(re.compile("^Empty library"))
    both_see(f"{CLEO}, level 2: your library is empty, shuffle in your 30")

    leveler.turn()
    hand.target(CLEO)
    hand.number(10)
    both_see(f"{CLEO}: 10 damage taken, already at level 2: nothing is exiled")
    hand.target(ADA)
    hand.typed(20)
    both_see(f"{ADA}, level 3: exile your library and your 30, shuffle in your 20")
    here = [("3", "10"), ("3", "20"), ("2", "20"), ("1", "30"), ("1", "30")]
    becomes(lambda: [levels(page) for page in leveler.phones], [here, here])

    leveler.turn()
    hand.target(ADA)
    hand.number(10)
    both_see(f"{ADA} is out: no life left")
    leveler.turn()
    both_see(f"{BO}’s turn begins")
    hand.button(re.compile("^Empty library"))
    both_see(f"{BO}: your last library is used up. You lose when you have to draw")
    leveler.both_have_room()
    hand.button(re.compile("^Draws from empty"))
    both_see(
        f"{BO} is out: drew from an empty library",
        f"The active player left: it is {CLEO}’s turn already",
    )

    hand.target(DI)
    hand.typed(30)
    both_see(f"{DI} is out: no life left")
    hand.target(EMIL)
    hand.typed(30)
    check_the_end_of_leveler(leveler)


def check_the_end_of_leveler(night: Night) -> None:
    expect(night.keeper.locator(".banner h2")).to_have_text(f"{CLEO} wins")
    expect(night.watcher.get_by_role("heading", level=1)).to_have_text(f"{CLEO} wins")
    places = night.watcher.locator(".podium li")
    expect(places.locator(".rank")).to_have_text(["1", "2", "2", "2", "2"])
    becomes(
        lambda: [" ".join(one.inner_text().split()) for one in places.locator(".sub").all()],
        [
            "won",
            "60 damage dealt · 10 taken · level 2",
            *FALLEN,
        ],
    )
    night.both_have_room()


FALLEN = (
    f"out in turn 7: no life left, by {CLEO}, outlasted 3 opponents",
    "10 damage dealt · 30 taken · level 1",
    f"out in turn 7: no life left, by {CLEO}, outlasted 2 opponents",
    "30 damage dealt · 30 taken · level 1",
    "out in turn 6: drew from an empty library, outlasted 1 opponent",
    "10 taken · level 3",
    f"out in turn 5: no life left, by {EMIL}",
    "10 damage dealt · 30 taken · level 3",
)


class War(Night):
    """Realm Wars of six, with the phones of a player of each team besides."""

    def __init__(self, new_context, site) -> None:
        super().__init__(REALM_WARS, 6, new_context, site)
        commands.change_seat_key(self.table, 2, "the-seat")
        self.player = new_context().new_page()
        self.player.goto(address(self.table, "take_seat_key", "the-seat"))
        self.other = new_context().new_page()
        commands.change_seat_key(self.table, 5, "the-other-seat")
        self.other.goto(address(self.table, "take_seat_key", "the-other-seat"))

    @property
    def phones(self) -> tuple[Page, ...]:
        return self.keeper, self.watcher, self.player, self.other

    def all_see_turn(self, phase: str, *, of_first_team: bool) -> None:
        """Expect the phase on each phone, and at the seats whose turn it is."""
        for page in (self.keeper, self.watcher):
            expect(page.locator(".headline")).to_have_text(f"{phase} phase")
        for page, is_own in ((self.player, of_first_team), (self.other, not of_first_team)):
            whose = "It’s your team’s turn" if is_own else "The other team’s turn"
            expect(page.locator(".whose-turn")).to_have_text(whose)
            expect(page.locator("#seat-game")).to_contain_text(f"{phase} phase")

    def all_see_burning(self, *tallies: str) -> None:
        """Expect how many zones of each team burn, on each phone and in the team's own colour."""
        for page in self.phones:
            expect(page.locator(".burnt b")).to_have_text([f"{tally} burning" for tally in tallies])
            colours = page.locator(".burnt").evaluate_all(BACKGROUNDS)
            assert len(set(colours)) == 2

    def all_see_capital(self, name: str, *zones: str) -> None:
        for page in self.phones:
            expect(page.get_by_label(f"Capital of {name}").get_by_role("listitem")).to_have_text(
                [re.compile(zone, re.DOTALL) for zone in zones]
            )


BACKGROUNDS = "(all) => all.map((one) => getComputedStyle(one).backgroundColor)"
FIRST = f"{ADA}, {BO} and {CLEO}"
SECOND = f"{DI}, {EMIL} and {FAY}"


@pytest.fixture
def war(new_context, site) -> War:
    return War(new_context, site)


def choose(night: Night, name: str, zone: str) -> None:
    for label in (name, zone):
        night.hand.tap(night.keeper.locator("#pad").get_by_role("radio", name=label))


def hit(night: Night, name: str, zone: str, amount: int) -> None:
    choose(night, name, zone)
    night.hand.number(amount)


def turn_of(team: str, phase: str) -> str:
    return f"{team}’s turn, {phase} phase"


def burns(zone: str, name: str, number: int, needed: int = 6) -> str:
    zones = "1 burning zone" if number == 1 else f"{number} burning zones"
    return f"The {zone} of {name} burns: the team has {zones}, and loses at {needed}"


def test_a_night_of_realm_wars(war: War):
    attack_a_zone(war)
    pass_priority_and_turn(war)
    read_the_rules(war)
    burn_all_that_is_needed(war)
    check_the_end_of_the_war(war)


def attack_a_zone(war: War) -> None:
    hand, both_see = war.hand, war.both_see
    both_see(turn_of(FIRST, "kingdom"))
    for phase in ("quest", "capital"):
        hand.button(f"Phase to {phase}")
        both_see(turn_of(FIRST, phase))
        war.all_see_turn(phase.capitalize(), of_first_team=True)
    hand.button("Phase to battlefield")
    both_see(
        turn_of(FIRST, "battlefield"),
        f"{ADA}, the Commander, chooses the one zone that the team attacks",
    )
    war.all_see_burning("0 of 6 zones", "0 of 6 zones")
    choose(war, EMIL, "Quest")
    hand.button("Attack")
    attacked = f"Only the quest of {EMIL} is attacked: only cards in it defend"
    both_see(turn_of(FIRST, "battlefield"), attacked)
    war.all_see_capital(EMIL, "0.*8", "attacked.*0.*8", "0.*8")
    war.both_have_room()
    hand.number(8)
    both_see(burns("quest", EMIL, 1), turn_of(FIRST, "battlefield"), attacked)
    war.all_see_burning("0 of 6 zones", "1 of 6 zones")
    war.all_see_capital(EMIL, "0.*8", "attacked.*burning.*8.*8", "0.*8")


def pass_priority_and_turn(war: War) -> None:
    hand, both_see = war.hand, war.both_see
    attacked = f"Only the quest of {EMIL} is attacked: only cards in it defend"
    hand.button(re.compile("^Pass"))
    both_see(f"{SECOND} act or pass, in the other team’s battlefield phase", attacked)
    war.all_see_turn("Battlefield", of_first_team=True)
    hand.button(re.compile("^Pass"))
    both_see(
        "Both teams passed: the top of the stack resolves, or the phase ends; "
        "the active team has priority",
        turn_of(FIRST, "battlefield"),
        attacked,
    )
    hand.button("Turn to the other team")
    both_see(turn_of(SECOND, "kingdom"))
    war.all_see_turn("Kingdom", of_first_team=False)
    hit(war, BO, "Kingdom", 8)
    both_see(burns("kingdom", BO, 1), turn_of(SECOND, "kingdom"))
    war.all_see_burning("1 of 6 zones", "1 of 6 zones")
    hand.button("Turn to the other team")
    both_see(turn_of(FIRST, "kingdom"))


def read_the_rules(war: War) -> None:
    """All answers are one tap away from every phone, with those of the phase first."""
    for page in war.phones:
        came_from = page.url
        page.get_by_role("link", name=re.compile("^Rules")).tap()
        expect(page.locator(".answers h2").first).to_have_text("In the kingdom phase")
        expect(page.locator(".answers dt")).to_have_count(18)
        page.get_by_role("link", name="Back to the game").tap()
        expect(page.locator(".answers")).to_have_count(0)
        assert page.url == came_from


def burn_all_that_is_needed(war: War) -> None:
    both_see, turn = war.both_see, turn_of(FIRST, "kingdom")
    for number, zone in enumerate(("Kingdom", "Battlefield"), 2):
        hit(war, EMIL, zone, 9)
        plays_on = f". {EMIL} plays on: only a team wins or loses" if number == 3 else ""
        both_see(burns(zone.lower(), EMIL, number) + plays_on, turn)
    war.hand.more(BO, "Plays legend", "Player")
    both_see(f"{FIRST} now need 7 burning zones to win", turn)
    war.all_see_burning("1 of 6 zones", "3 of 7 zones")
    for number, zone in enumerate(("Kingdom", "Quest"), 4):
        hit(war, FAY, zone, 8)
        both_see(burns(zone.lower(), FAY, number, 7), turn)
    war.both_have_room()
    hit(war, DI, "Quest", 10)
    both_see(burns("quest", DI, 6, 7), turn)
    hit(war, DI, "Kingdom", 8)


def check_the_end_of_the_war(war: War) -> None:
    expect(war.watcher.get_by_role("heading", level=1)).to_have_text(f"{FIRST} win")
    for page in (war.keeper, war.player, war.other):
        expect(page.locator(".banner h2")).to_have_text(f"{FIRST} win")
        expect(page.locator("#happened > li")).to_have_text(
            [
                burns("kingdom", DI, 7, 7),
                f"{SECOND} lose: 7 zones burning",
                f"{FIRST} win",
            ]
        )
    for page in (war.keeper, war.watcher):
        becomes(
            partial(lines_of, page, ".podium .team"),
            [
                f"1 {FIRST} won · 1 of 6 zones burning",
                f"2 {SECOND} lost · 7 of 7 zones burning",
            ],
        )
    becomes(
        lambda: lines_of(war.watcher, ".podium .mate"),
        [
            f"{ADA} no zone burned",
            f"{BO} 8 damage taken · kingdom burned · played an Eternal War legend",
            f"{CLEO} no zone burned",
            f"{DI} 18 damage taken · kingdom and quest burned",
            f"{EMIL} 26 damage taken · kingdom, quest and battlefield burned",
            f"{FAY} 16 damage taken · kingdom and quest burned",
        ],
    )
    war.both_have_room()


def lines_of(page: Page, place: str) -> list[str]:
    return [" ".join(one.inner_text().split()) for one in page.locator(place).all()]


# --- Conspiracy, with a player's own phone ---
class Council(Night):
    """A game on three phones: Bonaventura has the link of his seat."""

    def __init__(self, new_context, site) -> None:
        self.own: Page | None = None
        super().__init__(CONSPIRACY, 3, new_context, site)
        commands.change_seat_key(self.table, 2, "the-key-of-a-seat")
        self.own = new_context().new_page()
        self.own.goto(address(self.table, "take_seat_key", "the-key-of-a-seat"))

    @property
    def phones(self) -> tuple[Page, ...]:
        return (self.keeper, self.watcher, self.own) if self.own else (self.keeper, self.watcher)

    def all_say(self, *texts: str) -> None:
        for page in self.phones:
            for text in texts:
                expect(page.locator("main")).to_contain_text(text, use_inner_text=True)

    def seal(self, card: str, name: str) -> None:
        """Add a conspiracy face down on the player's own phone."""
        self.own.get_by_role("link", name="Add a conspiracy").tap()
        form = self.own.get_by_role("form", name="Face down")
        form.get_by_label("Conspiracy", exact=True).fill(card)
        form.get_by_label("Named card", exact=True).fill(name)
        form.get_by_role("button", name="Seal it").tap()

    def vote(self, name: str, option: str) -> None:
        """Vote for somebody who has no phone out."""
        expect(self.keeper.get_by_role("group", name=f"{name} votes for")).to_be_visible()
        self.hand.send(self.keeper.get_by_role("button", name=option, exact=True))


@pytest.fixture
def council(new_context, site) -> Council:
    return Council(new_context, site)


SEALED = ("Natural Unity", "Forest Bear")
CROWNED = "{} is the monarch and draws a card at their end step"
OGRE = f"{BO}’s Ogre, goaded by {ADA}: attacks each combat if able, and somebody else if able"


def test_a_night_of_conspiracy(council: Council):
    hand, keeper, own, both_see = council.hand, council.keeper, council.own, council.both_see
    check_the_start_of_conspiracy(council)

    # The crown, and a goaded creature.
    hand.button(re.compile("^Crown"))
    both_see(CROWNED.format(ADA))
    hand.link("Goad")
    keeper.get_by_label(re.compile("^Creature")).fill("Ogre")
    hand.tap(keeper.get_by_role("group", name="Who controls it").get_by_role("radio", name=BO))
    with keeper.expect_navigation():
        hand.send(keeper.get_by_role("button", name="Record"))
    both_see(OGRE, CROWNED.format(ADA))
    council.turn()
    both_see(f"{ADA}, the monarch, draws a card at the end step", f"{BO}’s turn begins", OGRE)
    expect(own.locator("main")).to_contain_text("It’s your turn")

    # The goaded creature takes the crown.
    hand.target(ADA)
    hand.number(4)
    both_see(CROWNED.format(BO), OGRE)
    council.both_have_room()
    check_a_vote(council)
    go_round_the_table(council)
    check_the_end_of_conspiracy(council)


def check_the_start_of_conspiracy(night: Council) -> None:
    """Seal on the own phone, and put a conspiracy face up: all see that, and no secret."""
    night.seal(*SEALED)
    expect(night.own.locator("main")).to_contain_text("1 face down, sealed")
    night.hand.link("Agenda")
    form = night.keeper.get_by_role("form", name="Face up")
    form.get_by_role("radio", name=CLEO).tap()
    form.get_by_label(re.compile("^\\s*Conspiracy, without")).fill("Sovereign's Realm")
    night.hand.send(form.get_by_role("button", name="Put it face up"))
    expect(night.keeper.get_by_text("Conspiracies face up: 1")).to_be_visible()
    night.keeper.get_by_text("Conspiracies face up: 1").tap()
    night.all_say("Sovereign's Realm", "1 face down")
    shown = [page.content() for page in night.phones]
    assert [secret for secret in SEALED if any(secret in page for page in shown)] == []
    night.both_have_room()


def check_a_vote(night: Council) -> None:
    """Call a vote on the own phone: all vote in turn order, and see the tally at once."""
    jays = "Messenger Jays: {} votes {}".format
    night.own.get_by_role("link", name="Call a vote").tap()
    see(night.own, "Call a vote")
    assert complaints(night.own, WIDTH) == []
    night.own.get_by_role("button", name="Messenger Jays").tap()
    night.all_say(jays(BO, "for feather or quill"))
    expect(night.keeper.get_by_role("group", name=f"{BO} votes for")).to_be_in_viewport()
    night.own.get_by_role("button", name="quill", exact=True).tap()
    night.all_say(jays(CLEO, "(so far feather 0, quill 1)"))
    expect(night.own.get_by_role("group", name="You vote for")).to_have_count(0)
    expect(night.watcher.locator("main")).to_contain_text(f"{CLEO} votes now, then {ADA}.")
    night.both_have_room()
    night.vote(CLEO, "feather")
    night.all_say(jays(ADA, "(so far feather 1, quill 1)"))
    night.vote(ADA, "quill")
    night.all_say("Council's dilemma, in this order: feather 1, quill 2")


def go_round_the_table(night: Council) -> None:
    """See each turn on each phone: the monarch's card, and that the goad ends with its turn."""
    drawn = f"{BO}, the monarch, draws a card at the end step"
    ended = f"{BO}’s Ogre is no longer goaded by {ADA}"
    for on_own_phone, *lines in (
        (f"{CLEO}’s turn", drawn, f"{CLEO}’s turn begins"),
        (f"{ADA}’s turn, you are next", f"{ADA}’s turn begins", ended),
        ("It’s your turn", f"{BO}’s turn begins", CROWNED.format(BO)),
    ):
        night.turn()
        night.both_see(*lines)
        expect(night.own.locator(".whose-turn")).to_have_text(on_own_phone)


def check_the_end_of_conspiracy(night: Council) -> None:
    """Reveal on the own phone what helped to win, and see the same result on each phone."""
    night.own.get_by_role("button", name=re.compile("^Look at it")).tap()
    night.own.get_by_role("button", name="Turn it face up").tap()
    night.all_say(f"{BO} turns Natural Unity face up, which names Forest Bear: as sealed")
    expect(night.keeper.get_by_text("Conspiracies face up: 2")).to_be_visible()
    night.both_have_room()
    tablet = night.watcher.context.new_page()
    tablet.goto(address(night.table, "table"))
    for name, card in ((BO, "Natural Unity, names Forest Bear"), (CLEO, "Sovereign's Realm")):
        expect(tablet.get_by_role("list", name=f"Conspiracies of {name}")).to_have_text(card)
    tablet.close()

    night.hand.target(ADA)
    night.hand.typed(16)
    night.all_say(f"{ADA} is out: no life left")
    night.hand.target(CLEO)
    night.hand.typed(20)
    for page in (night.keeper, night.own):
        expect(page.locator(".banner h2")).to_have_text(f"{BO} wins")
    expect(night.watcher.get_by_role("heading", level=1)).to_have_text(f"{BO} wins")
    results = night.watcher.locator(".podium .sub")
    becomes(
        lambda: [" ".join(one.inner_text().split()) for one in results.all()],
        [
            *("won", "40 damage dealt · crowned once"),
            f"out in turn 5: no life left, by {BO}, outlasted 1 opponent",
            *(f"out in turn 5: no life left, by {BO}", "crowned once · goaded 1 creature"),
        ],
    )
    night.both_have_room()
