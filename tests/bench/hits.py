"""How long a hit takes beside the frozen floor and the site as it was, at ten connections.

Each connection is a phone at a table of its own that taps again when it has its answer. The sides
take turns. What a hit costs is the processor time of the server's processes and, on PostgreSQL, of
the database; the client's is not in it, though it shares the machine.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from uuid import uuid4

from tests.bench.aims import Report
from tests.bench.client import Ask, Connection, load
from tests.bench.rows import Row, at
from tests.bench.server import Server, running
from tests.bench.stand import Side, Size, Stand

CONNECTIONS = 10
MANY = 50
ALONE = 15  # hits of a phone at a time, early and late in a game


@dataclass
class Measured:
    """What the same requests took in all rounds: each one's seconds, and those of all."""

    side: Side
    asks: Sequence[Ask]
    times: list[float] = field(default_factory=list)
    seconds: float = 0
    cpu: float = 0

    @property
    def rate(self) -> float:
        """Return how many were answered in a second."""
        return len(self.times) / self.seconds

    @property
    def cost(self) -> float:
        """Return the milliseconds of processor time of each."""
        return self.cpu / len(self.times) * 1000

    @property
    def typical(self) -> float:
        """Return the milliseconds that the middle one took."""
        return median(self.times) * 1000

    async def add(self, count: int) -> None:
        """Ask ``count`` times on each connection."""
        used, begin = self.side.cpu(), time.perf_counter()
        self.times += await load(self.asks, count)
        self.seconds += time.perf_counter() - begin
        self.cpu += self.side.cpu() - used


async def taps(side: Side, connections: int) -> Measured:
    """Return the hits of so many phones, or the floor's INSERTs; each has asked once."""
    if side.name == "floor":
        asks = [insert(side.server) for _ in range(connections)]
    else:
        phones = await side.scorekeepers(list(side.tables)[:connections])
        asks = [phone.hit for phone in phones]
    await load(asks, 1)
    return Measured(side, asks)


def insert(server: Server) -> Ask:
    """Return what inserts a row at the floor, by a connection of its own."""
    connection = Connection(server.port)
    return lambda: connection.fetch("/insert/", {"tap_id": uuid4(), "amount": 1})


async def beside(stand: Stand, size: Size, report: Report) -> list[Row]:
    """Measure hits beside the floor and those of before."""
    sides = {side.name: await taps(side, CONNECTIONS) for side in stand.sides}
    for _ in range(size.rounds):
        for measured in sides.values():
            await measured.add(size.hits)
    now, floor, name = sides["now"], sides["floor"], stand.kind.name
    report.add("hit", name, now.typical / floor.typical)
    report.add("spread", name, at(now.times, 0.99) / at(now.times, 0.5))
    rows = [
        ("a hit, 10 connections / the floor's INSERT", now.typical, floor.typical, "1.6"),
        ("its processor time / the INSERT's", now.cost, floor.cost, ""),
    ]
    if before := sides.get("before"):
        report.add("rate", name, now.rate / before.rate)
        rows += [
            ("before: a hit / the floor's INSERT", before.typical, floor.typical, ""),
            ("a hit, 10 connections / before", now.typical, before.typical, ""),
            ("its processor time / before", now.cost, before.cost, ""),
        ]
    print("hits a second: " + ", ".join(f"{key} {one.rate:.0f}" for key, one in sides.items()))
    return rows


async def late(stand: Stand, size: Size) -> list[Row]:
    """Measure hits late in a game beside early ones."""
    early, last = [], []
    firsts = await stand.now.scorekeepers(stand.now.early)
    lasts = await stand.now.scorekeepers(stand.now.late)
    for first, other in zip(firsts, lasts, strict=True):
        early += await load([first.hit], ALONE)
        last += await load([other.hit], ALONE)
    what = f"a hit at event {size.late} / at event 1, 1 connection"
    return [(what, median(last) * 1000, median(early) * 1000, "1.15")]


async def two_workers(stand: Stand, size: Size) -> float:
    """Return how many times the hits of one worker two workers answer, at 50 connections."""
    two = Server(stand.now.server.environment["DATABASE_URL"], workers=2)
    with running(two):
        sides = stand.now, Side("two", two, tables=stand.now.tables)
        one, other = [await taps(side, MANY) for side in sides]
        for _ in range(size.rounds):
            for measured in (one, other):
                await measured.add(size.hits // 4)
    print(f"hits a second, {MANY} connections: one worker {one.rate:.0f}, two {other.rate:.0f}")
    return other.rate / one.rate
