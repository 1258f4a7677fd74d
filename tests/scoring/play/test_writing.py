"""The statements that write a move: every column, all or nothing, for the game as it was read."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import IntegrityError, connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

from scoring.models import EventRow, Game, GameSet, LedgerRow
from scoring.play import commands, ledger, writing
from scoring.rules.moves import PassTurn
from scoring.rules.state import Status
from tests.scoring.rules.play import ANN, BO, hit, together

from ..tables import record, set_up, tap_id, the_game, unchanged

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
FIXED = {  # when a game begins, or by commands that lock its set
    *("id", "game_set_id", "number", "turn_order", "dropped", "rolled", "before"),
    *("started_at", "taken_back", "confirmed"),
}


@pytest.fixture
def game(table: GameSet) -> Game:
    """A game with one event and its ledger row."""
    return record(table, hit(ANN, BO, 1))


def after(game: Game) -> dict[str, Any]:
    """Return a value for each column that a move changes, other than the one it has."""
    return {
        "state": {"ruleset": "coalition-906"},
        "recent": [[1]],
        "status": Status.WON.value,
        "winner_id": game.game_set.seat_keys[BO],
        "length": 2,
        "last_by": 3,
        "head": "2:abc",
        "ended_at": NOON,
        "first_ended_at": NOON,
    }


def event(game: Game, **values: Any) -> dict[str, Any]:
    full = {"seq": 2, "tap_id": tap_id(2), "entry": {"type": "turn"}, "corrects": 1, "at": NOON}
    full |= {"by": 3, "hash": bytes(32)}
    return {"game_set_id": game.game_set_id, "game_id": game.pk} | full | values


def points(game: Game, points: int) -> dict[str, Any]:
    seat = game.game_set.seat_keys[ANN]
    return {"seat_id": seat, "reason": "combat", "dealt": points, "points": points}


def row(model: type[Model], **wanted: Any) -> dict[str, Any]:
    """Return all columns of a row as the database has them."""
    [found] = model._default_manager.filter(**wanted).values()
    return found


def test_every_column_of_an_event_and_its_ledger_rows_is_written(game):
    new, posted = event(game), [points(game, 2), points(game, 3)]
    earlier = set(LedgerRow.objects.values_list("pk", flat=True))

    assert writing.write_move(game.game_set, game, after(game), new, posted)

    written = row(EventRow, seq=2)
    assert written == {"id": written["id"]} | new
    assert None not in written.values(), "a new column needs a value in this test"
    rows = LedgerRow.objects.order_by("pk").exclude(pk__in=earlier).values()
    its = {"event_id": written["id"], "written_by_id": written["id"], "reverses_id": None}
    assert list(rows) == [
        {"id": ledger_row["id"]} | its | values
        for ledger_row, values in zip(rows, posted, strict=True)
    ]


def test_every_column_that_a_move_changes_of_its_game_is_written(game):
    before = row(Game, pk=game.pk)

    assert writing.write_move(game.game_set, game, after(game), event(game), [])

    assert row(Game, pk=game.pk) == before | after(game)
    assert before.keys() == FIXED | after(game).keys(), "is a new column fixed, or of the state?"


@pytest.mark.parametrize("read", [{"length": 0}, {"length": 2}, {"taken_back": True}])
def test_nothing_is_written_if_the_game_is_not_as_it_was_read(game, read):
    for name, value in read.items():
        setattr(game, name, value)
    new = event(game)

    with unchanged():
        assert not writing.write_move(game.game_set, game, after(game), new, [points(game, 2)])
        assert not writing.write_state(game, after(game))


@pytest.mark.skipif("connection.vendor != 'postgresql'")
def test_a_remembered_set_is_found_by_its_index_and_not_among_all(game):
    game.game_set.is_remembered = True
    with CaptureQueriesContext(connection) as asked:
        assert writing.write_move(game.game_set, game, after(game), event(game), [])

    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")  # what no index can do is read whole
        cursor.execute(f"EXPLAIN {asked[-1]['sql']}")
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "Index Scan using scoring_gameset_pkey" in plan


def _refuse_points(monkeypatch: pytest.MonkeyPatch) -> None:
    content = ledger.content
    monkeypatch.setattr(ledger, "content", lambda *of: content(*of) | {"points": -1})


def test_a_ledger_row_that_the_database_refuses_leaves_nothing_of_its_event(table, monkeypatch):
    _refuse_points(monkeypatch)

    with unchanged(), pytest.raises(IntegrityError, match="ledger_points_sign"):
        commands.record(table, 1, hit(ANN, BO, 3), tap_id=tap_id(1))
    assert connection.is_usable()


def test_nor_does_it_where_the_move_is_a_transaction_of_its_own(transactional_db, monkeypatch):
    table = set_up()
    _refuse_points(monkeypatch)

    with unchanged(), pytest.raises(IntegrityError, match="ledger_points_sign"):
        commands.record(table, 1, hit(ANN, BO, 3), tap_id=tap_id(1))


@pytest.mark.parametrize(
    ("move", "inserts"),
    [(PassTurn(), 1), (hit(ANN, BO, 1), 2), (together(*[hit(ANN, BO, 1)] * 9), 2)],
)
def test_a_move_is_one_statement_or_where_that_is_not_possible_few(transactional_db, move, inserts):
    table = set_up()
    table.named_game = the_game(table)

    with CaptureQueriesContext(connection) as asked:
        commands.record(table, 1, move, tap_id=tap_id(1))

    several = ["BEGIN", "UPDATE", *["INSERT"] * inserts, "COMMIT"]
    expected = ["WITH"] if connection.vendor == "postgresql" else several
    assert [query["sql"].split()[0] for query in asked] == expected
