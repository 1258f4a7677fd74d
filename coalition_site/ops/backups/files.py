"""The files of backups: writing them safely, and telling which kind they are."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

BEGINNINGS = {b"SQLite format 3\0": "sqlite", b"PGDMP": "postgresql"}
LONGEST = max(map(len, BEGINNINGS))
COUNTED = ("scoring_gameset", "scoring_eventrow")
SESSIONS = "django_session"  # left out, so that a stolen backup signs nobody in


class BackupRefused(Exception):
    """A backup can't be written or restored; the message says why, and what to do."""


@contextmanager
def written(path: Path) -> Iterator[Path]:
    """Yield where to write a new file, readable by its owner only; it gets its name when whole."""
    if path.exists():
        raise BackupRefused(f"{path} exists already, and was not changed. Choose a new name.")
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)  # mode 0600
    except OSError as error:
        raise BackupRefused(f"{path}: {error.strerror}") from error
    os.close(handle)
    place = Path(name)
    try:
        yield place
        _flush(place)
        place.rename(path)
        _flush(path.parent)  # the name too: it is stored in the folder
    finally:
        place.unlink(missing_ok=True)


def _flush(path: Path) -> None:
    """Flush a file or folder to the disk, so that it survives a power failure."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def kind_of(path: Path) -> str:
    """Return which kind of database a file is a backup of.

    :raises BackupRefused: if it is not a backup.
    """
    try:
        with path.open("rb") as file:
            start = file.read(LONGEST)
    except OSError as error:
        raise BackupRefused(f"{path}: {error.strerror}") from error
    for beginning, kind in BEGINNINGS.items():
        if start.startswith(beginning):
            return kind
    raise BackupRefused(f"{path} is not a backup: `manage.py backup FILE` writes a backup.")
