"""A database that is away or full is answered as that, with 503."""

from typing import Any
from unittest.mock import Mock

import psycopg
import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.db import DatabaseError, InterfaceError, OperationalError, ProgrammingError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from coalition_site.ops.logs import Lines
from scoring.models import GameSet
from scoring.play import commands, queries
from tests.coalition_site.test_logs import logged
from tests.scoring.browsing import words
from tests.scoring.groups.visitors import account
from tests.scoring.tables import address, holder, set_up, tap_id

BEHIND = "The site is being brought up to date"
AWAY, FULL = "The site can’t reach its database now", "The site’s disk is full"
STORED = "Taps on the pad are stored on this phone and will be sent by themselves."


@pytest.fixture
def table(db: None) -> GameSet:
    return set_up()


def tap(table: GameSet, monkeypatch: pytest.MonkeyPatch, error: Exception) -> Any:
    monkeypatch.setattr(commands, "record", Mock(side_effect=error))
    client = holder(table, raise_request_exception=False)
    return client.post(address(table, "turn", 1), {"tap_id": tap_id(1)})


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
    answer = tap(table, monkeypatch, error)

    assert (answer.status_code, answer["Retry-After"]) == (503, "10")
    assert title in words(answer)
    assert STORED in words(answer)


@pytest.mark.parametrize("name", ["watch", "log", "export", "score", "stream"])
def test_pages_and_streams_say_it_too(table, monkeypatch, name):
    for find in ("find_set", "find_set_and_games"):
        monkeypatch.setattr(queries, find, Mock(side_effect=OperationalError("gone")))
    client = holder(table, raise_request_exception=False)

    answer = client.get(address(table, name))

    assert (answer.status_code, AWAY in words(answer)) == (503, True)


def test_a_signed_in_visitor_reads_it_without_a_query_for_the_account(table, monkeypatch):
    client = Client(raise_request_exception=False)
    client.force_login(account("ann"))
    monkeypatch.setattr(SessionStore, "load", Mock(side_effect=OperationalError("gone")))

    answer = client.get("/groups/")

    assert (answer.status_code, AWAY in words(answer)) == (503, True)


@pytest.mark.parametrize("error", [DatabaseError("malformed"), psycopg.OperationalError("x")])
def test_what_else_breaks_is_no_503(table, monkeypatch, error):
    answer = tap(table, monkeypatch, error)

    assert (answer.status_code, "Something went wrong" in words(answer)) == (500, True)


@pytest.mark.parametrize(
    "error", [ProgrammingError("relation does not exist"), OperationalError("no such table: x")]
)
def test_a_site_whose_database_is_of_an_older_version_is_being_brought_up_to_date(
    table, monkeypatch, error
):
    MigrationRecorder(connection).record_unapplied("decks", "0001_initial")

    answer = tap(table, monkeypatch, error)

    assert (answer.status_code, BEHIND in words(answer)) == (503, True)


def test_each_who_asks_a_database_that_is_away_makes_lines_and_no_traces(table, monkeypatch):
    error = OperationalError("connection to server at 10.0.0.7 failed\n\tIs the server running?")
    monkeypatch.setattr(queries, "find_set", Mock(side_effect=error))

    with logged(Lines()) as kept:
        Client(raise_request_exception=False).get(address(table, "watch"))

    said = f"Unavailable: {address(table, 'watch')}: connection to server at 10.0.0.7 failed"
    lines = [line for line in kept.getvalue().splitlines() if "10.0.0.7" in line]
    assert [line for line in lines if said in line] == lines
    assert lines
    assert "File " not in kept.getvalue()
