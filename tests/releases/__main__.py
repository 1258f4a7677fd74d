"""Write down the first release: a database of each kind with a little data, and its exports.

    python -m tests.releases

Only while nothing is released. Afterwards what is written here is history, and stays.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from tests.elsewhere import programs
from tests.environment import start_postgres

from . import FIRST, RECORD, hash_of, migrations_now

FILL = (
    "import django, json, sys; django.setup(); "
    "from tests.whole_site import exports, settle; settle(); json.dump(exports(), sys.stdout)"
)


def written(database: str) -> dict[str, str]:
    """Fill a new database and return its exports."""
    environment = os.environ | {"DATABASE_URL": database, "DJANGO_SETTINGS_MODULE": SETTINGS}
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], env=environment, check=True)
    filled = subprocess.run(
        [sys.executable, "-c", FILL], env=environment, check=True, stdout=subprocess.PIPE
    )
    handed_out: dict[str, str] = json.loads(filled.stdout)
    return handed_out


SETTINGS = "coalition_site.settings"


def of_sqlite(folder: Path) -> tuple[str, dict[str, str]]:
    """Return the SQL of a filled SQLite database, and its exports."""
    file = folder / "first.sqlite3"
    handed_out = written(f"sqlite:///{file}")
    with closing(sqlite3.connect(file)) as database:
        return "\n".join(database.iterdump()) + "\n", handed_out


def of_postgresql() -> tuple[str, dict[str, str]]:
    """Return the SQL of a filled PostgreSQL database, and its exports."""
    address = start_postgres()
    handed_out = written(address)
    how = ("--no-owner", "--no-privileges", "--inserts", "--rows-per-insert=200")
    dumped = subprocess.run(
        [programs() / "pg_dump", *how, address], check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    # What only psql understands, and what servers before 17 don't know.
    return re.sub(r"(?m)^(\\.*|SET transaction_timeout.*)\n", "", dumped), handed_out


def main() -> None:
    """Write all of it."""
    FIRST.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        databases = {"sqlite": of_sqlite(Path(folder)), "postgresql": of_postgresql()}
    for kind, (sql, _) in databases.items():
        (FIRST / f"{kind}.sql").write_text(sql)
    now = migrations_now()
    release = {
        "migrations": now,
        "hash": hash_of(now),
        "exports": {kind: handed_out for kind, (_, handed_out) in databases.items()},
    }
    RECORD.write_text(json.dumps(release, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
