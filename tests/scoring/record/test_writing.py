"""The statements that write a move: every column, all or nothing, for the game as it was read."""

import re

import pytest
from django.db import IntegrityError, connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

from scoring.models import EventRow, Game, LedgerRow
from scoring.record import commands, recording
from scoring.rules.formats.coalition import Coalition
from scoring.rules.moves import PassTurn
from tests.scoring.rules.play import ANN, BO, hit, together

from ..tables import events, record, refused, set_up, tap_id, the_game, unchanged


@pytest.mark.parametrize(
    ("statement", "model", "left_out"),
    [
        # When a game begins, or by commands that lock its set.
        (
            recording.UPDATE_GAME,
            Game,
            "game_set_id number turn_order dropped rolled before started_at taken_back confirmed",
        ),
        (recording.INSERT_EVENT, EventRow, ""),
        (recording.INSERT_POINTS, LedgerRow, "reverses_id"),
    ],
)
def test_every_column_is_written_or_left_out_on_purpose(
    statement: str, model: type[Model], left_out: str
) -> None:
    written = re.findall(r"\w+", re.split("SELECT|WHERE", statement)[0])

    columns = {field.attname for field in model._meta.concrete_fields}
    assert columns & set(written) == columns - {"id"} - set(left_out.split())


def test_a_move_on_a_game_that_went_on_meanwhile_is_decided_again(table):
    as_read = the_game(table)
    record(table, hit(ANN, BO, 1))
    table.named_game = as_read

    assert commands.record(table, 1, hit(ANN, BO, 2)).length == 2
    assert len(events(table)) == 2


def test_a_move_on_a_game_that_was_taken_back_meanwhile_is_refused(table):
    as_read = the_game(table)
    commands.take_back_game(table, 1)
    table.named_game = as_read

    with refused("no_such_game"):
        commands.record(table, 1, hit(ANN, BO, 1))


def test_a_ledger_row_that_the_database_refuses_leaves_nothing_of_its_event(
    transactional_db, monkeypatch
):
    table = set_up()
    monkeypatch.setattr(Coalition, "points", lambda *_: -1)

    with unchanged(), pytest.raises(IntegrityError, match="ledger_points_sign"):
        commands.record(table, 1, hit(ANN, BO, 3), tap_id=tap_id(1))
    assert connection.is_usable()


STATEMENTS = {
    "sqlite": ["BEGIN", "UPDATE", "INSERT", "INSERT", "COMMIT"],
    "postgresql": ["WITH"],
}


@pytest.mark.parametrize("move", [PassTurn(), hit(ANN, BO, 1), together(*[hit(ANN, BO, 1)] * 9)])
def test_a_move_is_few_statements_whatever_follows_from_it(transactional_db, move):
    table = set_up()
    table.named_game = the_game(table)

    with CaptureQueriesContext(connection) as asked:
        commands.record(table, 1, move, tap_id=tap_id(1))

    words = [re.sub(r"^\d+ times: ", "", query["sql"].strip()).split()[0] for query in asked]
    assert words == STATEMENTS[connection.vendor]
