"""Whether a tap that was answered is on record exactly once, whatever happens on the way.

Two scorekeepers at each of many tables tap at random, ten seconds apart on the average: mostly
hits, some turns, some undos of the latest event that this phone knows of. Of all requests 5 % are
cut off: the phone breaks the connection somewhere in the middle of sending, or after it and before
the answer, and sends the same tap again on a new one, with growing pauses, until it is answered.
The server may be killed and begun again meanwhile. Answered with 200 is acknowledged, with 422
refused, as when the other phone was faster than an undo. Then the database is asked which taps it
has: those acknowledged once each, as they were sent, and none that was refused or never sent.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import Any
from uuid import uuid4

from tests.bench.client import LOST, Answer, token
from tests.bench.scorekeeper import EMPTY, Scorekeeper
from tests.bench.server import Server

CUT = 0.05
PATIENCE = 10.0  # seconds for an answer, as on the phone
PAUSES = (0.1, 2.0)  # seconds; the first before a tap is sent again, and the longest
AFTER = 60.0  # seconds after the last tap was made until which answers are waited for
LATEST = re.compile(r'class="undo".*?name="event" value="(\d+)"', re.S)

Body = dict[str, object]


@dataclass
class Tap:
    """One tap: where it goes, what it says, and how it fared. ``entry`` and ``corrects`` are how
    the record has to put it."""

    code: str
    path: str
    form: Body
    entry: Body
    corrects: int | None = None
    id: str = field(default_factory=lambda: str(uuid4()))
    tries: int = 0
    status: int = 0  # none yet


class Phone(Scorekeeper):
    def __init__(
        self, port: int, table: tuple[str, str], every: float, secret: str, dice: Random
    ) -> None:
        super().__init__(port, table, secret)
        self.every, self.dice = every, dice
        self.latest = 0  # the event that an undo names
        self.taps: list[Tap] = []
        self.broken: list[int] = []  # answers of 500 and more

    async def play(self, is_over: Callable[[float], bool]) -> None:
        while True:
            pause = self.dice.expovariate(1 / self.every)
            if is_over(perf_counter() + pause):
                return
            await asyncio.sleep(pause)
            tap = self._choose()
            self.taps.append(tap)
            await self._send(tap)

    def _choose(self) -> Tap:
        chance = self.dice.random()
        if chance < 0.1:
            return self._tap("turn", {}, {"type": "turn"})
        if chance < 0.2 and self.latest:
            return self._tap("undo", {"event": self.latest}, {"type": "undo"}, self.latest)
        source, target = self.dice.sample("1234", 2)
        self.rings[source] = target
        hit: Body = {"source": source, "target": target, "kind": "combat"}
        hit["amount"] = self.dice.randint(1, 3)
        return self._tap("hit", EMPTY | hit, {"type": "damage", "hits": [hit]})

    def _tap(self, act: str, form: Body, entry: Body, corrects: int | None = None) -> Tap:
        return Tap(self.code, f"/s/{self.code}/score/1/{act}/", form, entry, corrects)

    async def _send(self, tap: Tap) -> None:
        pause, longest = PAUSES
        while not tap.status:
            tap.tries += 1
            answer = await self._try(tap)
            if answer is None:
                self.connection.drop()
                await asyncio.sleep(pause * self.dice.uniform(0.5, 1))
                pause = min(2 * pause, longest)
            else:
                self.read(answer)
                tap.status = answer.status

    async def _try(self, tap: Tap) -> Answer | None:
        form = {"tap_id": tap.id, **tap.form, **self.pad}
        try:
            async with asyncio.timeout(PATIENCE):
                await self.connection.open()
                if self.dice.random() < CUT:
                    return await self._cut_off(tap.path, form)
                answer = await self.connection.ask(tap.path, form, **self.headers)
        except LOST:  # TimeoutError is an OSError
            return None
        if answer.status >= 500:
            self.broken.append(answer.status)
            return None
        return answer

    async def _cut_off(self, path: str, form: Body) -> None:
        """Send half of it, or all of it, and don't wait for the answer."""
        message = self.connection.message(path, form, **self.headers)
        whole = len(message)
        most = whole - self.dice.randint(1, 9)
        part = self.dice.choice((whole, most, self.dice.randrange(whole)))
        self.connection.writer.write(message[:part])
        await asyncio.sleep(self.dice.uniform(0, 0.05))

    def read(self, answer: Answer) -> None:
        super().read(answer)
        latest = LATEST.search(answer.text)
        self.latest = int(latest[1]) if latest else 0


class Play:
    """Two phones at each table for some seconds, while the server is killed so many times.

    They tap until it is back from the last time.
    """

    def __init__(
        self, server: Server, tables: Sequence[Any], every: float, seconds: float, kills: int
    ) -> None:
        self.server, self.tables = server, tables
        self.every, self.seconds, self.kills = every, seconds, kills

    async def run(self) -> None:
        secret, dice = await token(self.server.port), Random(self.kills)
        self.phones = [
            Phone(self.server.port, table, self.every, secret, Random(dice.random()))
            for table in self.tables
            for _ in range(2)
        ]
        await asyncio.gather(*(phone.arrive() for phone in self.phones))
        end = perf_counter() + self.seconds
        killer = asyncio.create_task(self._kill())

        def is_over(time: float) -> bool:
            return time > end and killer.done()

        tasks = [asyncio.create_task(phone.play(is_over)) for phone in self.phones]
        await killer
        _, late = await asyncio.wait(tasks, timeout=max(0, end - perf_counter()) + AFTER)
        for task in late:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for phone in self.phones:
            phone.connection.drop()
        self.taps = [tap for phone in self.phones for tap in phone.taps]
        self._compare(await asyncio.to_thread(self.server.output_of, "tables", "taps"))

    async def _kill(self) -> None:
        begin = perf_counter()
        for number in range(self.kills):
            at = begin + (number + 0.5) * self.seconds / self.kills
            await asyncio.sleep(max(0.0, at - perf_counter()))
            await asyncio.to_thread(self.server.kill)
            await asyncio.to_thread(self.server.start)

    def _compare(self, recorded: list[tuple[str, str, Body, int | None]]) -> None:
        codes = {code for code, _ in self.tables}
        rows = [row for row in recorded if row[0] in codes]
        count = Counter((code, tap_id) for code, tap_id, _, _ in rows)
        known = {(tap.code, tap.id): tap for tap in self.taps}
        self.missing = [
            tap for tap in self.taps if tap.status == 200 and not count[tap.code, tap.id]
        ]
        self.doubled = [tap for tap in count if count[tap] > 1]
        self.unknown = [tap for tap in count if tap not in known]
        self.refused_but_there = [
            tap for tap in self.taps if tap.status == 422 and count[tap.code, tap.id]
        ]
        self.altered = [
            row
            for row in rows
            for tap in [known.get((row[0], row[1]))]
            if tap and (row[2], row[3]) != (tap.entry, tap.corrects)
        ]
