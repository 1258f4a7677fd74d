"""The disk under SQLite has no room left: what is sent is refused, and nothing is corrupted."""

import asyncio
import resource
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

from scoring.models import GameSet
from tests.bench.server import Server, served
from tests.environment import migrated
from tests.scoring.browsing import words
from tests.scoring.rules.play import ANN, BO
from tests.scoring.tables import address, check_books, events, holder, set_up, tap_id, unchanged

from .phone import fresh, phone, recorded, said, until

FULL, AWAY = "The site’s disk is full", "The site can’t reach its database now"
HARD = resource.RLIM_INFINITY


@pytest.fixture
def table(transactional_db: None) -> GameSet:
    if connection.vendor != "sqlite":
        pytest.skip("of SQLite alone")
    return set_up()


def pragma(said: str) -> int:
    with connection.cursor() as cursor:
        return int(cursor.execute(f"PRAGMA {said}").fetchone()[0])


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
    assert _integrity() == "ok"
    check_books(table)


def _integrity() -> str:
    with connection.cursor() as cursor:
        return str(cursor.execute("PRAGMA integrity_check").fetchone()[0])


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[Server, Path]]:
    file = Path(shutil.copy(migrated("sqlite"), tmp_path / "full.sqlite3"))
    with served(f"sqlite:///{file}", settings="coalition_site.settings") as server:
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
        kept, meanwhile = fresh(), fresh()
        assert (await one.tap(kept)).status == 200

        limit(Path(f"{file}-wal").stat().st_size)
        refused = [await one.tap(tap) for tap in (meanwhile, fresh(), fresh())]
        assert [answer.status for answer in refused] == [503] * 3
        assert all(FULL in said(answer) or AWAY in said(answer) for answer in refused)
        assert (await one.look()).status == 200

        limit(HARD)
        assert (await until(lambda: one.tap(meanwhile), 200)).status == 200
        assert recorded(server, one.code) == [kept, meanwhile]

    asyncio.run(evening())
    assert server.manage("verify_ledger", check=False).returncode == 0
    with closing(sqlite3.connect(file)) as reader:
        assert reader.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
