"""The files of backups: how they are put in place, and what a file says of itself."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

BEGINNINGS = {b"SQLite format 3\0": "sqlite", b"PGDMP": "postgresql"}
LONGEST = max(map(len, BEGINNINGS))
SESSIONS = "django_session"  # its rows are in no backup: who has a copy of one is nobody by it


class BackupRefused(Exception):
    """Says why, and what to do."""


@contextmanager
def written(path: Path) -> Iterator[Path]:
    """Yield where to write a new file: it is put in place whole, for its owner alone, or not."""
    if path.exists():
        raise BackupRefused(f"{path} is there already, and stays as it is. Name a new file.")
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)  # mode 0600
    except OSError as error:
        raise BackupRefused(f"{path}: {error.strerror}") from error
    os.close(handle)
    place = Path(name)
    try:
        yield place
        _keep(place)
        place.rename(path)
        _keep(path.parent)
    finally:
        place.unlink(missing_ok=True)


def _keep(path: Path) -> None:
    """Have the disk keep a file or a folder, whatever happens to the power."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def kind_of(path: Path) -> str:
    """Return which kind of database a file is a backup of.

    :raises BackupRefused: if it is none.
    """
    try:
        with path.open("rb") as file:
            begins = file.read(LONGEST)
    except OSError as error:
        raise BackupRefused(f"{path}: {error.strerror}") from error
    for beginning, kind in BEGINNINGS.items():
        if begins.startswith(beginning):
            return kind
    raise BackupRefused(f"{path} is no backup: `manage.py backup FILE` writes one.")
