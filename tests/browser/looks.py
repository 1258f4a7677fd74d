"""Every page of tables as somebody meets it, each with the table that it shows."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from decks.models import Deck
from scoring.models import GameSet
from scoring.record import commands
from scoring.rules.corrections import Amend, Entry, Strike, Undo
from scoring.rules.damage import DealDamage, Hit, Kind
from scoring.rules.formats import COALITION_906, COALITION_2026, COALITION_README, Ruleset
from scoring.rules.moves import (
    ChangeLife,
    ChangePoison,
    Concede,
    CrownMonarch,
    Draw,
    Hold,
    Lose,
    MoveHero,
    PassTurn,
    Win,
)
from scoring.rules.results import EnterResult
from scoring.rules.state import Zone
from tests.scoring.rules.play import ANN, BO, CY, DI, EV, hit
from tests.scoring.tables import SEED, address, record, set_up

LONG_NAMES = [
    "Maximiliane Konstanze von Hohenstaufen-Rabenau zu Wittgenstein",
    "W" * 40,
    "Ünal Çağlar Öztürk",
    "Bo",
    "محمد الحسن",
]
TWO_HITS = "?collected=1.2.3.combat.0.0.0&collected=1.3.12.combat.1.1.2"

# Every kind of event but those that end a game. Three lines are struck, amended or undone.
EVENTS: tuple[Entry, ...] = (
    hit(ANN, BO, 3),
    hit(ANN, BO, 2),
    PassTurn(),
    DealDamage(
        (
            Hit(source=ANN, target=BO, amount=4, kind=Kind.COMBAT, infect=True),
            Hit(source=ANN, target=CY, amount=6, kind=Kind.COMBAT, lifelink=True, toxic=2),
        )
    ),
    ChangeLife({ANN: 5, CY: -2}),
    ChangePoison({CY: 1}),
    MoveHero(ANN, Zone.HAND),
    CrownMonarch(ANN),
    Hold(CY, cannot_lose=True, cannot_win=True),
    Concede(DI),
    hit(None, BO, 1, "other"),
    Strike(2),
    Amend(1, hit(ANN, BO, 4)),
    Undo(11),
    hit(ANN, CY, 1),
)


def stay(page: Page) -> None:
    """Tap nothing."""


@dataclass(frozen=True)
class Look:
    """One page: where it is, whose keys the browser holds, what was tapped, how it answers."""

    name: str
    path: str
    table: GameSet | None = None
    deck: Deck | None = None
    tap: Callable[[Page], None] = stay
    status: int = 200


def of(table: GameSet, name: str, view: str, *args: object, query: str = "", **more: Any) -> Look:
    return Look(name, address(table, view, *args) + query, table, **more)


def by_a_stranger(look: Look, status: int = 200) -> Look:
    return replace(look, name=f"{look.name}, for a stranger", table=None, deck=None, status=status)


def without_a_table() -> list[Look]:
    return [
        Look("home", reverse("home")),
        Look("home, with tables", reverse("home"), finished()),
        Look("start", reverse("start")),
        Look("start, refused", reverse("start"), tap=seat_a_player_twice, status=422),
        Look("not found", reverse("watch", args=["22222222"]), status=404),
    ]


def on_the_pad() -> list[Look]:
    two, four, five = seat(2), seat(4), eventful()
    record(four, hit(ANN, BO, 3), hit(BO, ANN, 2))
    rolled, left = named(COALITION_906), seat(3)
    commands.start_game(rolled, 1)
    record(left, Lose((ANN,), "decked"))
    return [
        of(two, "pad of two", "score"),
        of(four, "pad of four", "score"),
        of(five, "pad of five", "score"),
        of(rolled, "pad, the start rolled", "score"),
        of(left, "pad, the active player left", "score"),
        of(four, "pad, hits collected", "score", query=TWO_HITS),
        of(four, "pad, signs open", "score", tap=open_signs),
        of(five, "pad of five, collected, signs open", "score", query=TWO_HITS, tap=open_signs),
        of(two, "pad, refused", "score", tap=hit_nobody, status=422),
    ]


def that_ask() -> list[Look]:
    five, two = eventful(), seat(2)
    record(two, hit(ANN, BO, 3))
    return [
        of(five, "more", "more", 1),
        of(five, "more, refused", "more", 1, tap=lose_no_life, status=422),
        *(
            of(five, f"{what}{who}", "end", 1, what, query=who)
            for what in ("concede", "concede_to", "lose", "win")
            for who in ("", "?player=1&players=1&players=2")
        ),
        *(of(five, what, "end", 1, what) for what in ("draw", "turn")),
        of(two, "concede, one opponent left", "end", 1, "concede", query="?player=2"),
        of(named_five(), "result", "own", 1, "result"),
    ]


def between_games() -> list[Look]:
    lowest, called, drawn = (seat(3) for _ in range(3))
    for table in (lowest, called):
        record(table, hit(BO, CY, 3), hit(ANN, BO, 21))
    commands.call_set(called)
    record(drawn, hit(BO, CY, 3), Draw("time"))
    tied = record_in(seat(4), hit(ANN, BO, 21))
    standing = record_in(seat(4, ruleset=COALITION_2026), hit(BO, CY, 3), hit(ANN, BO, 21))
    return [
        of(named(COALITION_906), "before game 1", "score"),
        of(named(COALITION_2026), "before game 1, the order drawn", "score"),
        of(seat(5), "change who starts", "change_start", 1),
        of(seat(5, ruleset=COALITION_2026), "change the turn order", "change_start", 1),
        of(tied, "between games, tied", "score"),
        of(lowest, "between games, one lowest", "score", tap=open_all),
        of(standing, "between games, by standing", "score"),
        of(drawn, "between games, after a draw", "score"),
        of(called, "the set called", "score"),
        of(finished(), "the set finished", "score"),
    ]


def of_the_log() -> list[Look]:
    five, lost, over = eventful(), seat(5), seat(2)
    record(lost, Lose((ANN, BO), "decked"), Win(CY))
    record(over, hit(ANN, BO, 21))
    commands.start_game(over, 2, first=ANN)
    numbers = (1, 3, 4, 5, 7, 8, 9, 10)
    log = of(five, "log", "log")
    return [
        log,
        by_a_stranger(log),
        of(seat(2), "log of no event", "log"),
        of(seat(2, first=None), "log of no game", "log"),
        of(finished(), "log of a finished set", "log", query="?game=1"),
        *(of(five, f"line {number}", "line", 1, number) for number in numbers),
        of(five, "line, refused", "line", 1, 4, tap=make_a_hero_toxic, status=422),
        of(lost, "line of two who lost", "line", 1, 1),
        of(over, "line that can't be struck", "line", 1, 1),
        of(entered(), "line of a result", "line", 1, 1),
    ]


def for_everybody() -> list[Look]:
    five, done, before = eventful(), finished(), seat(2, first=None)
    over = record_in(seat(4), hit(ANN, BO, 21))
    shared = seat(2)
    for number in (1, 2, 3):
        commands.start_game(shared, number, first=ANN)
        record(shared, Draw("agreed"), game=number)
    watched, standings = of(five, "watch", "watch", tap=open_all), of(done, "standings", "watch")
    return [
        of(five, "links", "links", tap=open_all),
        of(five, "public link as a QR code", "qr"),
        of(five, "scorekeeper link as a QR code", "secret_qr"),
        of(seat(4, ruleset=COALITION_2026, first=None), "announcement", "score", tap=open_all),
        of(late(), "pad with a note on the set's time", "score"),
        by_a_stranger(of(five, "pad", "score"), 403),
        watched,
        by_a_stranger(watched),
        of(before, "watch, before", "watch"),
        of(over, "watch, between games", "watch"),
        standings,
        by_a_stranger(standings),
        of(shared, "standings, shared", "watch"),
        of(entered(), "standings, entered", "watch"),
        of(five, "tablet", "tablet"),
        by_a_stranger(of(five, "table view", "table")),
        by_a_stranger(of(five, "table view, upright", "table", query="?upright")),
        by_a_stranger(of(seat(2), "table view of two", "table")),
        by_a_stranger(of(before, "table view, before", "table")),
        by_a_stranger(of(over, "table view, between games", "table")),
    ]


# --- tables ---
def late() -> GameSet:
    """Return a table whose set has taken 110 of its 120 minutes."""
    table = seat(4, ruleset=COALITION_README, first=None)
    commands.start_game(table, 1, first=ANN, at=timezone.now() - timedelta(minutes=110))
    return table


def seat(players: int, **how: Any) -> GameSet:
    """Return a table in its first game, Ann to begin, that nobody keeps the score of yet."""
    return set_up(players, key=None, **how)


def named(ruleset: Ruleset) -> GameSet:
    """Return a table before its first game, its players with names that are hard to show."""
    return commands.create_set(ruleset, LONG_NAMES, seed=SEED)


def named_five() -> GameSet:
    table = named(COALITION_906)
    commands.start_game(table, 1, first=ANN)
    return table


def eventful() -> GameSet:
    return record_in(named_five(), *EVENTS)


def entered() -> GameSet:
    """Return a set of one game, whose result was entered."""
    points = {ANN: 21, BO: 5, CY: 20, DI: 0, EV: 0}
    table = record_in(named_five(), EnterResult("2026-03-12", points, ANN, conceded=(DI,)))
    commands.call_set(table)
    return table


def finished() -> GameSet:
    """Return a set of three games: won, drawn, won; one player conceded, one left."""
    table = named(COALITION_906)
    commands.start_game(table, 1, first=ANN)
    record(table, hit(DI, EV, 3), Concede(DI), hit(ANN, BO, 21))
    commands.start_game(table, 2, first=BO, dropped=[EV])
    record(table, hit(BO, CY, 7), Draw("time"), game=2)
    commands.start_game(table, 3, first=CY)
    record(table, hit(BO, CY, 7), hit(CY, BO, 21), game=3)
    return table


def record_in(table: GameSet, *entries: Entry) -> GameSet:
    record(table, *entries)
    return table


# --- taps ---
def seat_a_player_twice(page: Page) -> None:
    for seat in (1, 2):
        page.get_by_label(f"Seat {seat}").fill("Ann")
    page.get_by_role("button", name="Start game 1").tap()
    refusal_is_told(page)


def open_signs(page: Page) -> None:
    page.locator("#signs").tap()
    expect(page.get_by_role("checkbox", name="Infect", exact=True)).to_be_visible()


def hit_nobody(page: Page) -> None:
    page.get_by_role("button", name="Hit for 5", exact=True).tap()
    refusal_is_told(page)


def lose_no_life(page: Page) -> None:
    """Be refused on the page itself: our script would leave it if the answer came late."""
    page.evaluate("() => window.addEventListener('submit', (it) => it.stopPropagation(), true)")
    page.locator("[name=player][value='2']").tap()
    page.get_by_role("button", name="Lose life").tap()
    refusal_is_told(page)


def make_a_hero_toxic(page: Page) -> None:
    page.get_by_role("group", name="Hit 2").get_by_label("Kind").select_option("hero")
    expect(page.locator("#changed")).to_contain_text("goes with combat damage only")
    page.get_by_role("button", name="Show what this changes").tap()
    refusal_is_told(page)


def refusal_is_told(page: Page) -> None:
    expect(page.locator("main").get_by_role("alert")).to_be_visible()


def open_all(page: Page) -> None:
    """Open all that opens but the rows, of which only one can be open."""
    closed = page.locator("main details:not([open], [name])")
    for left in range(closed.count(), 0, -1):
        closed.first.locator("summary").first.tap()
        expect(closed).to_have_count(left - 1)
