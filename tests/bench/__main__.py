"""Measure the site against its floors and its own past, on SQLite and PostgreSQL; print tables.

    python -m tests.bench [--before REVISION] [--quick]

The site runs as `make run` starts it, in one process, beside the frozen floor of
`tests/bench/floor` and, with ``--before``, beside itself as it was at a revision of git. What is
compared runs in turns on the same machine, client included, so that only ratios mean something; the
last table has all of them with their aims. Measured as well: importing cards, judging decks, the
leaderboard, the API, what news cost, and pictures to share, in a process without a server
(`cards.py`, `board.py`, `api.py`, `news.py`, `pictures.py`), boards on many phones (`listeners.py`)
and replay. Not measured here: lost taps (`load.py`), growth (`growth.py`), and what sets cost to
store (`cost.py`).
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from argparse import ArgumentParser, Namespace
from contextlib import ExitStack
from math import inf
from pathlib import Path
from statistics import median

from tests.bench import databases, hits, pages
from tests.bench.aims import Report
from tests.bench.before import unpacked
from tests.bench.databases import Kind
from tests.bench.listeners import Watching
from tests.bench.rows import at, print_rows
from tests.bench.server import Server
from tests.bench.stand import QUICK, Size, Stand, real_cards, standing

SPEED = re.compile(r"([\d,]+) events a second")


def options() -> Namespace:
    parser = ArgumentParser(description="Measure the site.")
    parser.add_argument("--before", metavar="REVISION", help="measure beside this one too")
    parser.add_argument("--quick", action="store_true", help="less of everything, in two minutes")
    return parser.parse_args()


def measure(stand: Stand, size: Size, report: Report) -> None:
    """Measure over HTTP, and print it."""
    name = stand.kind.name
    print(f"\n=== {name} ===")
    rows = asyncio.run(hits.beside(stand, size, report))
    rows += asyncio.run(hits.late(stand, size))
    rows += asyncio.run(pages.beside(stand, size, report))
    print_rows(name, rows)
    sizes, answer = asyncio.run(pages.sizes(stand.now))
    print("bytes: " + ", ".join(f"{file} {size}" for file, size in sizes.items()))
    report.add("visit", name, sum(sizes.values()))
    report.add("answer", name, answer)
    report.add("board", name, boards(stand.now.server, size))
    if stand.kind.pid:
        report.add("workers", name, asyncio.run(hits.two_workers(stand, size)))


def boards(server: Server, size: Size) -> float:
    """Return the milliseconds in which 99 of 100 boards are new on all phones after a tap."""
    table = server.output_of("tables", "watched")
    watching = Watching(server.port, table, size.listeners, size.changes)
    asyncio.run(watching.run())
    came = [time - change.sent for change, time in watching.board_times()]
    missing = size.listeners * size.changes - len(came)
    return at(came + [inf] * missing, 0.99) * 1000


def in_process(kind: Kind, report: Report) -> None:
    """Print what the scripts beside this one measure in a process of their own."""
    for what in ("cards", "board", "api", "news", "pictures"):
        server = Server(kind.new(what))
        server.manage("migrate", "-v0")
        rows = server.output_of(what)
        print_rows(f"{kind.name}, {what}", rows)
        if what == "board":
            worst = max(measured / floor for _, measured, floor, _ in rows)
            report.add("sizes", kind.name, worst)


def replay(old: Path | None, size: Size, report: Report) -> None:
    """Print how many events a second `replay` plays, beside before."""
    sides = {"now": Server(""), **({"before": Server("", root=old)} if old else {})}
    speeds: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(size.replays):
        for name, server in sides.items():
            printed = SPEED.search(server.run("-m", "tests.bench.replay").stdout)
            assert printed
            speeds[name].append(float(printed[1].replace(",", "")))
    typical = {name: median(some) for name, some in speeds.items()}
    print("\nreplay, events a second: " + ", ".join(f"{k} {v:,.0f}" for k, v in typical.items()))
    if old:
        report.add("replay", "", typical["now"] / typical["before"])


def evenings(size: Size) -> None:
    """Print how good the tables of seeded evenings are."""
    print("\ntables of evenings")
    print(Server("").run("-m", "tests.bench.pods", f"--evenings={size.evenings}").stdout)


def main() -> None:
    given = options()
    size, report = QUICK if given.quick else Size(), Report()
    with ExitStack() as stack:
        old = stack.enter_context(unpacked(given.before)) if given.before else None
        cards = real_cards(stack.enter_context(tempfile.TemporaryDirectory()))
        for kind in stack.enter_context(databases.both()):
            with standing(kind, old, size, cards) as stand:
                measure(stand, size, report)
            if not given.quick:
                in_process(kind, report)
        replay(old, size, report)
        evenings(size)
    print(f"\n{report.table()}")
    if given.quick:
        print(f"A quick run, with {size.listeners} phones that watch and few of everything else.")


if __name__ == "__main__":
    main()
