"""How many taps a second a server bears: phones at many tables, step by step more of them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from random import Random

from tests.bench.client import LOST, token
from tests.bench.databases import Kind
from tests.bench.processes import cpu_seconds
from tests.bench.rows import at
from tests.bench.scorekeeper import Scorekeeper
from tests.bench.server import Server

SLOW = 1.0  # seconds: p99 beyond it is past the knee
GRACE = 2.0  # seconds after a step, in which late answers still count
CLIENT_FULL = 0.9  # of a core
CLOSE = 1.25  # the knee is known when the loads on both sides of it differ by less
SHORTER = 0.4  # of a planned step is one of the search
ARRIVING = 20  # phones that open their pages at the same time
WARM = 2.0  # seconds of a step that nobody looks at


@dataclass(frozen=True)
class Step:
    """So many tables for some seconds: how long taps took, and what that cost.

    ``server``, ``database`` and ``client`` are the cores that were busy on the average.
    """

    tables: int
    rate: float  # taps a second
    taps: int
    p50: float  # seconds, as p99
    p99: float
    server: float
    database: float
    client: float

    @property
    def is_borne(self) -> bool:
        return self.p99 <= SLOW


@dataclass(frozen=True)
class Climb:
    """The steps of one database with so many workers: planned ones, and the search for the knee."""

    database: str
    workers: int
    planned: Sequence[Step]
    search: Sequence[Step]
    end: str  # what ended the search

    @property
    def in_order(self) -> list[Step]:
        return sorted([*self.planned, *self.search], key=lambda step: step.rate)

    @property
    def knee(self) -> float:
        """Return the most taps a second that were borne."""
        return around_knee(self.in_order)[0]


def around_knee(steps: Sequence[Step]) -> tuple[float, float]:
    """Return the most taps a second that were borne, and the fewest that were not.

    If all were borne, the latter is infinite.
    """
    past = min((step.rate for step in steps if not step.is_borne), default=inf)
    borne = (step.rate for step in steps if step.is_borne and step.rate < past)
    return max(borne, default=0), past


class Evening:
    """Phones at the tables of one server; they stay while the server is started again."""

    def __init__(self, server: Server, kind: Kind, tables: Sequence[tuple[str, str]]) -> None:
        self.server, self.tables = server, tables
        self.database, self.database_pid = kind.name, kind.pid
        self.dice = Random(1)

    async def arrive(self) -> None:
        """Let each phone open its page, and tap once: that gives it a number."""
        secret = await token(self.server.port)
        self.phones = [Scorekeeper(self.server.port, table, secret) for table in self.tables]
        for start in range(0, len(self.phones), ARRIVING):
            some = self.phones[start : start + ARRIVING]
            await asyncio.gather(*(phone.arrive() for phone in some))
            await asyncio.gather(*(phone.hit() for phone in some))
        self._leave()

    def _leave(self) -> None:
        for phone in self.phones:
            phone.connection.drop()

    async def climb(self, counts: Sequence[int], every: float, seconds: float) -> Climb:
        """Make the planned steps and search for the knee."""
        await self._step(min(20, len(self.phones)), 1, WARM)
        planned = [await self._step(count, every, seconds) for count in counts]
        search: list[Step] = []
        end = await self._search(planned, search, SHORTER * seconds)
        self._leave()
        return Climb(self.database, self.server.workers, planned, search, end)

    async def _search(self, planned: Sequence[Step], search: list[Step], seconds: float) -> str:
        """Double the load until it is not borne, then come close; return what ended the search."""
        while True:
            borne, past = around_knee([*planned, *search])
            if not borne or past < CLOSE * borne:
                return "p99 over a second"
            if past == inf and search and search[-1].client > CLIENT_FULL:
                return "the client's own core"
            rate = 2 * borne if past == inf else (borne * past) ** 0.5
            count = len(self.phones)
            search.append(await self._step(count, count / rate, seconds))

    async def _step(self, tables: int, every: float, seconds: float) -> Step:
        """Let the phones of some tables tap, and wait for the last answers for a moment."""
        times: list[float] = []
        used, begin = self._used(), time.perf_counter()
        tasks = [
            asyncio.create_task(self._tap(phone, begin, every, begin + seconds, times))
            for phone in self.dice.sample(self.phones, tables)
        ]
        _, late = await asyncio.wait(tasks, timeout=seconds + GRACE)
        for task in late:
            task.cancel()
        await asyncio.gather(*tasks)
        took = time.perf_counter() - begin
        cores = [(now - was) / took for now, was in zip(self._used(), used, strict=True)]
        return Step(tables, tables / every, len(times), at(times, 0.5), at(times, 0.99), *cores)

    async def _tap(
        self, phone: Scorekeeper, begin: float, every: float, end: float, times: list[float]
    ) -> None:
        """Tap when it is due, or at once if that is over; what is not answered takes for ever."""
        due = begin + self.dice.uniform(0, every)
        try:
            while due < end:
                await asyncio.sleep(due - time.perf_counter())
                answer = await phone.hit()
                if answer.status != 200:
                    raise ConnectionError(answer.status)
                times.append(time.perf_counter() - due)
                due += every
        except (asyncio.CancelledError, *LOST):
            phone.connection.drop()
            times.append(inf)

    def _used(self) -> tuple[float, float, float]:
        database = cpu_seconds([self.database_pid]) if self.database_pid else 0.0
        return self.server.cpu(), database, time.process_time()
