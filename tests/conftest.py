"""What all tests share."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import hypothesis
import psycopg
import pytest
from django.conf import settings
from django.db import connection, connections, transaction
from django.test import TransactionTestCase, override_settings

from .environment import TEMPLATE, migrated

# About constraints, triggers, locks, statements of our own, and how names are compared.
BOTH = (
    "tests/coalition_site/test_backup",
    "tests/coalition_site/test_limits.py",
    "tests/coalition_site/test_roles.py",
    "tests/coalition_site/test_upgrading.py",
    "tests/decks/test_models.py",
    "tests/scoring/groups/people/test_people.py",
    "tests/scoring/models/",
    "tests/scoring/record/test_chain.py",
    "tests/scoring/record/test_tampering.py",
    "tests/scoring/record/test_writing.py",
    "tests/scoring/tables/test_query_counts.py",
)

# Properties hold on a slow machine too: time is for the benchmarks.
hypothesis.settings.register_profile("patient", deadline=None)
hypothesis.settings.load_profile("patient")


@pytest.fixture(autouse=True, scope="session")
def _quick_settings() -> Iterator[None]:
    """Look static files up where they are written, when one is asked for; hash passwords quickly.

    WhiteNoise would list all of them, the collected ones too, for each browser of each test.
    """
    quick = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    with override_settings(STATIC_ROOT=None, WHITENOISE_AUTOREFRESH=True, PASSWORD_HASHERS=quick):
        yield


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A clock for limits, which count anew at full hours: it stands a minute past one until a test
    moves it."""
    clock = SimpleNamespace(now=1_800_000_060.0)
    monkeypatch.setattr("coalition_site.lib.limits.time", SimpleNamespace(time=lambda: clock.now))
    return clock


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that ask for the database, and those that commit. No other can reach it."""
    for item in items:
        asked = {"db", "transactional_db"}.intersection(getattr(item, "fixturenames", ()))
        if asked or item.get_closest_marker("django_db"):
            item.add_marker("database")
        if "transactional_db" in asked or item.nodeid.startswith(BOTH):
            item.add_marker("both")


@pytest.fixture(scope="module")
def shared_rows(django_db_setup: None, django_db_blocker: Any) -> Iterator[Any]:
    """Let fixtures of a module make rows once, for all of its tests: ``with shared_rows():``.

    Each test starts from these rows, since its own transaction is within this one. Tests of the
    module can't ask for ``transactional_db``.
    """
    with django_db_blocker.unblock():
        outer = transaction.atomic()
        outer.__enter__()
    yield django_db_blocker.unblock
    with django_db_blocker.unblock():
        transaction.set_rollback(True)
        outer.__exit__(None, None, None)


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_blocker: Any, tmp_path_factory: Any, worker_id: str
) -> Iterator[None]:
    is_sqlite = connection.vendor == "sqlite"
    folder = tmp_path_factory.mktemp("database")
    name = str(folder / "test.sqlite3") if is_sqlite else f"test_{worker_id}"
    connection.settings_dict["NAME"] = name
    with django_db_blocker.unblock():
        copy_migrated_database()
    # A test that commits leaves no row: Django would empty all tables, against their triggers.
    with patch.object(TransactionTestCase, "_fixture_teardown", lambda _: copy_migrated_database()):
        yield
    with django_db_blocker.unblock():
        connections.close_all()


def copy_migrated_database() -> None:
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        with closing(sqlite3.connect(migrated("sqlite"))) as kept:
            kept.backup(connection.connection)
        return
    connections.close_all()
    with psycopg.connect(settings.DATABASE_URL, autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        server.execute(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}")
