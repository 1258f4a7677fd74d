"""SQLite's file contains names and accounts, so only whoever runs the site may read it."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any

OWNER_ONLY = 0o600


class PrivateConnection(sqlite3.Connection):
    """A connection to a database file that only its owner may read.

    The files that SQLite creates beside it copy the permissions of the database file. It is never
    opened here: closing it again would drop the locks that this process has on it.
    """

    def __init__(self, database: str | Path, *args: Any, **options: Any) -> None:
        if not str(database).startswith((":", "file:")):  # a database in memory has no file
            _create(Path(database))
        super().__init__(database, *args, **options)


def _create(path: Path) -> None:
    try:
        os.mknod(path, OWNER_ONLY | stat.S_IFREG)
    except FileExistsError:
        for ending in ("", "-wal", "-shm"):
            _narrow(path.with_name(path.name + ending))
    except OSError:
        pass  # SQLite will report what is wrong with the path


def _narrow(path: Path) -> None:
    with suppress(FileNotFoundError, PermissionError):  # missing, or somebody else's
        if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            path.chmod(OWNER_ONLY)
