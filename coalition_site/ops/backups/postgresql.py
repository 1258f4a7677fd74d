"""PostgreSQL: dumps by its own programs, which come with its packages and images."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from django.conf import settings
from django.db import connection
from psycopg.conninfo import make_conninfo

from .files import SESSIONS, BackupRefused

REACHED_BY = ("host", "hostaddr", "port", "user", "dbname")
EMPTY = "DROP SCHEMA public CASCADE;\nCREATE SCHEMA public;\n"
SIGN_OUT = f"DELETE FROM public.{SESSIONS};\n"  # the first release's backups have them


def write(path: Path) -> None:
    """Dump the database to ``path`` as of one moment, without its sessions.

    Writers do not wait meanwhile.
    """
    dumped = ("--format=custom", "--no-owner", "--no-privileges", f"--file={path}")
    _run("pg_dump", *dumped, f"--exclude-table-data={SESSIONS}", *_database())


def migrations(path: Path) -> set[tuple[str, str]]:
    """Return the migrations of a dump.

    :raises BackupRefused: if it can't be read.
    """
    rows = _unpacked(path, "--data-only", "--table=django_migrations", "--file=-")
    lines = [line.split("\t") for line in rows.splitlines()]
    return {(line[1], line[2]) for line in lines if len(line) == 4}


def read(path: Path) -> None:
    """Replace the database's content with a dump's, in one transaction.

    The script is written out first, so that a truncated dump is noticed before anything changes.
    """
    with tempfile.TemporaryDirectory() as folder:  # mode 0700
        before, dump, after = (Path(folder) / name for name in ("before", "dump", "after"))
        before.write_text(EMPTY if connection.introspection.table_names() else "")
        _unpacked(path, "--no-owner", "--no-privileges", f"--file={dump}")
        after.write_text(SIGN_OUT)
        whole = ("--single-transaction", "--set=ON_ERROR_STOP=1", "--no-psqlrc", "--quiet")
        files = [f"--file={file}" for file in (before, dump, after)]
        _run("psql", *whole, *files, *_database())
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # a restored table has no statistics to plan queries by


def _database() -> tuple[str]:
    """Return how to reach the database, without the password.

    Only with options that older programs know too.
    """
    options = connection.get_connection_params()
    names = [name for name in options if name in REACHED_BY or name.startswith("ssl")]
    return (f"--dbname={make_conninfo(**{name: options[name] for name in names})}",)


def _unpacked(path: Path, *how: str) -> str:
    try:
        return _run("pg_restore", *how, str(path))
    except BackupRefused as refusal:
        raise BackupRefused(f"{path}: {refusal}") from refusal


def _run(program: str, *arguments: str) -> str:
    """Run a program of PostgreSQL's and return what it prints."""
    executable = shutil.which(program, path=settings.POSTGRES_BIN or None)
    if executable is None:
        raise BackupRefused(
            f"There is no {program} here. Install PostgreSQL's client programs (on Debian "
            f"postgresql-client), or set COALITION_POSTGRES_BIN to their folder."
        )
    connection.ensure_connection()
    # Not as an argument: every user of the machine can read those.
    environment = os.environ | {"PGPASSWORD": connection.connection.info.password}
    done = subprocess.run(
        [executable, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BackupRefused(f"{done.stderr.strip() or program}. Nothing was changed.")
    return done.stdout
