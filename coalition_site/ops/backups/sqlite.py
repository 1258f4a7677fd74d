"""SQLite: a copy of the database as another, by SQLite's own way of copying one in use."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from django.db import connection

from .files import SESSIONS, BackupRefused


def write(path: Path) -> None:
    """Write the database to ``path`` as it is at one moment, without its sessions.

    Who writes meanwhile does not wait.
    """
    connection.ensure_connection()
    try:
        with closing(sqlite3.connect(path)) as copy:
            connection.connection.backup(copy)
            copy.execute("PRAGMA secure_delete=ON")  # else they stay readable in the file
            with copy:
                _sign_out(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, that needs no other beside it
    except sqlite3.Error as error:
        raise BackupRefused(f"SQLite: {error}. No backup was written.") from error


def migrations(path: Path) -> set[tuple[str, str]]:
    """Return the migrations of a backup, which is checked whole.

    :raises BackupRefused: if it is damaged.
    """
    with _opened(path) as backup:
        (found,) = backup.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok" or backup.execute("PRAGMA foreign_key_check").fetchone():
            raise sqlite3.DatabaseError("its parts don't fit together")
        if not backup.execute(
            "SELECT 1 FROM sqlite_schema WHERE name = 'django_migrations'"
        ).fetchone():
            return set()
        return set(backup.execute("SELECT app, name FROM django_migrations"))


def read(path: Path) -> None:
    """Bring the database to what a backup holds: one transaction of SQLite's.

    Sessions, which the first release's backups have, go in another.
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
        address = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
        with closing(sqlite3.connect(address, uri=True)) as backup:
            yield backup
    except sqlite3.Error as error:
        raise BackupRefused(f"{path} is damaged: {error}. Nothing was changed.") from error
