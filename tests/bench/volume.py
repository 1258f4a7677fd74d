"""What a record of many events costs on PostgreSQL, and the same record in partitions.

    python -m tests.bench.volume [--events 10000 100000 1000000] [--partitions 16]

`simulate` plays sets until the first number of events is there; for each further number what is
there is copied, ten times as much each time: sets with all that hangs on them, under new numbers
and codes, so that `verify_ledger` plays each. For each number: the bytes of the database, with
what updates left behind; the time of a tap and of a board, the middle one of many, one at a time,
by one worker, and how many pages PostgreSQL had to read for all of them after a restart; the time
of `verify_ledger` and of `backup`. At the end the events and the ledger are copied into parts by
set, with all their keys: how long that takes, during which nobody may tap, and what it changes.

The server is that of the tests, which doesn't wait for the disk.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from statistics import median

import psycopg

from tests.bench.client import token
from tests.bench.databases import start_server
from tests.bench.growth_report import table
from tests.bench.scorekeeper import Scorekeeper
from tests.bench.server import Server, running
from tests.elsewhere import programs

TABLES, TIMES = 20, 2  # tables, and taps and boards at each; of all the middle one counts
EVENTS_A_SET = 30  # about, as `simulate` plays
# Tables that hang on a set, and the columns with numbers of such tables.
COPIED = {
    "scoring_gameset": ("id",),
    "scoring_scorekeeper": ("id", "game_set_id"),
    "scoring_seat": ("id", "game_set_id"),
    "scoring_game": ("id", "game_set_id", "winner_id"),
    "scoring_gameregister": ("game", "game_set"),
    "scoring_eventrow": ("id", "game_set_id", "game_id"),
    "scoring_ledgerrow": ("id", "event_id", "written_by_id", "seat_id", "reverses_id"),
    "scoring_setresult": ("id", "game_set_id", "seat_id"),
    "scoring_setfacts": ("game_set_id",),
}
NEW = {
    ("scoring_gameset", "code"): "left(md5(code || copy * {shift}), 12)",
    ("scoring_gameset", "key_hash"): "NULL",
    # Pairs of a seat's number and its name.
    ("scoring_gameset", "seating"): """(
        SELECT coalesce(jsonb_agg(jsonb_set(pair, '{{0}}', to_jsonb(
            (pair ->> 0)::bigint + copy * {shift})) ORDER BY place), '[]')
        FROM jsonb_array_elements(seating) WITH ORDINALITY AS pairs (pair, place))""",
}
PARTED = {"scoring_eventrow": "parted_eventrow", "scoring_ledgerrow": "parted_ledgerrow"}
# Each key names the set, by which the parts are made.
PARTS = """
CREATE TABLE parted_eventrow (LIKE scoring_eventrow INCLUDING DEFAULTS INCLUDING CONSTRAINTS)
    PARTITION BY HASH (game_set_id);
ALTER TABLE parted_eventrow ADD PRIMARY KEY (game_set_id, id),
    ADD UNIQUE (game_set_id, game_id, seq), ADD UNIQUE (game_set_id, tap_id);
CREATE TABLE parted_ledgerrow (
    LIKE scoring_ledgerrow INCLUDING DEFAULTS INCLUDING CONSTRAINTS, game_set_id bigint NOT NULL
) PARTITION BY HASH (game_set_id);
ALTER TABLE parted_ledgerrow ADD PRIMARY KEY (game_set_id, id),
    ADD UNIQUE (game_set_id, reverses_id);
CREATE INDEX ON parted_ledgerrow (game_set_id, event_id);
CREATE INDEX ON parted_ledgerrow (game_set_id, written_by_id);
CREATE INDEX ON parted_ledgerrow (seat_id)
"""
MOVE = """
LOCK TABLE scoring_eventrow, scoring_ledgerrow IN SHARE MODE;
INSERT INTO parted_eventrow SELECT * FROM scoring_eventrow;
INSERT INTO parted_ledgerrow SELECT ledger.*, event.game_set_id
    FROM scoring_ledgerrow ledger JOIN scoring_eventrow event ON event.id = ledger.event_id;
ALTER TABLE parted_eventrow
    ADD FOREIGN KEY (game_id) REFERENCES scoring_game,
    ADD FOREIGN KEY (game_set_id) REFERENCES scoring_gameset;
ALTER TABLE parted_ledgerrow
    ADD FOREIGN KEY (game_set_id, event_id) REFERENCES parted_eventrow (game_set_id, id),
    ADD FOREIGN KEY (game_set_id, written_by_id) REFERENCES parted_eventrow (game_set_id, id),
    ADD FOREIGN KEY (game_set_id, reverses_id) REFERENCES parted_ledgerrow (game_set_id, id),
    ADD FOREIGN KEY (seat_id) REFERENCES scoring_seat
"""
ADD = """
INSERT INTO {0} (id, game_set_id, game_id, seq, entry, at)
SELECT id + 1000000000, game_set_id, game_id, seq + 100000, entry, at FROM {0}
WHERE game_set_id = %s AND game_id = %s AND seq = 1
"""
READ = "SELECT * FROM {0} WHERE game_set_id = %s AND game_id = %s ORDER BY seq"
PAGES = "SELECT sum(heap_blks_read)::int, sum(idx_blks_read)::int FROM pg_statio_user_tables"
HEAD = (
    "events | sets | bytes | of these indexes | tap, ms | board, ms | pages read | of indexes "
    "| verify_ledger, s | backup, s"
)
SIZES_HEAD = "rows in | bytes | of these indexes"
PARTED_HEAD = "events in | an event added, ms | a game's log read, ms"
Row = list[str]


def options() -> Namespace:
    parser = ArgumentParser(description="Measure what a record of many events costs.")
    parser.add_argument("--events", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--partitions", type=int, default=16)
    return parser.parse_args()


class Record:
    """The record of one database, which grows."""

    def __init__(self, address: str, folder: Path) -> None:
        self.address, self.folder = address, folder
        self.server = Server(address, workers=1)
        self.server.environment["COALITION_POSTGRES_BIN"] = str(programs())
        self.server.update()
        self.database = psycopg.connect(address, autocommit=True)

    def ask(self, query: str, *values: int) -> tuple[int, ...]:
        row = self.database.execute(query, values).fetchone()  # type: ignore[arg-type]
        assert row
        return tuple(row)

    def count(self, name: str) -> int:
        return self.ask(f"SELECT count(*) FROM {name}")[0]

    def grow(self, events: int) -> None:
        """Play or copy sets until there are about so many events."""
        there = self.count("scoring_eventrow")
        if not there:
            self.server.manage("simulate", "--sets", str(events // EVENTS_A_SET))
        elif events > there:
            self.copy(round(events / there) - 1)
        self.database.execute("VACUUM ANALYZE")

    def copy(self, times: int) -> None:
        """Copy each set so many times; what triggers do for new rows is copied too."""
        shift = max(
            self.ask(f"SELECT coalesce(max({numbers[0]}), 0) FROM {name}")[0]
            for name, numbers in COPIED.items()
        )
        with self.database.transaction():
            self.database.execute("SET LOCAL session_replication_role = replica")
            for name, numbers in COPIED.items():
                self.database.execute(self._copying(name, numbers, shift), [times])  # type: ignore[arg-type]
        for name, numbers in COPIED.items():
            if numbers[0] == "id":
                self.ask(
                    f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), max(id)) FROM {name}"
                )

    def _copying(self, name: str, numbers: tuple[str, ...], shift: int) -> str:
        query = "SELECT column_name FROM information_schema.columns WHERE table_name = %s"
        columns = [column for (column,) in self.database.execute(query, [name])]
        moved = {column: f"{column} + copy * {shift}" for column in numbers}
        moved |= {
            column: new.format(shift=shift) for (of, column), new in NEW.items() if of == name
        }
        values = [moved.get(column, f'"{column}"') for column in columns]
        into = ", ".join(f'"{column}"' for column in columns)
        return (
            f"INSERT INTO {name} ({into}) SELECT {', '.join(values)} "
            f"FROM {name}, generate_series(1, %s) AS copy"
        )

    def restart(self) -> None:
        """Start PostgreSQL again, with nothing in its memory."""
        self.database.execute("CHECKPOINT")
        self.database.close()
        log = self.folder / "restarted.log"
        command = ["pg_ctl", "restart", "-w", "-D", str(self.folder), "-l", str(log)]
        subprocess.run(
            [programs() / command[0], *command[1:]],
            check=True,
            user=self.folder.stat().st_uid,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        self.database = psycopg.connect(self.address, autocommit=True)
        self.ask("SELECT 1 FROM pg_stat_reset()")

    def measure(self) -> Row:
        """Return a row of the table."""
        events, sets = self.count("scoring_eventrow"), self.count("scoring_gameset")
        size, indexes = self.ask(
            "SELECT sum(pg_total_relation_size(oid))::bigint, sum(pg_indexes_size(oid))::bigint "
            "FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        )
        made = self.server.output_of("tables", "endless", str(TABLES))
        self.restart()
        with running(self.server):
            tap, board = asyncio.run(self._ask_for(made))
        heap, index = self.ask(PAGES)
        verified = seconds(lambda: self.server.manage("verify_ledger"))
        backed_up = seconds(lambda: self.server.manage("backup", str(self.folder / f"{events}")))
        whole = [f"{number:,}" for number in (events, sets, size, indexes)]
        times = [f"{tap * 1000:.1f}", f"{board * 1000:.1f}", f"{heap + index:,}", f"{index:,}"]
        return [*whole, *times, f"{verified:,.1f}", f"{backed_up:.1f}"]

    async def _ask_for(self, tables: list[tuple[str, str]]) -> tuple[float, float]:
        """Return the seconds of a tap and of a board."""
        secret, taps, boards = await token(self.server.port), [], []
        for made in tables:
            phone = Scorekeeper(self.server.port, made, secret)
            await phone.arrive()
            await phone.hit()
            taps += [(await phone.hit()).seconds for _ in range(TIMES)]
            watched = f"/s/{phone.code}/"
            boards += [(await phone.connection.fetch(watched)).seconds for _ in range(TIMES)]
            phone.connection.drop()
        return median(taps), median(boards)

    def part(self, count: int) -> float:
        """Copy events and ledger into parts; return the seconds in which nobody may add any."""
        self.database.execute(PARTS)
        for name in PARTED.values():
            for number in range(count):
                self.database.execute(
                    f"CREATE TABLE {name}_{number} PARTITION OF {name} "  # type: ignore[arg-type]
                    f"FOR VALUES WITH (MODULUS {count}, REMAINDER {number})"
                )
        with self.database.transaction():
            took = seconds(lambda: self.database.execute(MOVE))
        self.database.execute(f"VACUUM ANALYZE {', '.join(PARTED.values())}")  # type: ignore[arg-type]
        return took

    def size(self, name: str) -> Row:
        """Return the bytes of a table, with its parts."""
        tree = f"SELECT relid FROM pg_partition_tree('{name}') UNION SELECT '{name}'::regclass"
        sizes = self.ask(
            "SELECT sum(pg_total_relation_size(oid))::bigint, sum(pg_indexes_size(oid))::bigint "
            f"FROM pg_class WHERE oid IN ({tree}) AND relkind = 'r'"
        )
        return [name, *(f"{size:,}" for size in sizes)]

    def compare(self, name: str) -> Row:
        """Return a row about the events in a table, or in its parts."""
        game = self.ask("SELECT game_set_id, id FROM scoring_game ORDER BY id DESC LIMIT 1")
        added = median(seconds(lambda: self._add(name, game)) for _ in range(TABLES * TIMES))
        read = median(seconds(lambda: self._read(name, game)) for _ in range(TABLES * TIMES))
        return [name, f"{added * 1000:.2f}", f"{read * 1000:.2f}"]

    def _add(self, name: str, game: tuple[int, ...]) -> None:
        with self.database.transaction(force_rollback=True):
            self.database.execute(ADD.format(name), game)  # type: ignore[arg-type]

    def _read(self, name: str, game: tuple[int, ...]) -> None:
        self.database.execute(READ.format(name), game).fetchall()  # type: ignore[arg-type]


def seconds(act: Callable[[], object]) -> float:
    begin = time.perf_counter()
    act()
    return time.perf_counter() - begin


def main() -> None:
    given = options()
    kind = start_server()
    record = Record(kind.new("volume"), Path(kind.address.rpartition("host=")[2]))
    rows = []
    for events in given.events:
        record.grow(events)
        rows.append(record.measure())
        print(" | ".join(rows[-1]), flush=True)
    took = record.part(given.partitions)
    print(f"\nLoad of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.\n")
    print(table(HEAD, rows), "\n")
    print(f"Copied into {given.partitions} parts each in {took:.1f} seconds without a tap.\n")
    print(table(SIZES_HEAD, [record.size(name) for pair in PARTED.items() for name in pair]), "\n")
    print(table(PARTED_HEAD, [record.compare(name) for name in next(iter(PARTED.items()))]))


if __name__ == "__main__":
    main()
