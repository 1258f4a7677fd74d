"""Measure the site against its floors on SQLite and PostgreSQL, and print tables.

    python -m tests.bench [--quick]

The server runs in a process of its own, as `make run` starts it.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from uuid import uuid4

from tests.bench.client import Connection, Request, Stream, load, token
from tests.bench.server import ROOT, served
from tests.environment import start_postgres

CONNECTIONS = 10
LATE = 500  # events


Tables = dict[str, list[tuple[str, str]]]
Row = tuple[str, float, float, str]  # what, its milliseconds, the floor's, the goal


def seed(database: str) -> Tables:
    """Make the floor's table and the tables to play at; return their codes and keys."""
    os.environ |= {"DATABASE_URL": database, "DJANGO_SETTINGS_MODULE": "tests.bench.settings"}
    script = [sys.executable, "-m", "tests.bench.seed", str(CONNECTIONS), str(LATE)]
    return json.loads(subprocess.run(script, check=True, stdout=subprocess.PIPE, cwd=ROOT).stdout)


class Bench:
    """One server under test."""

    def __init__(self, port: int, tables: Tables, scale: int) -> None:
        self.port, self.tables, self.scale = port, tables, scale
        self.token = ""
        self.rows: list[Row] = []

    def cookies(self, code: str, key: str) -> str:
        return f"csrftoken={self.token}; key-{code}={key}"

    async def run(self) -> None:
        self.token = await token(self.port)
        await self._taps()
        await self._late()
        await self._pages()
        await self._bytes()

    def hits(self, code: str, key: str) -> Stream:
        """Return a stream of hits at one table."""
        path = f"/s/{code}/score/1/hit/"

        def make() -> Request:
            return path, {
                "csrfmiddlewaretoken": self.token,
                "tap_id": uuid4(),
                "source": 1,
                "target": 2,
                "kind": "combat",
                "amount": 1,
            }

        return self.cookies(code, key), make

    def inserts(self) -> Stream:
        """Return a stream of the floor's INSERTs."""

        def make() -> Request:
            form = {"csrfmiddlewaretoken": self.token, "tap_id": uuid4(), "amount": 1}
            return "/floor/insert/", form

        return self.cookies(*self.tables["tables"][0]), make

    async def _taps(self) -> None:
        """The app and its floor in turns, so that the machine's moods hit both."""
        floors, hits = [], []
        count = 20 * self.scale
        streams = [self.hits(*table) for table in self.tables["tables"]]
        for _ in range(5):
            floors += await load(self.port, [self.inserts()] * CONNECTIONS, count)
            hits += await load(self.port, streams, count)
        self._row(f"a hit, {CONNECTIONS} connections / one INSERT", hits, floors, "2.0")

    async def _late(self) -> None:
        early, late = [], []
        for first, last in zip(self.tables["early"], self.tables["late"], strict=True):
            early += await load(self.port, [self.hits(*first)], 15)
            late += await load(self.port, [self.hits(*last)], 15)
        self._row(f"a hit at event {LATE} / at event 1, 1 connection", late, early, "1.15")

    async def _pages(self) -> None:
        floors, pages = [], []
        code, key = self.tables["tables"][0]
        cookies, count = self.cookies(code, key), 20 * self.scale
        for _ in range(5):
            floors += await load(self.port, [(cookies, lambda: ("/floor/page/", None))], count)
            pages += await load(self.port, [(cookies, lambda: (f"/s/{code}/score/", None))], count)
        self._row("the scorekeeper's page / a bare page, 1 connection", pages, floors, "")

    def _row(self, name: str, app: list[float], floor: list[float], goal: str) -> None:
        self.rows.append((name, median(app) * 1000, median(floor) * 1000, goal))

    async def _bytes(self) -> None:
        code, key = self.tables["tables"][0]
        cookies, hit = self.hits(code, key)
        connection = Connection(self.port, cookies)
        await connection.open()
        page = await connection.ask(f"/s/{code}/score/")
        html = gzip.decompress(page.body).decode()
        files = set(re.findall(r'(?:href|src)="(/static/[^"#]+)', html))
        sizes = {path: len((await connection.ask(path)).body) for path in sorted(files)}
        tap = await connection.ask(*hit(), **{"HX-Request": "true"})
        connection.drop()
        self.first_visit, self.answer = len(page.body) + sum(sizes.values()), len(tap.body)
        self.sizes = {"page": len(page.body), **sizes}

    def print(self, name: str) -> None:
        print_rows(name, self.rows)
        print(f"{'first visit, bytes over the wire':52} {self.first_visit:8}{'':20} 45000")
        print(f"{'answer to a tap, bytes over the wire':52} {self.answer:8}{'':20}  6000")
        print("  " + ", ".join(f"{Path(path).name} {size}" for path, size in self.sizes.items()))


def print_rows(name: str, rows: list[Row]) -> None:
    print(f"\n{name:52}   app ms  floor ms   ratio   goal")
    for what, app, floor, goal in rows:
        print(f"{what:52} {app:8.2f}  {floor:8.2f}  {app / floor:6.2f}   {goal}")


def speed_of(what: str, name: str) -> None:
    """Print what one of the scripts beside this measures on the database seeded last."""
    script = [sys.executable, "-m", f"tests.bench.{what}"]
    result = subprocess.run(script, check=True, cwd=ROOT, stdout=subprocess.PIPE)
    print_rows(f"{name}, {what}", json.loads(result.stdout))


def replay_speed() -> None:
    """Print how many events a second `replay` plays, beside reading them as JSON."""
    result = subprocess.run(
        [sys.executable, "-m", "tests.bench.replay"], check=True, cwd=ROOT, capture_output=True
    )
    print("\n" + result.stdout.decode().strip())


def main() -> None:
    scale = 1 if "--quick" in sys.argv else 4
    with tempfile.TemporaryDirectory() as folder:
        databases = {
            "SQLite": f"sqlite:///{folder}/bench.sqlite3",
            "PostgreSQL": start_postgres(),
        }
        for name, database in databases.items():
            with served(database) as server:
                bench = Bench(server.port, seed(database), scale)
                asyncio.run(bench.run())
                bench.print(name)
            speed_of("cards", name)
            speed_of("board", name)
    replay_speed()


if __name__ == "__main__":
    main()
