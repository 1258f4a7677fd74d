"""SQLite's file has everybody's names and accounts: nobody but who runs the site may read it."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any

OWNER_ONLY = 0o600


class PrivateConnection(sqlite3.Connection):
    """A connection to a database file that is made, or narrowed, for its owner alone.

    What SQLite makes beside it has the permissions of the database itself. The file is never opened
    here: closing it again would drop the locks that this process has on it.
    """

    def __init__(self, database: str | Path, *args: Any, **options: Any) -> None:
        if not str(database).startswith((":", "file:")):  # what is in memory has no file
            _make(Path(database))
        super().__init__(database, *args, **options)


def _make(path: Path) -> None:
    try:
        os.mknod(path, OWNER_ONLY | stat.S_IFREG)
    except FileExistsError:
        for ending in ("", "-wal", "-shm"):
            _narrow(path.with_name(path.name + ending))
    except OSError:
        pass  # SQLite tells what is wrong with the place


def _narrow(path: Path) -> None:
    with suppress(FileNotFoundError, PermissionError):  # not there, or another's
        if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            path.chmod(OWNER_ONLY)
