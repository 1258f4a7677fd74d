"""A board that hundreds request at once is rendered once, and never older than the last change."""

from __future__ import annotations

import asyncio
import gzip
import re
from dataclasses import replace
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from scoring.groups.playgroups import create_playgroup
from scoring.groups.set_membership import take
from scoring.live import hub
from scoring.models import GameSet
from scoring.play import commands
from scoring.rules.moves import Draw
from scoring.views import boards

from ..tables import address, holder, record, set_up

HTMX = {"HX-Request": "true"}
PATIENCE = 5  # seconds; only a failure waits so long
VIEWS = ["watch", "table"]


@pytest.fixture
def table(db: None, monkeypatch) -> GameSet:
    """A table that somebody listens to."""
    table = set_up()
    monkeypatch.setattr(hub, "_changes", {topic(table): 7})
    monkeypatch.setattr(hub, "_latest", 7)
    monkeypatch.setattr(boards, "_cache", {})
    return table


def topic(table: GameSet) -> str:
    return f"s{table.pk}"


def ask(table: GameSet, name: str = "watch", **headers: str) -> HttpResponse:
    return Client().get(address(table, name), headers=HTMX | headers)


def scope(table: GameSet, name: str = "watch", query: bytes = b"", **headers: str) -> dict:
    asked = {"hx-request": "true", "accept-encoding": "gzip, br"} | headers
    return {
        "method": "GET",
        "path": address(table, name),
        "query_string": query,
        "headers": [(key.encode(), value.encode()) for key, value in asked.items()],
    }


def handed_out(
    table: GameSet, name: str = "watch", query: bytes = b"", **headers: str
) -> tuple[int, dict, bytes] | None:
    """Return what is handed out without Django: status, headers and body; None if nothing is."""
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def draw(send: Any) -> None:
        """Django's part, which is not asked here."""

    asyncio.run(boards.serve(scope(table, name, query, **headers), send, draw))
    if not sent:
        return None
    found = {key.decode(): value.decode() for key, value in sent[0]["headers"]}
    return sent[0]["status"], found, sent[1]["body"]


@pytest.mark.parametrize("name", VIEWS)
def test_a_later_request_gets_the_same(table, name):
    assert handed_out(table, name) is None
    first = ask(table, name, **{"Accept-Encoding": "gzip"})

    status, headers, body = handed_out(table, name)

    assert (status, gzip.decompress(body)) == (200, gzip.decompress(first.content))
    told = {key.lower(): value for key, value in first.headers.items()}
    for each in (headers, told):
        assert re.fullmatch("[0-9a-f]{32}", each.pop("x-request-id"))
        del each["content-length"]
    assert set(headers.pop("vary").split(", ")) >= set(told.pop("vary").split(", "))
    assert headers == told
    known = handed_out(table, name, **{"if-none-match": first["ETag"]})
    assert (known[0], known[2]) == (304, b"")


def test_nobody_waits_for_the_board_of_a_table_that_nobody_here_follows(table, monkeypatch):
    ask(table)
    drawn_for_another = dict.fromkeys(boards._cache, asyncio.Event())
    monkeypatch.setattr(boards, "_drawings", drawn_for_another)
    monkeypatch.setattr(hub, "_changes", {})  # the last listener has left

    assert handed_out(table) is None

    boards._cache.clear()
    ask(table)
    assert boards._cache == {}


def test_what_is_handed_out_is_numbered_and_logged_too(table, caplog):
    ask(table)
    caplog.set_level("INFO", "coalition_site.lib.observing")
    caplog.clear()

    _, headers, _ = handed_out(table, **{"x-request-id": "from-the-proxy-1"})

    assert headers["x-request-id"] == "from-the-proxy-1"
    assert [line.getMessage() for line in caplog.records] == ["GET handed out 200"]


def test_a_request_that_waited_for_a_thread_gets_it_too(table, django_assert_num_queries: Any):
    first = ask(table)

    with django_assert_num_queries(0):
        again = ask(table)

    for answer in (first, again):
        del answer["X-Request-ID"]  # which each has of its own
    assert (again.content, dict(again.headers)) == (first.content, dict(first.headers))


@pytest.mark.parametrize("headers", [{"hx-request": "false"}, {"accept-encoding": "br"}])
def test_a_request_for_something_else_gets_no_cached_board(table, headers):
    ask(table)

    assert handed_out(table, **headers) is None


def test_what_a_question_adds_makes_no_board_of_its_own(table):
    for query in ("", "?x=1", "?x=2&y", "?%ff", "?upright", "?upright=1&x=3"):
        Client().get(address(table, "table") + query, headers=HTMX)

    assert len(boards._cache) == 2
    asked = {query: handed_out(table, "table", query) for query in (b"z=1", b"upright=%ff&z=1")}
    far = {query: b"side far" in gzip.decompress(body) for query, (_, _, body) in asked.items()}
    assert far == {b"z=1": True, b"upright=%ff&z=1": False}


def test_boards_take_no_more_room_than_they_may(table, monkeypatch):
    others = [set_up(key=f"key-{number}") for number in range(4)]
    hub._changes.update({topic(one): 7 for one in others})
    ask(table)
    (board,) = boards._cache.values()
    monkeypatch.setattr(boards, "BYTES_MAX", 3 * len(board.packed))

    rooms = []
    for one in others:
        ask(one)
        rooms.append(sum(len(board.packed) for board in boards._cache.values()))

    assert max(rooms) <= boards.BYTES_MAX
    assert handed_out(others[-1])


@pytest.mark.parametrize("name", VIEWS)
def test_a_board_is_old_once_a_change_was_heard_of(table, name):
    ask(table, name)
    assert handed_out(table, name)

    hub._count_change(topic(table))

    assert handed_out(table, name) is None


def test_a_change_that_is_heard_of_while_a_board_is_drawn_makes_it_old(table, monkeypatch):
    heard = hub.latest()
    hub._count_change(topic(table))
    with monkeypatch.context() as earlier:
        earlier.setattr(boards.hub, "latest", lambda: heard)  # asked before the change came
        ask(table)

    assert handed_out(table) is None
    ask(table)
    assert handed_out(table)


def test_a_board_of_which_no_change_is_heard_is_not_cached(table):
    hub._changes.clear()
    ask(table)

    assert handed_out(table) is None


def test_a_board_is_cached_for_a_second_at_most(table, monkeypatch):
    ask(table)
    assert handed_out(table)

    monkeypatch.setattr(boards.time, "monotonic", lambda: float("inf"))

    assert handed_out(table) is None


def test_the_board_of_a_private_playgroup_is_cached_for_nobody(table):
    take(table, create_playgroup("Secret", None, visibility="private", ruleset="coalition-906"))
    assert holder(table).get(address(table, "watch"), headers=HTMX).status_code == 200

    assert handed_out(table) is None


def test_the_end_of_the_set_is_cached_for_nobody(table):
    record(table, Draw())
    commands.call_set(table)
    assert ask(table).has_header("ETag")

    assert handed_out(table) is None


class Viewer:
    """Somebody who asks for a board; Django draws it when it is allowed to."""

    def __init__(self, table: GameSet) -> None:
        self.scope, self.table = scope(table), table
        self.draws, self.sent, self.reads = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self.may_draw = asyncio.Event()

    async def ask(self) -> None:
        await boards.serve(self.scope, self.send, self.draw)

    async def draw(self, send: Any) -> None:
        self.draws.set()
        await self.may_draw.wait()
        await send({"type": "http.response.start"})

    async def send(self, message: Any) -> None:
        self.sent.set()
        await self.reads.wait()


@pytest.mark.parametrize("is_stored", [True, False])
def test_who_comes_while_a_board_is_drawn_waits_for_that_and_not_for_its_reader(table, is_stored):
    """If nobody may share what was drawn, each has a drawing of his own."""
    ask(table)
    (board,) = boards._cache.values()

    async def evening() -> list[bool]:
        hub._count_change(topic(table))
        slow, *others = viewers = [Viewer(table) for _ in range(3)]
        tasks = [asyncio.create_task(viewer.ask()) for viewer in viewers]
        await slow.draws.wait()
        assert not any(viewer.draws.is_set() for viewer in others)

        for viewer in others:
            viewer.may_draw.set()
            viewer.reads.set()
        if is_stored:
            boards._cache[boards._requested(slow.scope)] = replace(board, change=hub.latest())
        slow.may_draw.set()
        await asyncio.gather(*tasks[1:])
        assert slow.sent.is_set()
        assert not tasks[0].done()
        slow.reads.set()
        await tasks[0]
        return [viewer.draws.is_set() for viewer in viewers]

    drew = asyncio.run(asyncio.wait_for(evening(), PATIENCE))
    assert drew == [True, not is_stored, not is_stored]
    assert boards._drawings == {}


def test_a_drawing_that_fails_keeps_nobody_waiting(table):
    ask(table)
    hub._count_change(topic(table))

    async def fail(send: Any) -> None:
        await asyncio.sleep(0)
        raise RuntimeError

    async def both() -> list[Any]:
        asked = [boards.serve(scope(table), None, fail) for _ in range(2)]
        return await asyncio.gather(*asked, return_exceptions=True)

    assert [type(error) for error in asyncio.run(asyncio.wait_for(both(), PATIENCE))] == [
        RuntimeError,
        RuntimeError,
    ]
