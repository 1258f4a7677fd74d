"""What all tests share."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.test import override_settings
from hypothesis import settings

from scoring.models.triggers import append_only

seed = import_module("decks.migrations.0001_initial").seed
bring_lists = import_module("decks.migrations.0009_by_name").bring_lists

# Properties hold on a slow machine too: time is for the benchmarks.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


@pytest.fixture(autouse=True, scope="session")
def _static_files_as_written() -> Iterator[None]:
    """Look static files up where they are written, and only when one is asked for.

    WhiteNoise would list all of them, the collected ones too, for each browser of each test.
    """
    with override_settings(STATIC_ROOT=None, WHITENOISE_AUTOREFRESH=True):
        yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that ask for the database. All others can't reach it."""
    for item in items:
        asked = {"db", "transactional_db"}.intersection(getattr(item, "fixturenames", ()))
        if asked or item.get_closest_marker("django_db"):
            item.add_marker("database")


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


def _is_transactional(request: pytest.FixtureRequest) -> bool:
    """Tests ask for the fixture; with the marker the database would be set up before ours."""
    marker = request.node.get_closest_marker("django_db")
    assert not (marker and marker.kwargs.get("transaction")), "ask for transactional_db instead"
    return "transactional_db" in request.fixturenames


@pytest.fixture(autouse=True)
def _guard_again(request: pytest.FixtureRequest, django_db_blocker: Any) -> Iterator[None]:
    """Put the append-only triggers back after the flush that ends a transactional test."""
    yield
    if _is_transactional(request):
        with django_db_blocker.unblock(), connection.schema_editor() as editor:
            append_only.guard(None, editor)


@pytest.fixture(autouse=True)
def _seed_again(
    request: pytest.FixtureRequest, _guard_again: None, django_db_blocker: Any
) -> Iterator[None]:
    """Bring back what migrations brought, after the flush that ends a transactional test."""
    yield
    if _is_transactional(request):
        with django_db_blocker.unblock():
            seed(apps, None)
            bring_lists(apps, None)


@pytest.fixture(autouse=True)
def _let_flush(request: pytest.FixtureRequest, _seed_again: None) -> Iterator[None]:
    """Take the triggers off for that flush, which empties all tables."""
    if not _is_transactional(request):
        yield
        return
    request.getfixturevalue("transactional_db")
    yield
    with connection.schema_editor() as editor:
        append_only.unguard(None, editor)
