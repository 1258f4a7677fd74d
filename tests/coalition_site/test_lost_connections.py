"""A connection to PostgreSQL is asked only where the server may have ended it."""

from __future__ import annotations

import time

import pytest
from django.db import connection
from django.db.backends.postgresql import base

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no server"),
]


@pytest.fixture
def mine():
    """A connection beside that of the test, whose end rolls everything back."""
    opened = connection.copy()
    opened.ensure_connection()
    yield opened
    opened.close()


def test_nothing_is_asked_while_the_server_is_there(mine, monkeypatch):
    monkeypatch.setattr(base.DatabaseWrapper, "is_usable", lambda _: pytest.fail("asked"))

    assert mine.is_usable()


def test_a_connection_that_the_server_ended_is_not_used_again(mine):
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [mine.connection.info.backend_pid])

    give_up = time.monotonic() + 5
    while mine.is_usable() and time.monotonic() < give_up:
        time.sleep(0.01)

    assert not mine.is_usable()


def test_after_an_error_the_server_is_asked(mine, monkeypatch):
    monkeypatch.setattr(base.DatabaseWrapper, "is_usable", lambda _: False)
    mine.errors_occurred = True

    assert not mine.is_usable()
