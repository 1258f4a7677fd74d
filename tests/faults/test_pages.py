"""What pages say when the database is away or full, and when the clock jumps back."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import psycopg
import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.db import (
    DatabaseError,
    InterfaceError,
    InternalError,
    OperationalError,
    ProgrammingError,
    connection,
)
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone

from coalition_site.ops.logs import Lines
from scoring.models import EventRow, GameSet, Scorekeeper
from scoring.record import commands, queries
from scoring.rules.moves import Draw, PassTurn
from tests.coalition_site.test_logs import logged
from tests.scoring.browsing import words
from tests.scoring.groups.visitors import account
from tests.scoring.rules.play import ANN, BO, hit
from tests.scoring.tables import address, check_books, holder, record, set_up, tap_id, text
from tests.security.world import build

READ_ONLY = InternalError("cannot execute INSERT in a read-only transaction")
READ_ONLY.__cause__ = psycopg.errors.ReadOnlySqlTransaction()  # as after a move to a standby
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
        (OperationalError("database is locked"), AWAY),
        (InterfaceError("the connection is closed"), AWAY),
        (READ_ONLY, AWAY),
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
    monkeypatch.setattr(queries, "find_set", Mock(side_effect=OperationalError("gone")))
    client = holder(table, raise_request_exception=False)

    answer = client.get(address(table, name))

    assert (answer.status_code, AWAY in words(answer)) == (503, True)


def test_a_signed_in_visitor_reads_it_without_a_query_for_the_account(table, monkeypatch):
    client = Client(raise_request_exception=False)
    client.force_login(account("ann"))
    monkeypatch.setattr(SessionStore, "load", Mock(side_effect=OperationalError("gone")))

    answer = client.get("/groups/")

    assert (answer.status_code, AWAY in words(answer)) == (503, True)


@pytest.mark.parametrize(
    "error", [DatabaseError("malformed"), InternalError("x"), psycopg.OperationalError("x")]
)
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


# --- the clock jumps back: nothing breaks, and order stays ---
JUMPS = [timedelta(seconds=5), timedelta(days=2), timedelta(days=400)]
NOW = timezone.now


@pytest.fixture
def jump(db: None, monkeypatch: Any) -> Callable[[timedelta], None]:
    return lambda by: monkeypatch.setattr(timezone, "now", lambda: NOW() - by)


@pytest.mark.parametrize("by", JUMPS, ids=str)
def test_a_game_goes_on_in_the_order_of_its_numbers_and_a_set_may_end_before_it_began(jump, by):
    table = set_up()
    client = holder(table)
    client.get(address(table, "score"))
    client.post(address(table, "turn", 1), {"tap_id": tap_id(1)})

    jump(by)
    answers = [client.post(address(table, "turn", 1), {"tap_id": tap_id(n)}) for n in (2, 3, 3)]
    again = client.post(address(table, "undo", 1), {"tap_id": tap_id(4), "of": tap_id(3)})

    assert [answer.status_code for answer in (*answers, again)] == [302] * 4
    rows = list(EventRow.objects.order_by("seq").values_list("seq", "at", "tap_id"))
    assert [(seq, tap) for seq, _, tap in rows] == [(n, tap_id(n)) for n in (1, 2, 3, 4)]
    assert rows[0][1] > rows[1][1]  # as the clock said

    record(table, hit(ANN, BO, 5), Draw())
    for number in (2, 3):
        commands.start_game(table, number, first=None)
        record(table, PassTurn(), Draw(), game=number)

    check_books(table)
    for name in ("watch", "table", "log", "score", "export"):
        answer = client.get(address(table, name), follow=True)
        assert answer.status_code == 200, name
        assert "-1 day" not in text(answer), name


@pytest.mark.parametrize("by", JUMPS, ids=str)
def test_a_scorekeeper_is_seen_though_the_clock_jumped(jump, by):
    """And who left before that is not seen for as long as the clock went back."""
    table = set_up()
    first, left = holder(table), holder(table)
    for number, client in enumerate((first, left), 1):
        # Refused, since there is no such event: it is numbered, and no line of the log names it.
        client.post(address(table, "undo", 1), {"tap_id": tap_id(number), "event": 99})

    jump(by)
    first.get(address(table, "score"))
    third = holder(table)
    page = third.get(address(table, "score"))

    seen = {one.number: one.seen_at for one in Scorekeeper.objects.all()}
    near = by <= timedelta(seconds=10)
    assert abs(seen[1] - timezone.now()) < timedelta(seconds=60)
    assert "Phone 1" in words(page)
    assert ("Phone 2" in words(page)) is near


@pytest.mark.parametrize("by", JUMPS[1:], ids=str)
def test_every_page_opens_and_a_playgroup_is_run_after_the_clock_jumped(jump, by):
    world = build()
    clients, form = world.clients(), {"tap_id": tap_id(1), "role": "member"}

    jump(by)

    for role in ("key", "owner", "superuser"):
        for _, where in world.addresses:
            clients[role].get(where)  # or it raises what is wrong
    for _, where in world.addresses:
        if where.startswith(f"/g/{world.group.code}/"):
            clients["owner"].post(where, form)
