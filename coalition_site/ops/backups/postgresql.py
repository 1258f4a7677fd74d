"""PostgreSQL: dumps by its own programs, which come with its packages and images."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection
from psycopg import sql
from psycopg.conninfo import make_conninfo

from .files import COUNTED, SESSIONS, BackupRefused
from .proofs import NotChecked

REACHED_BY = ("host", "hostaddr", "port", "user", "dbname")
EMPTY = "DROP SCHEMA public CASCADE;\nCREATE SCHEMA public;\n"
THROWN_AWAY = "Here a backup is checked. It is thrown away afterwards."
LONGEST_NAME = 63  # bytes
COPY, END = b"COPY public.", b"\\.\n"  # around the rows of a table
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


def counts(path: Path) -> tuple[int, ...]:
    """Return how many sets and events a dump has, after reading all of it."""
    rows: Counter[str] = Counter()
    with tempfile.TemporaryFile() as errors:
        with subprocess.Popen(
            [_program("pg_restore"), "--file=-", str(path)], stdout=subprocess.PIPE, stderr=errors
        ) as unpacking:
            assert unpacking.stdout
            table = b""
            for line in unpacking.stdout:
                if table:
                    rows[table.decode()] += line != END
                    table = b"" if line == END else table
                elif line.startswith(COPY):
                    table = line.removeprefix(COPY).split(maxsplit=1)[0]
        if unpacking.returncode:
            errors.seek(0)
            raise BackupRefused(f"{path}: {errors.read().decode().strip()}")
    return tuple(rows[table] for table in COUNTED)


@contextmanager
def elsewhere() -> Iterator[str]:
    """Yield the name of an empty database on the same server, which is thrown away afterwards.

    What a check that was killed left behind is thrown away first.
    """
    own = connection.settings_dict["NAME"]
    name = f"{own[: LONGEST_NAME - len('_check')]}_check"
    database = sql.Identifier(name)
    try:
        _throw_away_old(name)
        with connection.cursor() as cursor:
            cursor.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(database))
    except DatabaseError as error:
        raise NotChecked(
            f"A check needs a database of its own, and {name} can't be created: "
            f"{str(error).strip()}. As postgres: ALTER ROLE "
            f"{connection.settings_dict['USER']} CREATEDB"
        ) from error
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                sql.SQL("COMMENT ON DATABASE {} IS {}").format(database, sql.Literal(THROWN_AWAY))
            )
        yield name
    finally:
        with connection.cursor() as cursor:
            cursor.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(database))


def _throw_away_old(name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = %s",
            [name],
        )
        if cursor.fetchone() == (THROWN_AWAY,):
            cursor.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(name)))


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
    executable = _program(program)
    connection.ensure_connection()
    # Not as an argument: every user of the machine can read those.
    environment = os.environ | {"PGPASSWORD": connection.connection.info.password}
    done = subprocess.run(
        [executable, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BackupRefused(f"{done.stderr.strip() or program}. Nothing was changed.")
    return done.stdout


def _program(name: str) -> str:
    executable = shutil.which(name, path=settings.POSTGRES_BIN or None)
    if executable is None:
        raise BackupRefused(
            f"There is no {name} here. Install PostgreSQL's client programs (on Debian "
            f"postgresql-client), or set COALITION_POSTGRES_BIN to their folder."
        )
    return executable
