"""The statements that write a move, put together once from the models.

A move is an event, its ledger rows, and the new state of its game. Django would put each statement
together again at every tap, and ask PostgreSQL five times where one statement does all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any, cast

from django.db import connection, transaction
from django.db.models import Field, Model

from ..models import EventRow, Game, GameSet, LedgerRow


class Columns:
    """Some columns of a model's table: as SQL, and their values as the database takes them."""

    def __init__(self, model: type[Model], *names: str) -> None:
        self.table = f'"{model._meta.db_table}"'
        self.fields = [cast("Field[Any, Any]", model._meta.get_field(name)) for name in names]
        self.columns = [f'"{field.column}"' for field in self.fields]
        self.list = ", ".join(self.columns)
        self.places = ", ".join("%s" for _ in self.columns)

    @property
    def is_given(self) -> str:
        """The condition that the columns have some values, which may be null."""
        return " AND ".join(map(self._is_given, self.fields, self.columns))

    def _is_given(self, field: Field[Any, Any], column: str) -> str:
        if not _is_one_statement():
            return f"{column} IS %s"
        # PostgreSQL uses no index for the longer one: it would read all sets at each tap.
        same = "IS NOT DISTINCT FROM" if field.null else "="
        return f"{column} {same} %s::{field.db_type(connection)}"

    def values(self, row: Mapping[str, Any]) -> list[Any]:
        """Return the values of a row that is given by attribute."""
        return [_prepared(field, row[field.attname]) for field in self.fields]


PLAIN = (int, str, type(None))  # what every database takes as it is


def _prepared(field: Field[Any, Any], value: Any) -> Any:
    return value if type(value) in PLAIN else field.get_db_prep_save(value, connection)


def _columns(model: type[Model], *left_out: str) -> Columns:
    """Return all columns of a model but some; the database gives the primary key."""
    names = [field.name for field in model._meta.concrete_fields if not field.primary_key]
    return Columns(model, *(name for name in names if name not in left_out))


# What an entry changes of its game. The other columns stay as they were when the game began.
STATE = Columns(
    Game,
    *("state", "recent", "status", "winner", "length", "last_by", "head"),
    *("ended_at", "first_ended_at"),
)
AS_READ = Columns(Game, "id", "length", "taken_back")
# What else a tap depends on where nothing was read. Other columns never change.
GAME_AS_REMEMBERED = Columns(Game, "before", "confirmed")
SET_AS_REMEMBERED = Columns(
    GameSet,
    *("id", "key_hash", "seating", "heroes", "called", "house", "playgroup", "trial_until"),
    *("clock_minutes", "finished_at", "seal"),
)
EVENT = _columns(EventRow)
KEYS = Columns(LedgerRow, "event", "written_by")  # in a move's rows both are its event
POINTS = _columns(LedgerRow, "event", "written_by", "reverses")

UPDATE = (
    f"UPDATE {STATE.table} SET {', '.join(f'{column} = %s' for column in STATE.columns)} "
    f"WHERE {' AND '.join(f'{column} = %s' for column in AS_READ.columns)}"
)
INSERT_EVENT = f"INSERT INTO {EVENT.table} ({EVENT.list})"
INSERT_POINTS = f"INSERT INTO {POINTS.table} ({KEYS.list}, {POINTS.list})"


def transaction_of_move() -> AbstractContextManager[None]:
    """Return the transaction in which to write a move; a single statement needs none."""
    if _is_one_statement() and not connection.in_atomic_block:
        return nullcontext()
    return transaction.atomic()


def write_move(
    game_set: GameSet,
    game: Game,
    after: Mapping[str, Any],
    event: Mapping[str, Any],
    ledger: Sequence[Mapping[str, Any]],
) -> bool:
    """Write a move's event, its ledger rows, and its game as it is after that.

    ``after`` has the values of the columns ``STATE`` by attribute, ``event`` those of ``EVENT``,
    each row of ``ledger`` those of ``POINTS``: making models costs more than writing them. Return
    False, and write nothing, if the log has grown since the game was read, or if the set is
    remembered and anything differs from that.
    """
    is_remembered = game_set.is_remembered
    values = _state_values(game, after)
    if is_remembered:
        values += GAME_AS_REMEMBERED.values(vars(game)) + _as_remembered(game_set)
    if not _is_one_statement():
        return _update(_update_statement(is_remembered), values) and _insert(event, ledger)
    points = [value for row in ledger for value in POINTS.values(row)]
    with connection.cursor() as cursor:
        statement = _whole_move(len(ledger), is_remembered)
        cursor.execute(statement, [*values, *EVENT.values(event), *points])
        return cursor.fetchone() is not None


def write_state(game: Game, after: Mapping[str, Any]) -> bool:
    """Write a game's new state alone, as ``write_move`` does; its row is locked from then on."""
    return _update(UPDATE, _state_values(game, after))


def _as_remembered(game_set: GameSet) -> list[Any]:
    """Return the columns of a remembered set, which are written down once: no tap changes them."""
    if game_set.as_remembered is None:
        game_set.as_remembered = SET_AS_REMEMBERED.values(vars(game_set))
    return game_set.as_remembered


def _state_values(game: Game, after: Mapping[str, Any]) -> list[Any]:
    return [*STATE.values(after), *AS_READ.values(vars(game))]


def _update(statement: str, values: list[Any]) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return bool(cursor.rowcount == 1)


def _insert(event: Mapping[str, Any], ledger: Sequence[Mapping[str, Any]]) -> bool:
    with connection.cursor() as cursor:
        statement = f"{INSERT_EVENT} VALUES ({EVENT.places}) RETURNING id"
        cursor.execute(statement, EVENT.values(event))
        (key,) = cursor.fetchone()
        if ledger:
            rows = ", ".join(f"({KEYS.places}, {POINTS.places})" for _ in ledger)
            points = [value for row in ledger for value in (key, key, *POINTS.values(row))]
            cursor.execute(f"{INSERT_POINTS} VALUES {rows}", points)
    return True


def _is_one_statement() -> bool:
    return connection.vendor == "postgresql"  # SQLite can't write within WITH


@cache
def _update_statement(is_remembered: bool) -> str:
    if not is_remembered:
        return UPDATE
    table = f"SELECT 1 FROM {SET_AS_REMEMBERED.table} WHERE {SET_AS_REMEMBERED.is_given}"
    return f"{UPDATE} AND {GAME_AS_REMEMBERED.is_given} AND EXISTS ({table})"


@cache
def _whole_move(rows: int, is_remembered: bool) -> str:
    """Return the statement that writes a move with so many ledger rows.

    Each part writes what the one before it returned: nothing if the game is not as it was read.
    """
    statement = (
        f"WITH game AS ({_update_statement(is_remembered)} RETURNING id), "
        f"event AS ({INSERT_EVENT} SELECT {EVENT.places} FROM game RETURNING id)"
    )
    if rows:
        # Typed, since nothing else says of what type a null in VALUES is.
        types = [field.db_type(connection) for field in POINTS.fields]
        row = f"({', '.join(f'%s::{type}' for type in types)})"
        statement += (
            f", ledger AS ({INSERT_POINTS} SELECT event.id, event.id, points.* "
            f"FROM event, (VALUES {', '.join([row] * rows)}) AS points)"
        )
    return f"{statement} SELECT id FROM event"
