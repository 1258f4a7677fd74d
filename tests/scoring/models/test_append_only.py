"""The database itself refuses to change the record, also after a migration rebuilt a table."""

from datetime import UTC, datetime

import pytest
from django.db import DatabaseError, connection, migrations, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import CheckConstraint, Q

from scoring.models import EventRow, GameRegister, GameSet, LedgerRow, triggers
from scoring.models.triggers.rebuilding import rebuilding
from scoring.record import commands
from scoring.rules.corrections import Undo
from scoring.rules.damage import DealDamage, Hit, Kind
from scoring.rules.formats import COALITION_906

from ..tables import tap_id

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


@pytest.fixture
def _one_hit(db: None) -> None:
    table = commands.create_set(COALITION_906, ["Ann", "Bo"])
    commands.start_game(table, 1)
    hit = Hit(source=1, target=2, amount=3, kind=Kind.COMBAT)
    commands.record(table, 1, DealDamage((hit,)), tap_id=tap_id(1))


@pytest.mark.usefixtures("_one_hit")
@pytest.mark.parametrize(
    ("model", "column"), [(EventRow, "seq"), (LedgerRow, "dealt"), (GameRegister, "game_set")]
)
def test_a_row_of_the_record_can_be_neither_changed_nor_deleted(model, column):
    rows = list(model.objects.values())

    for tamper in (
        lambda: model.objects.update(**{column: 9}),
        lambda: model.objects.all()._raw_delete("default"),
    ):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            tamper()

    assert list(model.objects.values()) == rows


@pytest.mark.usefixtures("_one_hit")
def test_no_set_becomes_a_table_to_try_which_could_be_deleted():
    refused = {"become a table to try": lambda: GameSet.objects.update(trial_until=LONG_AGO)}
    if connection.vendor == "sqlite":
        columns = [field.column for field in GameSet._meta.concrete_fields]
        values = ["'2020-01-01'" if one == "trial_until" else one for one in columns]
        replace = "INSERT OR REPLACE INTO scoring_gameset ({}) SELECT {} FROM scoring_gameset"
        statement = replace.format(", ".join(columns), ", ".join(values))
        refused["a set of this number"] = lambda: connection.cursor().execute(statement)

    for problem, tamper in refused.items():
        with pytest.raises(DatabaseError, match=problem), transaction.atomic():
            tamper()

    assert GameSet.objects.get().trial_until is None


# What makes a row another by each key, as SQL; the ledger's is then a row that reverses nothing.
OTHERWISE = {
    EventRow: {"id": "900", "seq": "9", "tap_id": "NULL"},
    LedgerRow: {"id": "900", "reverses_id": "NULL", "points": "3"},
}


@pytest.mark.skipif("connection.vendor != 'sqlite'")
@pytest.mark.usefixtures("_one_hit")
@pytest.mark.parametrize("model", [EventRow, LedgerRow])
def test_no_row_of_the_record_is_replaced_by_whatever_sqlite_takes_for_the_same(model):
    """By each of a table's unique keys, as SQLite itself lists them."""
    commands.record(GameSet.objects.get(), 1, Undo(), tap_id=tap_id(2))  # has a row that reverses
    rows, names = list(model.objects.values()), [one.column for one in model._meta.concrete_fields]
    uniques = _unique_columns(model._meta.db_table)
    assert len(uniques) == {EventRow: 3, LedgerRow: 2}[model]

    for columns in uniques:
        other = OTHERWISE[model] | {column: column for column in columns}
        if "reverses_id" in columns:
            other["points"] = "points"
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            _replace_last(model._meta.db_table, {name: other.get(name, name) for name in names})

    assert list(model.objects.values()) == rows


def _unique_columns(table: str) -> list[list[str]]:
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA index_list({table})")
        names = [row[1] for row in cursor.fetchall() if row[2]]
        found = [["id"]]
        for name in names:
            cursor.execute(f"PRAGMA index_info({name})")
            found.append([row[2] for row in cursor.fetchall()])
    return found


def _replace_last(table: str, values: dict[str, str]) -> None:
    connection.cursor().execute(
        f"INSERT OR REPLACE INTO {table} ({', '.join(values)}) "
        f"SELECT {', '.join(values.values())} FROM {table} ORDER BY id DESC LIMIT 1"
    )


@pytest.mark.skipif("connection.vendor != 'postgresql'")
@pytest.mark.usefixtures("_one_hit")
@pytest.mark.parametrize("table", ["scoring_eventrow", "scoring_ledgerrow", "scoring_game"])
def test_the_record_is_not_emptied(table):
    rows = list(EventRow.objects.values()), list(LedgerRow.objects.values())

    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            cursor.execute(f"TRUNCATE {table} CASCADE")

    assert (list(EventRow.objects.values()), list(LedgerRow.objects.values())) == rows


CHECKED = CheckConstraint(name="game_number_small", condition=Q(number__lt=1000))


def migration(*operations: Operation) -> migrations.Migration:
    made_up = migrations.Migration("0002_made_up", "scoring")
    made_up.operations = list(operations)
    return made_up


def state() -> ProjectState:
    return MigrationLoader(connection).project_state()


def test_a_rebuilt_table_has_its_triggers_again(transactional_db):
    checked = migration(*rebuilding(migrations.AddConstraint("game", CHECKED)))

    with connection.schema_editor() as editor:
        checked.apply(state(), editor)
    assert triggers.wrong() == []
    with connection.schema_editor() as editor:
        checked.unapply(state(), editor)
    assert triggers.wrong() == []
