"""What a set costs: rows and bytes of each table, by sets that `simulate` plays.

    python -m tests.bench.cost [--sets 300] [--seed 1]

Both databases are new ones, on SQLite a file and PostgreSQL from the wheel of the tests. Printed is
what the sets added, indexes included, divided by their number; what updates left behind is swept
away before.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path

from tests.environment import start_postgres

ROOT = Path(__file__).resolve().parents[2]
SIZES = {
    "sqlite": """
        SELECT m.tbl_name, sum(s.pgsize), sum(CASE m.type WHEN 'index' THEN s.pgsize ELSE 0 END)
        FROM dbstat s JOIN sqlite_schema m ON m.name = s.name
        WHERE s.aggregate = TRUE GROUP BY 1""",
    "postgresql": """
        SELECT relname, pg_total_relation_size(oid), pg_indexes_size(oid)
        FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace""",
}
# Rows, bytes, and bytes of these that are indexes.
Sizes = dict[str, tuple[int, int, int]]


def sizes() -> Sizes:
    """Measure all tables of the database."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM FULL" if connection.vendor == "postgresql" else "VACUUM")
        cursor.execute(SIZES[connection.vendor])
        measured = {name: (whole, indexes) for name, whole, indexes in cursor.fetchall()}
        rows = {}
        for name in measured:
            cursor.execute(f"SELECT count(*) FROM {name}")
            rows[name] = cursor.fetchone()[0]
    return {name: (rows[name], *measured[name]) for name in sorted(measured)}


def run(database: str, *command: str) -> str:
    """Run Python on a database and return what it prints."""
    environment = os.environ | {"DATABASE_URL": database}
    done = subprocess.run(
        [sys.executable, *command], env=environment, check=True, stdout=subprocess.PIPE, cwd=ROOT
    )
    return done.stdout.decode()


def cost(database: str, sets: int, seed: int) -> Sizes:
    """Return what ``sets`` sets of a playgroup add to each table."""
    measure = (
        "import django, json; django.setup(); "
        "from tests.bench.cost import sizes; print(json.dumps(sizes()))"
    )
    create = (
        "import django; django.setup(); "
        "from scoring.groups.playgroups import create_playgroup as new; "
        "print(new('Measured', None, visibility='public', ruleset='coalition-906').code)"
    )
    run(database, "manage.py", "migrate", "-v0")
    group = run(database, "-c", create).strip()
    before = json.loads(run(database, "-c", measure))
    options = ("--sets", str(sets), "--seed", str(seed), "--group", group)
    run(database, "manage.py", "simulate", *options)
    after = json.loads(run(database, "-c", measure))
    added = {
        name: tuple(now - was for now, was in zip(after[name], before[name], strict=True))
        for name in after
    }
    return {name: size for name, size in added.items() if size[0] or size[1]}  # type: ignore[misc]


def table(name: str, added: Sizes, sets: int) -> str:
    """Write what a set costs as a table."""
    whole = tuple(map(sum, zip(*added.values(), strict=True)))
    ordered = sorted(added.items(), key=lambda item: -item[1][1])
    lines = [f"| {name} | rows | bytes | of these indexes |", "|---|---:|---:|---:|"]
    lines += [
        f"| {one} | {rows / sets:,.1f} | {size / sets:,.0f} | {indexes / sets:,.0f} |"
        for one, (rows, size, indexes) in [*ordered, ("**all**", whole)]
    ]
    return "\n".join(lines)


def main() -> None:
    """Measure on both databases and print the tables."""
    parser = ArgumentParser(description="Measure what a set costs.")
    parser.add_argument("--sets", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "coalition_site.settings"
    with tempfile.TemporaryDirectory() as folder:
        databases = {
            "SQLite": f"sqlite:///{folder}/cost.sqlite3",
            "PostgreSQL": start_postgres(),
        }
        for name, database in databases.items():
            print(
                f"\n{table(name, cost(database, options.sets, options.seed), options.sets)}",
                flush=True,
            )


if __name__ == "__main__":
    main()
