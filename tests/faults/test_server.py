"""The database of the real server goes away or fills its disk in the middle of a game."""

import asyncio
import resource
import shutil
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from html import unescape
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from scoring.models import GameSet
from tests.bench.client import Answer, Connection, token
from tests.bench.phones import Scorekeeper
from tests.bench.server import Server, running, served
from tests.environment import TEMPLATE, migrated, start_postgres
from tests.scoring.browsing import words
from tests.scoring.rules.play import ANN, BO
from tests.scoring.tables import address, check_books, events, holder, set_up, tap_id, unchanged

PATIENCE = 30.0  # seconds; only a failure waits so long
AGAIN = 0.2  # seconds


class Phone(Scorekeeper):
    """Each of its requests has a connection of its own, but for the stream."""

    async def ask(self, path: str, form: dict[str, object] | None = None) -> Answer:
        connection = Connection(self.connection.port, self.connection.cookies)
        await connection.open()
        headers = self.headers if form else {}
        answer = await asyncio.wait_for(connection.ask(path, form, **headers), PATIENCE)
        connection.drop()
        return answer

    async def page(self, name: str = "") -> Answer:
        return await self.ask(f"/s/{self.code}/{name}")

    async def tap(self, tap_id: str) -> Answer:
        hit = {"source": 1, "target": 2, "kind": "combat", "amount": 1, "tap_id": tap_id}
        return await self.ask(f"/s/{self.code}/score/1/hit/", hit)


async def phone(server: Server) -> Phone:
    (table,) = await asyncio.to_thread(server.output_of, "tables", "played", "1")
    return Phone(server.port, table, await token(server.port))


async def signal(stream: Connection) -> None:
    async with asyncio.timeout(PATIENCE):
        while not (await stream.reader.readline()).startswith(b"data:"):  # type: ignore[union-attr]
            pass


async def until(ask: Any, status: int) -> Answer:
    async with asyncio.timeout(PATIENCE):
        while (answer := await ask()).status != status:
            await asyncio.sleep(AGAIN)
    return answer  # type: ignore[no-any-return]


def recorded(server: Server, code: str) -> list[str]:
    return [tap for at, tap, *_ in server.output_of("tables", "taps") if at == code]


AWAY = "The site can’t reach its database now"


@pytest.fixture
def away() -> Iterator[tuple[Server, Any]]:
    """The site on a PostgreSQL of its own, which may be stopped, and which forgets nothing."""
    postgres = start_postgres()
    with served(postgres.get_uri(TEMPLATE)) as site:
        yield site, postgres
    postgres.cleanup()


def test_a_tap_made_while_the_database_is_away_is_refused_clearly_and_counts_once_later(away):
    server, postgres = away

    async def evening() -> None:
        one = await phone(server)
        before, meanwhile, after = (str(uuid4()) for _ in range(3))
        stream = one.connection
        await stream.open()
        await stream.listen(f"/live/s/{one.code}/")
        await signal(stream)
        assert (await one.tap(before)).status == 200
        await signal(stream)

        await asyncio.to_thread(postgres.stop)  # whatever is asked meanwhile is cut off
        refused = [await one.tap(meanwhile), await one.page(), await one.page("score/")]
        assert [answer.status for answer in refused] == [503] * 3
        assert {answer.headers["retry-after"] for answer in refused} == {"10"}
        assert all(AWAY in unescape(answer.text) for answer in refused)
        assert (await one.ask("/live/s/" + one.code + "/")).status == 503
        assert (await one.ask("/offline/")).status == 200  # needs no memory

        await asyncio.to_thread(postgres.ensure_postgres_running)
        assert (await until(lambda: one.tap(meanwhile), 200)).status == 200
        assert (await one.tap(meanwhile)).status == 200  # the phone did not get the answer, say
        await signal(stream)  # whoever listened before hears again, without doing anything
        assert (await one.tap(after)).status == 200
        await signal(stream)
        stream.drop()
        looked = [(await one.page(name)).status for name in ["", "score/", "log/"] * 6]
        assert looked == [200] * 18  # by whichever thread
        assert recorded(server, one.code) == [before, meanwhile, after]

    asyncio.run(evening())
    assert server.manage("verify_ledger", check=False).returncode == 0


def test_a_database_that_takes_a_call_and_says_nothing_is_away_too():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"postgres://nobody@127.0.0.1:{silent.getsockname()[1]}/nothing"
        with running(Server(address)) as site:
            one = Phone(site.port, ("22222222", "no-key"), "no-secret")

            async def asked() -> list[Answer]:
                return await asyncio.gather(*map(one.ask, [*["/readyz"] * 9, "/healthz"]))

            assert [answer.status for answer in asyncio.run(asked())] == [503] * 9 + [200]


FULL = "The site’s disk is full"
HARD = resource.RLIM_INFINITY


@pytest.fixture
def table(transactional_db: None) -> GameSet:
    if connection.vendor != "sqlite":
        pytest.skip("of SQLite alone")
    return set_up()


def pragma(said: str) -> Any:
    with connection.cursor() as cursor:
        return cursor.execute(f"PRAGMA {said}").fetchone()[0]


def test_a_full_database_refuses_taps_whole_shows_its_pages_and_takes_the_taps_later(table):
    client = holder(table, raise_request_exception=False)
    client.get(address(table, "score"))
    usual, taps = pragma("max_page_count"), iter(range(1, 2000))
    hit = {"source": ANN, "target": BO, "kind": "other", "amount": 1}

    def tap(number: int) -> int:
        form = {"tap_id": tap_id(number), "player": BO, "life": 1}
        return client.post(address(table, "more", 1), form).status_code

    pragma(f"max_page_count = {pragma('page_count')}")
    refused = next(number for number in taps if tap(number) == 503)
    with unchanged():
        answer = client.post(address(table, "hit", 1), {"tap_id": tap_id(refused), **hit})
        looked = [client.get(address(table, name)).status_code for name in ("watch", "log")]
    pragma(f"max_page_count = {usual}")

    assert (answer.status_code, looked) == (503, [200, 200])
    assert FULL in words(answer)
    assert "tell whoever runs the site: its disk is full." in words(answer)
    assert [tap(refused), tap(refused)] == [302, 302]
    assert len(events(table)) == refused
    assert pragma("integrity_check") == "ok"
    check_books(table)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[Server, Path]]:
    file = Path(shutil.copy(migrated("sqlite"), tmp_path / "full.sqlite3"))
    with served(f"sqlite:///{file}") as server:
        yield server, file


def test_a_server_whose_files_can_not_grow_refuses_taps_and_goes_on_when_they_can(site):
    """By a limit on the files of its process: a write that fails in the middle, as on a disk."""
    server, file = site

    def limit(size: int) -> None:
        first = server.process.pid
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for pid in (first, *map(int, children)):
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, HARD))

    async def evening() -> None:
        one = await phone(server)
        kept, meanwhile, other, last = (str(uuid4()) for _ in range(4))
        assert (await one.tap(kept)).status == 200

        limit(Path(f"{file}-wal").stat().st_size)
        refused = [await one.tap(tap) for tap in (meanwhile, other, last)]
        assert [answer.status for answer in refused] == [503] * 3
        told = [unescape(answer.text) for answer in refused]
        assert all(FULL in words or AWAY in words for words in told)
        assert (await one.page()).status == 200

        limit(HARD)
        assert (await until(lambda: one.tap(meanwhile), 200)).status == 200
        assert recorded(server, one.code) == [kept, meanwhile]

    asyncio.run(evening())
    assert server.manage("verify_ledger", check=False).returncode == 0
    with closing(sqlite3.connect(file)) as reader:
        assert reader.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
