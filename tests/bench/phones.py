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

from tests.bench.client import LOST, Answer, Connection, token
from tests.bench.server import Server

Body = dict[str, object]

CUT = 0.05
PATIENCE = 10.0  # seconds for an answer, as on the phone
PAUSES = (0.1, 2.0)  # seconds; the first before a tap is sent again, and the longest
AFTER = 60.0  # seconds after the last tap was made until which answers are waited for
LATEST = re.compile(r'class="undo".*?name="event" value="(\d+)"', re.S)

STAMP = re.compile(r'data-stamp="([^"]*)"')
RINGED = re.compile(r'seat-(\d)((?: last-\d)+)"')  # a player, and who of the others hit it last
EMPTY: Body = {"typed": "", "toxic": ""}  # fields of the pad that a browser sends too


class Scorekeeper:
    """A phone with its cookies, its connection and the pad that it shows.

    The pad is known by its stamp and its rings, whom each player hit last. A tap says which pad the
    phone shows; where that one stays right, the answer comes without a pad.
    """

    def __init__(self, port: int, table: tuple[str, str], secret: str) -> None:
        self.code, key = table
        self.connection = Connection(port, f"csrftoken={secret}; key-{self.code}={key}")
        self.headers = {"HX-Request": "true", "X-CSRFToken": secret}
        self.stamp = ""
        self.rings: dict[str, str] = {}

    @property
    def pad(self) -> Body:
        """Return what a tap says of the pad, as `padShown` in `table.js`."""
        rings = (source + target for source, target in sorted(self.rings.items()))
        return {"pad": ".".join([self.stamp, *rings])}

    async def arrive(self) -> None:
        answer = await self.look()
        assert answer.status == 200, answer.status

    async def look(self) -> Answer:
        answer = await self.connection.fetch(f"/s/{self.code}/score/")
        self.read(answer)
        return answer

    async def hit(self) -> Answer:
        path = f"/s/{self.code}/score/1/hit/"
        answer = await self.connection.fetch(path, self.hit_form(), **self.headers)
        self.read(answer)
        return answer

    def hit_form(self) -> Body:
        """Return what that hit sends; the phone draws its ring before it sends."""
        self.rings["1"] = "2"
        hit = {"tap_id": uuid4().hex, "source": 1, "target": 2, "kind": "combat", "amount": 1}
        return EMPTY | hit | self.pad

    def read(self, answer: Answer) -> None:
        """Keep what an answer brings: a number with the first tap, and a new pad or none."""
        own = [cookie.split(";")[0] for cookie in answer.cookies if "scorekeeper-" in cookie]
        self.connection.cookies = "; ".join([self.connection.cookies, *own])
        page = answer.text
        if stamp := STAMP.search(page):
            self.stamp = stamp[1]
            self.rings = {
                source: target
                for target, classes in RINGED.findall(page)
                for source in re.findall(r"\d", classes)
            }


@dataclass
class Tap:
    """One tap: where it goes, what it says, and how it fared. ``entry`` and ``corrects`` are how
    the record has to put it."""

    code: str
    act: str
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
            return Tap(self.code, "turn", {}, {"type": "turn"})
        if chance < 0.2 and self.latest:
            return Tap(self.code, "undo", {"event": self.latest}, {"type": "undo"}, self.latest)
        source, target = self.dice.sample("1234", 2)
        self.rings[source] = target
        hit: Body = {"source": source, "target": target, "kind": "combat"}
        hit["amount"] = self.dice.randint(1, 3)
        return Tap(self.code, "hit", EMPTY | hit, {"type": "damage", "hits": [hit]})

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
        path = f"/s/{self.code}/score/1/{tap.act}/"
        form = {"tap_id": tap.id, **tap.form, **self.pad}
        try:
            async with asyncio.timeout(PATIENCE):
                await self.connection.open()
                if self.dice.random() < CUT:
                    return await self._cut_off(path, form)
                answer = await self.connection.ask(path, form, **self.headers)
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


@dataclass
class Play:
    """Two phones at each table for some seconds, while the server is killed so many times.

    They tap until it is back from the last time.
    """

    server: Server
    tables: Sequence[Any]
    every: float  # seconds between two taps of a phone, on the average
    seconds: float
    kills: int

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
        self.faults: dict[str, list[Any]] = {
            "doubled": [tap for tap in count if count[tap] > 1],
            "otherwise than sent": [
                row
                for row in rows
                if (tap := known.get((row[0], row[1])))
                and (row[2], row[3]) != (tap.entry, tap.corrects)
            ],
            "recorded, yet refused": [
                tap for tap in self.taps if tap.status == 422 and count[tap.code, tap.id]
            ],
            "never sent": [tap for tap in count if tap not in known],
            "never answered": [tap for tap in self.taps if tap.status not in (200, 422)],
            "answers of 500 and more": [status for one in self.phones for status in one.broken],
        }
