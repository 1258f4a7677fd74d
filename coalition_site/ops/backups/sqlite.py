"""SQLite: a copy of the database, by SQLite's own way of copying a database in use."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from django.db import connection

from .files import COUNTED, SESSIONS, BackupRefused


def write(path: Path) -> None:
    """Copy the database to ``path`` as of one moment, without its sessions.

    Writers do not wait meanwhile.
    """
    connection.ensure_connection()
    try:
        with closing(sqlite3.connect(path)) as copy:
            connection.connection.backup(copy)
            # Otherwise deleted rows stay readable in the file.
            copy.execute("PRAGMA secure_delete=ON")
            with copy:
                _sign_out(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, without others beside it
    except sqlite3.Error as error:
        raise BackupRefused(f"SQLite: {error}. No backup was written.") from error


def migrations(path: Path) -> set[tuple[str, str]]:
    """Return the migrations of a backup, after checking the whole file.

    :raises BackupRefused: if it is damaged.
    """
    with _opened(path) as backup:
        (result,) = backup.execute("PRAGMA integrity_check(1)").fetchone()
        if result != "ok" or backup.execute("PRAGMA foreign_key_check").fetchone():
            raise sqlite3.DatabaseError("its parts don't fit together")
        if not backup.execute(
            "SELECT 1 FROM sqlite_schema WHERE name = 'django_migrations'"
        ).fetchone():
            return set()
        return set(backup.execute("SELECT app, name FROM django_migrations"))


def counts(path: Path) -> tuple[int, ...]:
    """Return how many sets and events a backup has."""
    with _opened(path) as backup:
        return tuple(
            backup.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in COUNTED
        )


@contextmanager
def elsewhere() -> Iterator[str]:
    """Yield the name of an empty database, which is thrown away afterwards."""
    with tempfile.TemporaryDirectory(prefix="coalition-check-") as folder:  # mode 0700
        yield str(Path(folder) / "backup.sqlite3")


def read(path: Path) -> None:
    """Replace the database's content with a backup's, in one transaction of SQLite's.

    Sessions, which backups of the first release have, are deleted in another.
    """
    connection.ensure_connection()
    with _opened(path) as backup:
        backup.backup(connection.connection)
    _sign_out(connection.connection)


def _sign_out(database: sqlite3.Connection) -> None:
    if database.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (SESSIONS,)).fetchone():
        database.execute(f"DELETE FROM {SESSIONS}")


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        # Immutable: no lock is taken, and no file written beside it, so read-only media will do.
        address = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
        with closing(sqlite3.connect(address, uri=True)) as backup:
            yield backup
    except sqlite3.Error as error:
        raise BackupRefused(f"{path} is damaged: {error}. Nothing was changed.") from error
