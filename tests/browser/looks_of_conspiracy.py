"""The pages of Conspiracy as somebody meets them, with names that are hard to show."""

from collections.abc import Iterator

from django.urls import reverse
from playwright.sync_api import Page

from scoring.models import GameSet
from scoring.play import commands
from scoring.rules.formats.conspiracy import (
    CONSPIRACY,
    Attack,
    CallVote,
    CastVote,
    Disclose,
    GoadCreature,
    PutAgenda,
    PutConspiracy,
    TurnUp,
)
from scoring.rules.formats.conspiracy.zone import seal
from scoring.rules.moves import Concede, CrownMonarch, Draw
from tests.scoring.rules.play import ANN, BO, CY, DI, EV, hit
from tests.scoring.tables import SEED, address, record

from .looks import LONG_NAMES, Look, by_a_stranger, of, open_all, refusal_is_told

SALT = "5f" * 16
CARD = "Our Market Research Shows That Players Like Really Long Card Names"
FIRST = seal(ANN, SALT, CARD, ["Forest"])
SECOND = seal(BO, SALT, CARD, ["Ogre", CARD])
OPENED = TurnUp(BO, SECOND, SALT, CARD, ("Ogre", CARD))
OPTIONS = ("grace", "a condemnation that has far too many words for its button", "doubt")
ZONE = (PutAgenda(ANN, FIRST), PutAgenda(BO, SECOND), PutConspiracy(CY, CARD))
GOADS = (
    *(CrownMonarch(ANN), Attack(ANN, (BO, CY, DI))),
    *(GoadCreature(seat, CARD, ANN) for seat in (BO, CY)),
    *(GoadCreature(seat, "Ogre", BO) for seat in (ANN, CY, DI, EV)),
)
VOTE = (CallVote(ANN, "council's dilemma", OPTIONS, CARD), CastVote(ANN, OPTIONS[1], 9, EV))


def every_look() -> Iterator[Look]:
    before, voting, decided, owed, over = played(), playing(), playing(), playing(), playing()
    record(voting, *VOTE)
    record(decided, *VOTE, *(CastVote(seat, OPTIONS[1]) for seat in (BO, CY, DI, EV)))
    record(owed, Concede(ANN), OPENED)
    told = Disclose(ANN, FIRST, CARD, ("Forest",))
    record(over, Concede(DI), Draw("time"), OPENED)
    yield of(before, "before the start", "score")
    yield of(before, "agendas", "agendas", 1, tap=open_all)
    yield of(before, "agendas, refused", "agendas", 1, tap=name_one_card_twice, status=422)
    yield of(voting, "a vote", "score", tap=open_all)
    yield of(decided, "a vote that is over", "score", tap=open_all)
    yield of(decided, "agendas in a game", "agendas", 1)
    yield of(decided, "more", "more", 1)
    yield of(playing(), "a vote to call, on the pad", "call_vote", 1)
    for what in ("vote_called", "vote", "goad", "goad_moves", "goad_ends", "attack", "disclose"):
        yield of(decided, what, "own", 1, what)
    yield of(owed, "a secret of who is out", "score")
    yield of(over, "a secret after the end", "score", tap=open_all)
    yield of(voting, "log", "log")
    watched = of(decided, "watch", "watch", tap=open_all)
    yield from (watched, by_a_stranger(watched), of(decided, "table view", "table"))
    yield of(over, "final page with a secret", "watch", tap=open_all)
    record(over, told)
    yield of(over, "final page", "watch", tap=open_all)
    yield of(before, "links for the players", "links", tap=hand_out)
    yield by_a_player(before, "before the start")
    yield Look("cards of Conspiracy", reverse("conspiracy_cards"))
    yield Look("own conspiracies", address(before, "seal_own", 1))
    yield Look("a vote to call", address(before, "call_own", 1))
    for table, name in ((voting, "a vote"), (decided, "a vote that is over"), (owed, "out")):
        yield by_a_player(table, name, BO if table is voting else ANN)
    yield by_a_player(over, "the end")


def by_a_player(table: GameSet, name: str, seat: int = ANN) -> Look:
    commands.change_seat_key(table, seat, f"{table.code}-{seat}")
    where = address(table, "take_seat_key", f"{table.code}-{seat}")
    return Look(f"{name}, for a player", where, tap=open_all)


def hand_out(page: Page) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name="Players’ links").tap()


def played() -> GameSet:
    """Return a table whose command zone is full, before anything else."""
    table = commands.create_set(CONSPIRACY, LONG_NAMES, seed=SEED)
    commands.start_game(table, 1, first=ANN)
    record(table, *ZONE)
    return table


def playing() -> GameSet:
    """Return a table with the monarch, goads and an attack."""
    table = played()
    record(table, hit(ANN, BO, 3), *GOADS)
    return table


def name_one_card_twice(page: Page) -> None:
    form = page.get_by_role("form", name="Face down")
    form.get_by_role("radio").first.tap()
    for field in form.get_by_role("combobox").all():
        field.fill("Elf")
    form.get_by_role("button", name="Seal it").tap()
    refusal_is_told(page)
