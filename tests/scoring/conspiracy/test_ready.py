"""Before the first turn of Conspiracy: phones say who is ready, a stray tap closes no sealing."""

import pytest
from django.test import Client

from scoring.models import GameSet
from scoring.rules.corrections import Undo
from scoring.rules.formats.conspiracy import CONSPIRACY, PutAgenda, PutConspiracy
from scoring.rules.formats.conspiracy.ready import SealersFirst
from scoring.rules.formats.conspiracy.zone import GameHadBegun
from scoring.rules.formats.conspiracy.zone import seal as commitment
from scoring.rules.moves import PassTurn
from tests.scoring.rules.play import ANN, BO, CY

from ..browsing import refusal
from ..tables import address, holder, record, seat_holder, set_up, tap_id, unchanged
from .test_seats import page, seal, sealed

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> GameSet:
    return set_up(3, ruleset=CONSPIRACY)


def say(client: Client, table: GameSet, **form: str):
    return client.post(address(table, "ready_own", 1), form)


def turn(table: GameSet, tap: int = 1):
    return holder(table).post(address(table, "turn", 1), {"tap_id": tap_id(tap)})


def not_ready(table: GameSet) -> str:
    shown = page(holder(table), table, "score").partition("Not ready yet: ")[2]
    return shown.partition(" Begin without")[0]


def test_the_first_tap_asks_where_a_phone_has_not_said_that_its_player_is_ready(table):
    ann, bo = seat_holder(table, ANN), seat_holder(table, BO)
    assert not_ready(table) == "Ann (conspiracies, hand), Bo (conspiracies, hand)"
    record(table, PutConspiracy(ANN, "Weight Advantage"))
    assert "Conspiracies done" in page(ann, table)
    assert "No conspiracies" in page(bo, table)

    for client in (ann, bo):
        say(client, table, say="conspiracies")
    say(ann, table, say="hand")
    say(ann, table, back="conspiracies")
    assert not_ready(table) == "Ann (conspiracies), Bo (hand)"
    with unchanged():
        status, problem = refusal(turn(table))
    assert (status, problem) == (
        422,
        "Ann and 1 more are not ready yet: begin without them? If so, the scorekeeper taps “Begin "
        "without waiting” first.",
    )

    say(ann, table, say="conspiracies")
    say(bo, table, say="hand")
    assert not_ready(table) == ""
    assert turn(table).status_code == 302
    assert "Are you ready?" not in page(bo, table)


def test_the_scorekeeper_begins_without_those_who_are_not_ready_and_again_after_an_undo(table):
    bo = seat_holder(table, BO)

    for start in (0, 2):
        assert refusal(turn(table, 7))[1].startswith("Bo is not ready yet:")
        holder(table).post(address(table, "begin", 1), {"say": f"begin {start}"})
        assert turn(table, 8 + start).status_code == 302
        record(table, Undo())
    with unchanged():
        assert refusal(say(bo, table, say="begin 4"))[0] == 422


def test_nobody_is_asked_without_phones_or_once_the_game_goes_on(table):
    assert turn(table).status_code == 302
    bo = seat_holder(table, BO)

    assert turn(table, 2).status_code == 302
    with unchanged():
        answer = say(bo, table, say="hand")
    assert refusal(answer) == (422, "The game has gone on meanwhile. Here it is now.")
    assert not_ready(table) == ""


def test_sealing_opens_again_after_a_stray_start_once_all_who_sealed_agree(table):
    ann, bo, cy = (seat_holder(table, seat) for seat in (ANN, BO, CY))
    seal(ann, table, 1)
    seal(bo, table, 2)
    record(table, PassTurn(), Undo())
    with unchanged():
        assert refusal(seal(cy, table, 3))[1] == SealersFirst(player=ANN).message({ANN: "Ann"})
    assert "Open the sealing again" in page(bo, table)
    assert "Open the sealing again" not in page(cy, table)

    say(ann, table, say="open 4")
    assert "Open the sealing again" not in page(ann, table)
    with unchanged():
        assert "Bo has yet to do it" in refusal(seal(cy, table, 3))[1]
    say(bo, table, say="open 4")
    seal(cy, table, 3)
    seal(ann, table, 4, name="Elf")
    assert len(sealed(table)) == 4

    record(table, PassTurn(), Undo())
    with unchanged():
        assert refusal(say(ann, table, say="open 4"))[0] == 422
        assert "Ann has yet to do it" in refusal(seal(cy, table, 5))[1]


def test_who_sealed_on_the_scorekeepers_phone_keeps_no_sealing_closed(table):
    cy = seat_holder(table, CY)
    record(table, PutAgenda(ANN, commitment(ANN, "5f" * 16, "Weight Advantage", [])))
    record(table, PassTurn(), Undo())

    seal(cy, table, 1)

    assert len(sealed(table)) == 2


@pytest.mark.parametrize("seen", [[PassTurn(), PassTurn()], "turned up"])
def test_sealing_stays_closed_once_more_than_a_stray_tap_was_seen(table, seen):
    bo = seat_holder(table, BO)
    scorer = holder(table)
    if seen == "turned up":
        ann = seat_holder(table, ANN)
        seal(ann, table, 1)
        scorer.post(address(table, "begin", 1), {"say": "begin 0"})
        ann.post(address(table, "turn_up_own", 1, *sealed(table)), {"tap_id": tap_id(2)})
        record(table, Undo())
    else:
        record(table, *seen, Undo(), Undo())

    with unchanged():
        assert refusal(seal(bo, table, 3)) == (422, GameHadBegun.text)
