"""A board for which hundreds ask at once is drawn once, and never older than the last change."""

import asyncio
import gzip
from typing import Any

import pytest
from django.test import Client, RequestFactory

from scoring.groups.sets.membership import take_set
from scoring.groups.settings.commands import create_playgroup
from scoring.live import hub
from scoring.models import GameSet
from scoring.record import commands
from scoring.record.trial import create_trial
from scoring.rules.moves import Draw
from scoring.tables import boards
from scoring.tables.boards import RawAnswer

from . import KEY, address, record, set_up

PATIENCE = 5  # seconds; only a failure waits so long


@pytest.fixture
def table(db: None, monkeypatch) -> GameSet:
    """A table that somebody listens to."""
    table = set_up()
    monkeypatch.setattr(hub, "_changes", {topic(table): 7})
    monkeypatch.setattr(hub, "_latest", 7)
    monkeypatch.setattr(boards, "_boards", {})
    return table


def topic(table: GameSet) -> str:
    return f"s{table.pk}"


def asked(table: GameSet, name: str = "watch", query: str = "", **headers: str) -> dict[str, Any]:
    told = {"hx-request": "true", "accept-encoding": "br, gzip"} | headers
    return {"path": address(table, name) + query, "headers": told}


def request(table: GameSet, *args: Any, **headers: str) -> Any:
    return RequestFactory().get(**asked(table, *args, **headers))


def drawn(table: GameSet, *args: Any, **headers: str) -> tuple[Any, RawAnswer]:
    """Have Django answer a request, and return both."""
    response = Client().get(**asked(table, *args, **headers))
    pairs = [(name.lower().encode(), value.encode()) for name, value in response.items()]
    return response.wsgi_request, (response.status_code, pairs, response.content)


def ask(table: GameSet, *args: Any, **headers: str) -> RawAnswer:
    request, answer = drawn(table, *args, **headers)

    async def draw(_: Any) -> RawAnswer:
        return answer

    return asyncio.run(boards.share(request, draw))


def handed_out(table: GameSet, *args: Any, **headers: str) -> RawAnswer | None:
    """Return what is answered without drawing it; None if that can't be."""

    async def refuse(_: Any) -> RawAnswer:
        raise LookupError

    try:
        return asyncio.run(boards.share(request(table, *args, **headers), refuse))
    except LookupError:
        return None


@pytest.mark.parametrize("name", ["watch", "table"])
def test_a_later_request_gets_the_same_but_its_number_until_a_change_is_heard_of(table, name):
    assert handed_out(table, name) is None
    status, headers, body = ask(table, name)

    again = handed_out(table, name)

    assert again == (status, [pair for pair in headers if pair[0] != b"x-request-id"], body)
    assert b"seat-1" in gzip.decompress(body)
    known = handed_out(table, name, **{"if-none-match": dict(headers)[b"etag"].decode()})
    assert (known[0], known[2]) == (304, b"")
    hub._count_change(topic(table))
    assert handed_out(table, name) is None


def test_a_request_for_something_else_gets_no_board_of_others(table):
    ask(table)

    for headers in ({"hx-request": "false"}, {"accept-encoding": "br"}, {"query": "?final"}):
        assert handed_out(table, **headers) is None
    posted = request(table)
    posted.method = "POST"

    async def draw(_: Any) -> RawAnswer:
        return 405, [], b""

    assert asyncio.run(boards.share(posted, draw))[0] == 405


def test_a_table_for_all_sides_of_it_is_another_board_than_an_upright_one(table):
    ask(table, "table")
    ask(table, "table", "?upright")

    bodies = [gzip.decompress(handed_out(table, "table", query)[2]) for query in ("", "?upright")]
    assert [b"side far" in body for body in bodies] == [True, False]


def test_there_are_so_many_boards_at_most(table, monkeypatch):
    monkeypatch.setattr(boards, "BOARDS_MAX", 2)
    for number in range(4):
        other = set_up(key=f"key-{number}")
        hub._changes[topic(other)] = 7
        ask(other)

    assert len(boards._boards) <= 2
    assert handed_out(other)


def test_a_change_that_is_heard_of_while_a_board_is_drawn_makes_it_old(table, monkeypatch):
    heard = hub.latest()
    hub._count_change(topic(table))
    with monkeypatch.context() as earlier:
        earlier.setattr(boards.hub, "latest", lambda: heard)  # asked before the change came
        ask(table)

    assert handed_out(table) is None
    ask(table)
    assert handed_out(table)


def test_a_board_lasts_a_second_at_most_and_while_changes_are_heard_of(table, monkeypatch):
    ask(table)
    with monkeypatch.context() as later:
        later.setattr(boards.time, "monotonic", lambda: float("inf"))
        assert handed_out(table) is None
    ask(table)
    assert handed_out(table)

    hub._changes.clear()

    assert handed_out(table) is None


def test_the_board_of_a_private_playgroup_is_nobody_elses(table):
    take_set(table, create_playgroup("Secret", None, visibility="private", ruleset="coalition-906"))
    assert ask(table, cookie=f"key-{table.code}={KEY}")[0] == 200

    assert handed_out(table) is None


def test_the_board_of_a_table_to_try_is_nobody_elses(table):
    tried = create_trial("tried")
    hub._changes[topic(tried)] = 7
    assert ask(tried, cookie=f"key-{tried.code}=tried")[0] == 200

    assert handed_out(tried) is None


def test_the_end_of_a_set_is_nobody_elses(table):
    record(table, Draw())
    commands.call_set(table)
    ask(table)

    assert handed_out(table) is None


def test_an_answer_with_a_cookie_is_nobody_elses(table):
    request, (status, headers, body) = drawn(table)

    async def draw(_: Any) -> RawAnswer:
        return status, [*headers, (b"set-cookie", b"account=7")], body

    asyncio.run(boards.share(request, draw))

    assert handed_out(table) is None


@pytest.mark.parametrize("is_for_all", [True, False])
def test_who_comes_while_a_board_is_drawn_waits_for_that(table, is_for_all):
    """If nobody else may see what was drawn, each has a drawing of their own."""
    ask(table)
    hub._count_change(topic(table))
    answers = dict(drawn(table) for _ in range(3))
    begun: list[Any] = []

    async def evening() -> None:
        may_draw = asyncio.Event()

        async def draw(request: Any) -> RawAnswer:
            begun.append(request)
            await may_draw.wait()
            if not is_for_all:
                del request.for_all
            return answers[request]

        viewers = [asyncio.create_task(boards.share(request, draw)) for request in answers]
        await asyncio.sleep(0.01)
        assert begun == list(answers)[:1]
        may_draw.set()
        assert {status for status, *_ in await asyncio.gather(*viewers)} == {200}

    asyncio.run(asyncio.wait_for(evening(), PATIENCE))
    assert len(begun) == (1 if is_for_all else 3)


def test_a_drawing_that_fails_keeps_nobody_waiting(table):
    ask(table)
    hub._count_change(topic(table))

    async def fail(_: Any) -> RawAnswer:
        await asyncio.sleep(0)
        raise RuntimeError

    async def both() -> list[Any]:
        asked = [boards.share(request(table), fail) for _ in range(2)]
        return await asyncio.gather(*asked, return_exceptions=True)

    failures = asyncio.run(asyncio.wait_for(both(), PATIENCE))
    assert [type(error) for error in failures] == [RuntimeError] * 2
