"""PostgreSQL: dumps by its own programs, which come with its packages and images."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from django.conf import settings
from django.db import DatabaseError, connection
from psycopg import sql
from psycopg.conninfo import make_conninfo

from .files import COUNTED, SESSIONS, BackupRefused
from .proofs import NotChecked

REACHED_BY = ("host", "hostaddr", "port", "user", "dbname")
BEGIN, COMMIT = b"BEGIN;\n", b"COMMIT;\n"
EMPTY = b"DROP SCHEMA public CASCADE;\nCREATE SCHEMA public;\n"
THROWN_AWAY = "Here a backup is checked. It is thrown away afterwards."
LONGEST_NAME = 63  # bytes
COPY, END = b"COPY public.", b"\\.\n"  # around the rows of a table
SIGN_OUT = f"DELETE FROM public.{SESSIONS};\n".encode()  # the first release's backups have them


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
    with _unpacking(path) as script:
        table = b""
        for line in script:
            if table:
                rows[table.decode()] += line != END
                table = b"" if line == END else table
            elif line.startswith(COPY):
                table = line.removeprefix(COPY).split(maxsplit=1)[0]
    return tuple(rows[table] for table in COUNTED)


@contextmanager
def _unpacking(path: Path, *how: str) -> Iterator[IO[bytes]]:
    """Yield a dump's script while it is unpacked.

    :raises BackupRefused: at its end, if the dump can't be read.
    """
    with tempfile.TemporaryFile() as errors:
        command = [_program("pg_restore"), *how, "--file=-", str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors) as unpacking:
            assert unpacking.stdout
            yield unpacking.stdout
        if unpacking.returncode:
            raise BackupRefused(f"{path}: {_text(errors)}. Nothing was changed.")


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

    The script is passed on while it is unpacked: no disk and no memory has to hold all of it. Its
    last line commits, so whatever ends it earlier changes nothing.
    """
    command = [_program("psql"), "--set=ON_ERROR_STOP=1", "--no-psqlrc", "--quiet", *_database()]
    with tempfile.TemporaryFile() as errors:
        with (
            suppress(BrokenPipeError),  # psql gave up, and says why
            subprocess.Popen(
                command,
                env=_with_password(),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=errors,
            ) as writing,
        ):
            assert writing.stdin
            _write_script(path, writing.stdin)
        if writing.returncode:
            raise BackupRefused(f"{_text(errors)}. Nothing was changed.")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # a restored table has no statistics to plan queries by


def _write_script(path: Path, to: IO[bytes]) -> None:
    to.write(BEGIN + (EMPTY if connection.introspection.table_names() else b""))
    with _unpacking(path, "--no-owner", "--no-privileges") as script:
        shutil.copyfileobj(script, to)
    to.write(SIGN_OUT + COMMIT)


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
    done = subprocess.run(
        [executable, *arguments], env=_with_password(), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BackupRefused(f"{done.stderr.strip() or program}. Nothing was changed.")
    return done.stdout


def _with_password() -> dict[str, str]:
    """Return the environment for a program: every user of the machine can read its arguments."""
    connection.ensure_connection()
    return os.environ | {"PGPASSWORD": connection.connection.info.password}


def _text(errors: IO[bytes]) -> str:
    errors.seek(0)
    return errors.read().decode().strip()


def _program(name: str) -> str:
    executable = shutil.which(name, path=settings.POSTGRES_BIN or None)
    if executable is None:
        raise BackupRefused(
            f"There is no {name} here. Install PostgreSQL's client programs (on Debian "
            f"postgresql-client), or set COALITION_POSTGRES_BIN to their folder."
        )
    return executable
