"""Measure the site beside the frozen floor and its own past, on SQLite and PostgreSQL.

    python -m tests.bench [--before REVISION] [--quick]

The site runs as `make run` starts it, in one process, beside `tests/bench/floor.py` and, with
``--before``, beside itself as it was at a revision of git. What is compared runs in turns on the
same machine, client included, so that only ratios mean something. What a request costs is the
processor time of the server's processes and, on PostgreSQL, of the database. At the end phones tap
while the server is killed again and again. The last table has each figure with its bound. Exit 1
if a tap was lost, doubled or recorded otherwise than it was sent.
"""

import asyncio
import re
import sys
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from uuid import uuid4

from tests.bench import sides
from tests.bench.client import Ask, Connection, load
from tests.bench.listeners import board_times
from tests.bench.phones import Play
from tests.bench.server import ROOT, Server, served
from tests.bench.sides import Kind, Side

APPS = ("coalition_site", "decks", "scoring")
BOUNDS = {  # at most
    "lines of Python of the apps": 42_000,
    "lines of Python of tests": 45_000,
    "a hit / frozen floor": 2.8,
    "scorekeeper, CPU / before's": 1.3,
    "leaderboard, CPU / before's": 1.3,
    "check, CPU / before's": 1.3,
    "first visit, bytes": 31_500,
    "answer to a hit, bytes": 1_350,
    "new board on all phones, p99, ms": 250,
    "taps lost": 0,
}
FILE = re.compile(r'(?:href|src)="(/static/[^"#]+)')
SPEED = re.compile(r"([\d,]+) events a second")


@dataclass(frozen=True)
class Size:
    phones: int = 10
    rounds: int = 15  # many short ones: the machine is slower now and then, for a second or two
    requests: int = 20  # a phone and round
    sets: int = 60
    listeners: int = 200
    changes: int = 30
    replays: int = 5
    tables: int = 300  # with two phones each, that tap every ten seconds
    seconds: int = 60
    kills: int = 10


QUICK = Size(rounds=2, sets=5, listeners=20, changes=5, replays=1, tables=30, seconds=15, kills=2)


class Measured:
    def __init__(self, side: Side, asks: Sequence[Ask]) -> None:
        self.side, self.asks = side, asks
        self.times: list[float] = []
        self.cpu = 0.0

    async def add(self, count: int) -> None:
        used = self.side.cpu()
        self.times += await load(self.asks, count)
        self.cpu += self.side.cpu() - used

    @property
    def ms(self) -> float:
        return median(self.times) * 1000

    @property
    def cost(self) -> float:
        return self.cpu / len(self.times) * 1000


class Report:
    def __init__(self) -> None:
        self.rows: list[str] = []
        self.lost = 0

    def add(self, what: str, of: str, figure: float) -> None:
        bound = BOUNDS[what]
        met = "yes" if figure <= bound else "NO"
        written, most = (
            f"{value:,.0f}" if bound >= 100 else f"{value:.2f}" for value in (figure, bound)
        )
        self.rows.append(f"{what:34} {of:11} {written:>10} {most:>10}  {met}")
        print(self.rows[-1], flush=True)

    def table(self) -> str:
        return "\n".join([f"\n{'':46} {'measured':>10} {'at most':>10}  met", *self.rows])


async def hits(standing: Sequence[Side], size: Size, report: Report, of: str) -> None:
    """Measure taps, each phone at a table of its own, beside the floor's INSERT."""
    measured = {}
    for side in standing:
        if side.name == "floor":
            floors = [Connection(side.server.port) for _ in range(size.phones)]
            asks = [
                lambda floor=floor: floor.fetch("/insert/", {"tap_id": uuid4(), "amount": 1})
                for floor in floors
            ]
        else:
            asks = [phone.hit for phone in await side.scorekeepers(size.phones)]
        await load(asks, 1)
        measured[side.name] = Measured(side, asks)
    for _ in range(size.rounds):
        for one in measured.values():
            await one.add(size.requests)
    for name, one in measured.items():
        print(f"{of}: hit, {name}: {one.ms:.2f} ms, {one.cost:.2f} ms of processor time")
    report.add("a hit / frozen floor", of, measured["now"].ms / measured["floor"].ms)


async def pages(standing: Sequence[Side], size: Size, report: Report, of: str) -> None:
    """Measure whole pages, each by one connection, as a phone asks that has none of it yet."""
    deck, measured = sides.deck_list(), {}
    for side in standing[1:]:
        (phone,) = await side.scorekeepers(1)
        asks = {"scorekeeper": phone.look}
        asks["leaderboard"] = await side.page(side.pages["leaderboard"])
        if deck:
            form = {"text": deck, "ruleset": sides.RULESET}
            asks["check"] = await side.page("/decks/", form)
        measured[side.name] = {name: Measured(side, [ask]) for name, ask in asks.items()}
        await load(asks.values(), 2)  # caches
    for _ in range(size.rounds):
        for some in measured.values():
            for one in some.values():
                await one.add(2 * size.requests)
    for name, one in measured["now"].items():
        print(f"{of}: {name}: {one.cost:.2f} ms of processor time")
        if before := measured.get("before"):
            report.add(f"{name}, CPU / before's", of, one.cost / before[name].cost)
    if not deck:
        print(f"!!! NO DECK WAS CHECKED: there is no {sides.CARDS} in {sides.SHARED}")


async def sizes(now: Side, report: Report, of: str) -> None:
    """Measure the scorekeeper's page with each file that it names, and the answer to a hit."""
    (phone,) = await now.scorekeepers(1)
    page = await phone.look()
    files = sorted(set(FILE.findall(page.text)))
    visit = [page, *[await phone.connection.fetch(path) for path in files]]
    report.add("first visit, bytes", of, sum(len(answer.body) for answer in visit))
    await phone.hit()  # the first brings a number too
    report.add("answer to a hit, bytes", of, len((await phone.hit()).body))


async def boards(now: Side, size: Size, report: Report, of: str) -> None:
    times = await board_times(now.server.port, now.tables[-1], size.listeners, size.changes)
    slow = sorted(times)[int(0.99 * len(times))]
    report.add("new board on all phones, p99, ms", of, slow * 1000)


def play(kind: Kind, size: Size, report: Report) -> None:
    """Have phones tap while the server is killed, and look at what is on record then."""
    with served(kind.new("load")) as server:
        tables = server.output_of("tables", "played", str(size.tables))
        game = Play(server, tables, 10, size.seconds, size.kills)
        asyncio.run(game.run())
        ledger = server.manage("verify_ledger", check=False)
    again = sum(tap.tries > 1 for tap in game.taps)
    print(f"{kind.name}: {len(game.taps)} taps, {again} sent again, {size.kills} kills")
    print(f"verify_ledger: {ledger.stdout.strip()}")
    for what, found in game.faults.items():
        if found:
            print(f"!!! {what}: {len(found)}")
    report.add("taps lost", kind.name, len(game.missing))
    report.lost += len(game.missing) + sum(map(len, game.faults.values())) + ledger.returncode


def replay(old: Path | None, size: Size) -> None:
    servers = {"now": Server(""), **({"before": Server("", root=old)} if old else {})}
    speeds: dict[str, list[float]] = {name: [] for name in servers}
    for _ in range(size.replays):
        for name, server in servers.items():
            printed = SPEED.search(server.run("-m", "tests.bench.replay").stdout)
            assert printed
            speeds[name].append(float(printed[1].replace(",", "")))
    for name, some in speeds.items():
        print(f"replay, {name}: {median(some):,.0f} events a second")


def count_lines(report: Report) -> None:
    for what, folders in (("the apps", APPS), ("tests", ("tests",))):
        files = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
        ours = [path for path in files if "migrations" not in path.parts]
        lines = sum(len(path.read_text().splitlines()) for path in ours)
        report.add(f"lines of Python of {what}", "", lines)


def main() -> None:
    parser = ArgumentParser(description="Measure the site.")
    parser.add_argument("--before", metavar="REVISION", help="measure beside this one too")
    parser.add_argument("--quick", action="store_true", help="less of everything")
    given = parser.parse_args()
    size, report, begin = QUICK if given.quick else Size(), Report(), time.monotonic()
    count_lines(report)
    with ExitStack() as stack:
        old = stack.enter_context(sides.unpacked(given.before)) if given.before else None
        for kind in stack.enter_context(sides.both_kinds()):
            with sides.standing(kind, old, size.phones + 1, size.sets) as standing:
                asyncio.run(hits(standing, size, report, kind.name))
                asyncio.run(pages(standing, size, report, kind.name))
                asyncio.run(sizes(standing[1], report, kind.name))
                asyncio.run(boards(standing[1], size, report, kind.name))
            play(kind, size, report)
        replay(old, size)
    print(report.table())
    print(f"in {time.monotonic() - begin:.0f} seconds" + (", a quick run" if given.quick else ""))
    sys.exit(bool(report.lost))


if __name__ == "__main__":
    main()
