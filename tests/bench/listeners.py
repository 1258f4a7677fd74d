"""How soon a change is on the phones of all who watch, and whether it gets to all of them.

Many listeners hold the stream of one public table. Hits are recorded there one after the other:
the next one when the last has been signalled to all, 150 to 300 ms later at the soonest, so that
each signal is known to be of one change. Like the page, a listener asks for the board after a
signal, with the ETag of the board that it has, and once more if a signal came while it was asking.
A change is delivered to a listener by a signal and by a board at least as new as the change, which
the number of the newest event on it tells. Times count from when the tap was sent, and from when
its answer had arrived; boards are looked into after the run, since both ends share the machine.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from math import inf
from random import Random
from time import perf_counter

from tests.bench.client import Answer, Connection, token
from tests.bench.scorekeeper import Scorekeeper

FIRST = 3  # the number of the first event, after those by which nobody can win or die
PATIENCE = 20.0  # seconds; what is not there by then is not delivered
NEWEST = re.compile(r'aria-label="Last events">\s*<li><b>(\d+)</b>')


@dataclass
class Change:
    """A hit: the number of its event, when it was sent, and when it was answered."""

    number: int
    sent: float
    answered: float


@dataclass
class Listener:
    """A page that watches a table, with what came when."""

    port: int
    code: str
    bodies: dict[str, Answer]  # by ETag, of all listeners
    signals: list[float] = field(default_factory=list)
    boards: list[tuple[float, str]] = field(default_factory=list)
    etag: str = ""
    others: list[int] = field(default_factory=list)  # answers that were not 200
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    async def begin(self) -> None:
        self.changed = asyncio.Event()
        self.stream, self.pages = Connection(self.port), Connection(self.port)
        await self.stream.open()
        await self.stream.listen(f"/live/s/{self.code}/")
        self.tasks = [asyncio.create_task(self._hear()), asyncio.create_task(self._look())]

    async def end(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self.stream.drop()
        self.pages.drop()

    async def _hear(self) -> None:
        while data := await self.stream.reader.read(4096):
            if b"data:" in data:
                self.signals.append(perf_counter())
                self.changed.set()

    async def _look(self) -> None:
        while True:
            await self.changed.wait()
            self.changed.clear()
            self._keep(await self._ask())

    async def _ask(self) -> Answer:
        """Ask for the board, and again if the server closed the connection meanwhile."""
        known = {"HX-Request": "true", "If-None-Match": self.etag}
        while True:
            try:
                await self.pages.open()
                return await self.pages.ask(f"/s/{self.code}/", **known)
            except (OSError, asyncio.IncompleteReadError):
                self.pages.drop()

    def _keep(self, answer: Answer) -> None:
        if answer.status != 200:
            self.others.append(answer.status)
            return
        self.etag = answer.headers["etag"]
        self.boards.append((perf_counter(), self.etag))
        self.bodies.setdefault(self.etag, answer)

    def heard_since(self, time: float) -> bool:
        return bool(self.signals) and self.signals[-1] >= time


class Watching:
    """So many listeners at one table, and so many changes there."""

    def __init__(self, port: int, table: tuple[str, str], listeners: int, changes: int) -> None:
        self.port, self.table, self.count = port, table, changes
        code, _ = table
        self.bodies: dict[str, Answer] = {}
        self.numbers: dict[str, int] = {}
        self.listeners = [Listener(port, code, self.bodies) for _ in range(listeners)]
        self.changes: list[Change] = []

    async def run(self) -> None:
        """Let all of it happen; what came late or never shows in ``boards`` and ``signals``."""
        await asyncio.gather(*(listener.begin() for listener in self.listeners))
        await self._until(lambda one: bool(one.boards))
        await asyncio.sleep(1)
        await self._change()
        last = self.changes[-1].number
        await self._until(lambda one: bool(one.boards) and self.number(one.etag) >= last)
        await asyncio.gather(*(listener.end() for listener in self.listeners))

    async def _change(self) -> None:
        dice, phone = Random(1), Scorekeeper(self.port, self.table, await token(self.port))
        await phone.arrive()
        for number in range(FIRST, FIRST + self.count):
            pause = asyncio.create_task(asyncio.sleep(dice.uniform(0.15, 0.3)))
            sent = perf_counter()
            answer = await phone.hit()
            assert answer.status == 200, answer.status
            self.changes.append(Change(number, sent, perf_counter()))
            await self._until(partial(Listener.heard_since, time=sent))
            await pause
        phone.connection.drop()

    async def _until(self, is_there: Callable[[Listener], bool]) -> None:
        """Wait until something is so for all listeners, or PATIENCE is over."""
        give_up = perf_counter() + PATIENCE
        while perf_counter() < give_up and not all(map(is_there, self.listeners)):
            await asyncio.sleep(0.02)

    def number(self, etag: str) -> int:
        """Return the number of the newest event on a board."""
        if etag not in self.numbers:
            newest = NEWEST.search(self.bodies[etag].text)
            self.numbers[etag] = int(newest[1]) if newest else 0
        return self.numbers[etag]

    def signal_times(self) -> list[tuple[Change, float]]:
        """Return each change with the time of its signal, once for each listener that got one."""
        ends = [change.sent for change in self.changes[1:]] + [inf]
        return [
            (change, time)
            for listener in self.listeners
            for change, end in zip(self.changes, ends, strict=True)
            for time in [min((t for t in listener.signals if change.sent <= t < end), default=inf)]
            if time < inf
        ]

    def board_times(self) -> list[tuple[Change, float]]:
        """Return each change with the time of the first board that shows it, once for each
        listener that got one."""
        return [
            (change, time)
            for listener in self.listeners
            for change in self.changes
            for time in [self._shown(listener, change)]
            if time < inf
        ]

    def _shown(self, listener: Listener, change: Change) -> float:
        new = (time for time, etag in listener.boards if self.number(etag) >= change.number)
        return next(new, inf)
