"""How the site grows: how many tables at once it bears, and what they leave in the database.

    python -m tests.bench.growth [--write docs/] [--quick]

Load: 1, 10, 100 and 1,000 tables, each with a phone that taps a hit every ten seconds, at moments
spread at random. Then all tables tap more often, twice as often each time, until the site falls
behind: of a hundred taps more than one took over a second, or some were not answered. The last
doubling is halved until the knee is known to an eighth. A tap's time counts from when it was due,
so that waiting behind an earlier tap counts too. All of it on SQLite and PostgreSQL, with 1, 2 and
4 workers, on this machine, which the client shares: where the client is short of processor itself,
the search ends there, and says so. Few taps at one table and at ten make few times: the figures
there are of those few. Nobody looks on; `load.py` has pages that do.

Storage: rows and bytes of the whole database after some sets that `simulate` plays, indexes
included, swept; what a new database has is taken off.

All tables are printed. ``--write`` puts that of the knees into growing.md in that folder, between
its marks, and draws growth.svg beside it.
"""

from __future__ import annotations

import asyncio
import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from coalition_site.serving.open_files import allow_enough
from tests.bench import databases
from tests.bench.climbs import Climb, Evening
from tests.bench.databases import Kind
from tests.bench.growth_report import Stored, tables, write
from tests.bench.server import Server, running

GROUP = (
    "import django; django.setup(); from scoring.groups.playgroups import create_playgroup as new; "
    "print(new('Growing', None, visibility='public', ruleset='coalition-906').code)"
)
SIZES = (
    "import django, json; django.setup(); from tests.bench.cost import sizes; "
    "print(json.dumps(sizes()))"
)


@dataclass(frozen=True)
class Size:
    """How much of everything there is."""

    tables: Sequence[int] = (1, 10, 100, 1000)
    workers: Sequence[int] = (1, 2, 4)
    every: float = 10  # seconds from a phone's tap to its next
    seconds: float = 10  # a step
    sets: Sequence[int] = (10, 30, 100)


QUICK = Size(tables=(1, 10, 100), workers=(1, 2), every=4, seconds=4, sets=(5, 15))


def options() -> Namespace:
    parser = ArgumentParser(description="Measure how the site grows.")
    parser.add_argument("--write", type=Path, metavar="FOLDER", help="where growing.md is")
    parser.add_argument("--quick", action="store_true", help="less of everything")
    return parser.parse_args()


def climbs(kind: Kind, size: Size) -> Iterator[Climb]:
    """Measure the load that a database bears, by number of workers."""
    server = Server(kind.new("growing"))
    server.update()
    made = server.output_of("tables", "endless", str(max(size.tables)))
    evening = Evening(server, kind, made)
    with running(server):
        asyncio.run(evening.arrive())
    for workers in size.workers:
        server.workers = workers
        with running(server):
            yield asyncio.run(evening.climb(size.tables, size.every, size.seconds))


def storage(kind: Kind, size: Size) -> Stored:
    """Measure what sets leave in a new database: rows and bytes."""
    server = Server(kind.new("stored"))
    server.manage("migrate", "-v0")
    group = server.run("-c", GROUP).stdout.strip()
    empty, stored, there = _whole(server), {}, 0
    for sets in size.sets:
        options = ("--sets", str(sets - there), "--seed", str(sets), "--group", group)
        server.manage("simulate", *options)
        stored[sets] = tuple(now - was for now, was in zip(_whole(server), empty, strict=True))
        there = sets
    return stored


def _whole(server: Server) -> tuple[int, int]:
    rows, size, _ = zip(*json.loads(server.run("-c", SIZES).stdout).values(), strict=True)
    return sum(rows), sum(size)


def main() -> None:
    given = options()
    size = QUICK if given.quick else Size()
    allow_enough()
    with databases.both() as kinds:
        with ThreadPoolExecutor() as pool:  # no times are measured there
            sizes = pool.map(storage, kinds, [size] * len(kinds))
        stored = dict(zip([kind.name for kind in kinds], sizes, strict=True))
        measured = [climb for kind in kinds for climb in climbs(kind, size)]
    print(tables(measured, stored))
    if given.write:
        write(given.write, measured, stored)


if __name__ == "__main__":
    main()
