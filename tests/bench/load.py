"""Prove under load that changes reach all who watch, and that no tap is lost or counted twice.

    python -m tests.bench.load [--quick]

On SQLite and on PostgreSQL, each with the real server in a process of its own: listeners at one
table (`listeners.py`), phones at many tables (`phones.py`), and the same phones while the server is
killed with SIGKILL again and again. After the phones `verify_ledger` replays all logs. Exit 1 if a
tap was lost, doubled or put on record otherwise, a change was not delivered, an answer was 500 or
more, or the ledger is wrong; measured times alone fail nothing.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from tests.bench.listeners import Change, Watching
from tests.bench.phones import CUT, Play
from tests.bench.rows import at
from tests.bench.server import Server, served
from tests.environment import start_postgres

GOAL = 250  # milliseconds, of a hundred changes for 99


@dataclass(frozen=True)
class Size:
    """How much of everything there is."""

    listeners: int = 200
    changes: int = 50
    tables: int = 300
    every: int = 10  # seconds from a phone's tap to its next, on the average
    seconds: int = 60
    kills: int = 10


QUICK = Size(listeners=20, changes=10, tables=20, every=1, seconds=10, kills=2)
Faults = dict[str, int]


def milliseconds(what: str, times: Iterable[float], goal: str = "") -> None:
    """Print a line of a table."""
    ms = [max(0.0, time * 1000) for time in times]
    print(f"{what:52} {at(ms, 0.5):8.1f} {at(ms, 0.99):8.1f} {at(ms, 1):8.1f}   {goal}")


def count(what: str, number: object, goal: object = "") -> None:
    print(f"{what:52} {number!s:>8} {goal!s:>8}")


def watched(name: str, server: Server, size: Size) -> Faults:
    """Measure the listeners of one table."""
    watching = Watching(
        server.port, server.output_of("tables", "watched"), size.listeners, size.changes
    )
    asyncio.run(watching.run())
    print(f"\n{name}, {size.listeners} listeners, {size.changes} changes: milliseconds")
    print(f"{'':52} {'p50':>8} {'p99':>8} {'max':>8}   goal of p99")
    expected = size.listeners * size.changes
    faults = {}
    for what, came in (("signal", watching.signal_times()), ("board", watching.board_times())):
        _since(what, came)
        faults[f"changes without a {what}"] = expected - len(came)
    milliseconds("between two changes", (b.sent - a.sent for a, b in pairwise(watching.changes)))
    count("delivered, of", expected - max(faults.values()), expected)
    others = Counter(status for one in watching.listeners for status in one.others)
    count("boards asked for", sum(len(one.boards) for one in watching.listeners) + others.total())
    count("of them unchanged", others.pop(304, 0))
    return faults | {"boards answered with something else": others.total()}


def _since(what: str, came: list[tuple[Change, float]]) -> None:
    milliseconds(f"{what}, since the tap was sent", (t - change.sent for change, t in came), GOAL)
    milliseconds(
        f"{what}, since it was answered", (t - change.answered for change, t in came), str(GOAL)
    )


def played(name: str, server: Server, size: Size, kills: int) -> Faults:
    """Play at many tables, and look at what is on record then."""
    tables = server.output_of("tables", "played", str(size.tables))
    play = Play(server, tables, size.every, size.seconds, kills)
    asyncio.run(play.run())
    killed = f", server killed {kills} times" if kills else ""
    print(f"\n{name}, {size.tables} tables, 2 phones each, {size.seconds} s{killed}")
    taps, statuses = play.taps, Counter(tap.status for tap in play.taps)
    count(f"taps a second; each phone taps every {size.every} s", f"{len(taps) / size.seconds:.1f}")
    count("taps acknowledged", statuses[200])
    count("taps refused", statuses[422])
    count(f"requests cut off, {CUT:.0%}", sum(tap.cuts for tap in taps))
    count("taps sent more than once", sum(tap.tries > 1 for tap in taps))
    count("requests sent again", sum(tap.tries - 1 for tap in taps))
    print(f"{'milliseconds':52} {'p50':>8} {'p99':>8} {'max':>8}")
    milliseconds("the answer to a tap", (tap.seconds for tap in taps if tap.status))
    milliseconds("until answered, all tries", (tap.whole for tap in taps if tap.status))
    faults = {
        "acknowledged, missing": len(play.missing),
        "doubled": len(play.doubled),
        "on record otherwise than sent": len(play.altered),
        "on record, yet refused": len(play.refused_but_there),
        "on record, never sent": len(play.unknown),
        "never answered": statuses[0],
        "answered with something else": len(taps) - statuses[200] - statuses[422] - statuses[0],
        "answers of 500 and more": sum(len(phone.broken) for phone in play.phones),
    }
    for what, number in faults.items():
        count(what, number, 0)
    return faults | {"ledger": ledger(server)}


def ledger(server: Server) -> int:
    """Let the site check its books; return 0 if they are right."""
    checked = server.manage("verify_ledger", check=False)
    print(f"verify_ledger: {checked.stdout.strip()}")
    return checked.returncode


def measure(name: str, database: str, size: Size) -> list[str]:
    """Measure all of it on one database; return what is wrong."""
    with served(database) as server:
        runs = {
            "listeners": watched(name, server, size),
            "phones": played(name, server, size, 0),
            "kills": played(name, server, size, size.kills),
        }
    return [
        f"{name}, {run}, {what}: {number}"
        for run, faults in runs.items()
        for what, number in faults.items()
        if number
    ]


def main() -> None:
    size = QUICK if "--quick" in sys.argv else Size()
    with tempfile.TemporaryDirectory() as folder:
        wrong = measure("SQLite", f"sqlite:///{folder}/bench.sqlite3", size)
        wrong += measure("PostgreSQL", start_postgres(), size)
    print("\n" + ("\n".join(["WRONG:", *wrong]) if wrong else "Nothing lost, nothing doubled."))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
