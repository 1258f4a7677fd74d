"""SQLite's file contains names and accounts, so only whoever runs the site may read it."""

import os
import sqlite3
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any

OWNER_ONLY = 0o600


class PrivateConnection(sqlite3.Connection):
    # The files that SQLite creates beside it copy the permissions of the database file. It is never
    # opened here: closing it again would drop the locks that this process has on it.

    def __init__(self, database: str | Path, *args: Any, **options: Any) -> None:
        if not str(database).startswith((":", "file:")):  # a database in memory has no file
            with suppress(OSError):  # it exists, or SQLite will report what is wrong with the path
                os.mknod(database, OWNER_ONLY | stat.S_IFREG)
            for path in (f"{database}{ending}" for ending in ("", "-wal", "-shm")):
                with suppress(OSError):  # missing, or somebody else's
                    if os.stat(path).st_mode & (stat.S_IRWXG | stat.S_IRWXO):
                        os.chmod(path, OWNER_ONLY)
        super().__init__(database, *args, **options)
