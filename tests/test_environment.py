"""What the runs of the tests rely on: who does not ask for the database is the same on any."""

from __future__ import annotations

import pytest
from django.db import connection


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
