"""How soon a change is on the phones of all who watch a table.

Many listeners hold the stream of one public table, at which hits are recorded one after the other,
each 150 to 300 ms after all have heard of the last. Like the page, a listener asks for the board
after a signal, with the ETag of the board that it has. The number of the newest event on a board
says of which hit it knows; boards are read after the run, since both ends share the machine.
"""

import asyncio
import re
from collections.abc import Callable
from math import inf
from random import Random
from time import perf_counter

from tests.bench.client import LOST, Connection, token
from tests.bench.phones import Scorekeeper

FIRST = 3  # the number of the first event, after those by which nobody can win or die
PATIENCE = 20.0  # seconds; what is not there by then is not delivered
NEWEST = re.compile(r'aria-label="Last events">\s*<li><b>(\d+)</b>')


class Listener:
    def __init__(self, port: int, code: str, texts: dict[str, str]) -> None:
        self.code, self.texts = code, texts  # of boards by ETag, which all listeners share
        self.stream, self.pages = Connection(port), Connection(port)
        self.heard, self.etag = 0.0, ""
        self.boards: list[tuple[float, str]] = []

    async def begin(self) -> None:
        self.changed = asyncio.Event()
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
                self.heard = perf_counter()
                self.changed.set()

    async def _look(self) -> None:
        while True:
            await self.changed.wait()
            self.changed.clear()
            known = {"HX-Request": "true", "If-None-Match": self.etag}
            try:
                answer = await self.pages.fetch(f"/s/{self.code}/", **known)
            except LOST:
                self.changed.set()
                continue
            if answer.status == 200:
                self.etag = answer.headers["etag"]
                self.boards.append((perf_counter(), self.etag))
                self.texts.setdefault(self.etag, answer.text)


async def board_times(
    port: int, table: tuple[str, str], listeners: int, changes: int
) -> list[float]:
    """Return after how many seconds each change was on each phone; infinite if it never was."""
    texts: dict[str, str] = {}
    watching = [Listener(port, table[0], texts) for _ in range(listeners)]
    await asyncio.gather(*(listener.begin() for listener in watching))
    await _until(lambda: all(listener.boards for listener in watching))
    dice, phone, sent = Random(1), Scorekeeper(port, table, await token(port)), {}
    await phone.arrive()
    for number in range(FIRST, FIRST + changes):
        sent[number] = begin = perf_counter()
        answer = await phone.hit()
        assert answer.status == 200, answer.status
        await _until(lambda begin=begin: all(one.heard > begin for one in watching))
        await asyncio.sleep(dice.uniform(0.15, 0.3))
    phone.connection.drop()

    def number(etag: str) -> int:
        newest = NEWEST.search(texts[etag])
        return int(newest[1]) if newest else 0

    await _until(lambda: all(number(listener.etag) >= max(sent) for listener in watching))
    await asyncio.gather(*(listener.end() for listener in watching))
    numbers = {etag: number(etag) for etag in texts}
    return [
        next((time for time, etag in listener.boards if numbers[etag] >= change), inf) - begin
        for listener in watching
        for change, begin in sent.items()
    ]


async def _until(is_so: Callable[[], bool]) -> None:
    give_up = perf_counter() + PATIENCE
    while perf_counter() < give_up and not is_so():
        await asyncio.sleep(0.02)
