"""A table that a migration rebuilds has its triggers again, and other tables theirs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection, migrations
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import CheckConstraint, Q

from scoring.models import triggers
from scoring.models.triggers.rebuilding import rebuilding
from tests.elsewhere import on_empty_database

CHECKED = CheckConstraint(name="game_number_small", condition=Q(number__lt=1000))


def migration(*operations: Operation) -> migrations.Migration:
    made_up = migrations.Migration("0002_made_up", "scoring")
    made_up.operations = list(operations)
    return made_up


def state() -> ProjectState:
    return MigrationLoader(connection).project_state()


@pytest.fixture
def _own_database(transactional_db: None, tmp_path: Path) -> Iterator[None]:
    with on_empty_database(tmp_path):
        call_command("migrate", verbosity=0)
        yield


@pytest.mark.usefixtures("_own_database")
def test_a_rebuilt_table_has_its_triggers_again():
    checked = migration(*rebuilding(migrations.AddConstraint("game", CHECKED)))

    with connection.schema_editor() as editor:
        checked.apply(state(), editor)
    assert triggers.wrong() == []
    with connection.schema_editor() as editor:
        checked.unapply(state(), editor)
    assert triggers.wrong() == []


@pytest.mark.usefixtures("_own_database")
@pytest.mark.skipif(connection.vendor != "sqlite", reason="only SQLite rebuilds tables")
def test_without_it_a_rebuilt_table_has_lost_its_triggers():
    with connection.schema_editor() as editor:
        migration(migrations.AddConstraint("game", CHECKED)).apply(state(), editor)

    assert "scoring_game_is_registered" in triggers.wrong()
