"""What the runs of the tests rely on: who does not ask for the database is the same on any."""

from __future__ import annotations

import re

import pytest
from django.db import connection

from .environment import MIGRATED, ROOT

OURS = re.compile(
    r"^(?:from|import) ((?:coalition_site|decks|scoring)[.\w]*)(?: import (\w+))?", re.MULTILINE
)


def test_what_migrations_use_makes_the_migrated_database_anew_when_it_changes():
    seen = {path for pattern in MIGRATED for path in ROOT.glob(pattern)}
    used = {
        (ROOT / module.replace(".", "/"), name)
        for path in ROOT.glob("*/migrations/*.py")
        for module, name in OURS.findall(path.read_text())
    }

    assert len(used) >= 5
    for module, name in used:
        files = {module.with_suffix(".py"), module / "__init__.py", module / f"{name}.py"}
        assert files & seen, module


def test_tests_that_do_not_ask_for_the_database_can_not_reach_it(request):
    assert request.node.get_closest_marker("database") is None
    with pytest.raises(RuntimeError, match="Database access not allowed"):
        connection.ensure_connection()


@pytest.fixture
def asked(db: None) -> None:
    """Ask on behalf of a test."""


@pytest.mark.usefixtures("asked")
def test_tests_that_ask_by_a_fixture_run_on_every_database(request):
    assert request.node.get_closest_marker("database")


@pytest.mark.django_db
def test_tests_that_ask_by_a_mark_run_on_every_database(request):
    assert request.node.get_closest_marker("database")


def test_tests_that_ask_for_whole_transactions_run_on_every_database(transactional_db, request):
    assert request.node.get_closest_marker("database")
