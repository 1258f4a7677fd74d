"""A table that a migration rebuilds has its triggers again, and other tables theirs."""

from django.db import connection, migrations
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import CheckConstraint, Q

from scoring.models import triggers
from scoring.models.triggers.rebuilding import rebuilding

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
