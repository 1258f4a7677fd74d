"""A database that is away or full is told as that, with 503: nothing broke that won't mend."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.db import DatabaseError, InterfaceError, OperationalError
from django.test import Client

from scoring import commands, queries
from scoring.queries import Table
from tests.scoring.groups.visitors import account
from tests.scoring.pages import words
from tests.scoring.tables import address, holder, set_up, tap_id

AWAY, FULL = "The site can’t reach its memory now", "The site’s memory is full"
KEPT = "What was tapped on the pad is kept on this phone and goes out by itself."


@pytest.fixture
def table(db: None) -> Table:
    return set_up()


def breaks(with_error: Exception) -> Any:
    def fail(*args: object, **said: object) -> None:
        raise with_error

    return fail


@pytest.mark.parametrize(
    ("error", "title"),
    [
        (OperationalError("connection to server failed: Connection refused"), AWAY),
        (OperationalError("the database system is starting up"), AWAY),
        (OperationalError("server closed the connection unexpectedly"), AWAY),
        (OperationalError("database is locked"), AWAY),
        (OperationalError("disk I/O error"), AWAY),
        (InterfaceError("the connection is closed"), AWAY),
        (OperationalError("database or disk is full"), FULL),
        (OperationalError("could not extend file: No space left on device"), FULL),
    ],
    ids=str,
)
def test_a_tap_is_answered_with_503_and_what_to_do(table, monkeypatch, error, title):
    monkeypatch.setattr(commands, "record", breaks(error))
    client = holder(table, raise_request_exception=False)

    answer = client.post(address(table, "turn", 1), {"tap_id": tap_id(1)})

    assert (answer.status_code, answer["Retry-After"]) == (503, "10")
    assert title in words(answer)
    assert KEPT in words(answer)


@pytest.mark.parametrize("name", ["watch", "log", "export", "score", "stream"])
def test_pages_and_streams_say_it_too(table, monkeypatch, name):
    monkeypatch.setattr(queries, "find_table", breaks(OperationalError("gone")))
    client = holder(table, raise_request_exception=False)

    answer = client.get(address(table, name))

    assert (answer.status_code, AWAY in words(answer)) == (503, True)


def test_it_is_told_to_who_is_signed_in_without_asking_who_that_is(table, monkeypatch):
    client = Client(raise_request_exception=False)
    client.force_login(account("ann"))
    monkeypatch.setattr(SessionStore, "load", breaks(OperationalError("gone")))

    answer = client.get("/groups/")

    assert (answer.status_code, AWAY in words(answer)) == (503, True)


@pytest.mark.parametrize("error", [DatabaseError("malformed"), psycopg.OperationalError("x")])
def test_what_else_breaks_is_no_503(table, monkeypatch, error):
    monkeypatch.setattr(commands, "record", breaks(error))
    client = holder(table, raise_request_exception=False)

    answer = client.post(address(table, "turn", 1), {"tap_id": tap_id(1)})

    assert (answer.status_code, "Something broke here" in words(answer)) == (500, True)
