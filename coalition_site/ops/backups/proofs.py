"""The proof beside each backup: its checksum, what it contains, and how its last check went.

A file of JSON, so that whoever has no database, or another one, can read it.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from ...lib.units import amount
from .files import BackupRefused

ENDING = ".json"


class NotChecked(BackupRefused):
    """A backup can't be checked here, and so nothing is known of it; the message says why."""


@dataclass(frozen=True, slots=True)
class Check:
    """How a backup's check went: when, for how many seconds, and what was wrong, or nothing."""

    at: str
    seconds: float
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Proof:
    """What was written into a backup, and its last check."""

    file: str
    database: str
    written: str
    bytes: int
    sha256: str
    sets: int
    events: int
    check: Check | None = None

    @property
    def content(self) -> str:
        """What the backup contains, in words."""
        return content(self.sets, self.events)


def content(sets: int, events: int) -> str:
    """Return what a backup contains, in words.

    >>> content(1, 1200)
    '1 set with 1,200 events'
    """
    return f"{amount(sets, 'set')} with {amount(events, 'event')}"


def now() -> str:
    """Return the time as proofs have it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def place_of(backup: Path) -> Path:
    """Return where the proof of a backup is."""
    return backup.with_name(backup.name + ENDING)


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write(backup: Path, proof: Proof) -> None:
    """Write a proof, whole or not at all, readable by its owner only."""
    place = place_of(backup)
    handle, name = tempfile.mkstemp(prefix=f".{place.name}-", dir=place.parent)  # mode 0600
    try:
        with os.fdopen(handle, "w") as file:
            file.write(json.dumps(asdict(proof), indent=1) + "\n")
            file.flush()
            os.fsync(file.fileno())
        Path(name).rename(place)
    finally:
        Path(name).unlink(missing_ok=True)


def read(backup: Path) -> Proof:
    """Return the proof of a backup.

    :raises NotChecked: if there is none, or it can't be read.
    """
    place = place_of(backup)
    try:
        values = json.loads(place.read_bytes())
        check = values.pop("check")
        return Proof(**values, check=Check(**check) if check else None)
    except OSError as error:
        raise NotChecked(
            f"{place}: {error.strerror}. Without it nobody knows whether {backup.name} is as it "
            f"was written. Copy it too."
        ) from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise NotChecked(f"{place} can't be read, so {backup.name} can't be checked.") from error


def check_bytes(backup: Path, proof: Proof) -> None:
    """Refuse a backup that is not, byte by byte, what was written.

    :raises BackupRefused: if any byte differs.
    """
    size = backup.stat().st_size
    if size != proof.bytes:
        raise BackupRefused(
            f"{backup} is damaged: it has {size:,} bytes, and was written with {proof.bytes:,}. "
            f"Take another backup. Nothing was changed."
        )
    if checksum(backup) != proof.sha256:
        raise BackupRefused(
            f"{backup} is damaged: its bytes are not those that were written. Take another "
            f"backup. Nothing was changed."
        )


def latest(folder: Path) -> Path:
    """Return the newest backup of a folder that has a proof.

    :raises NotChecked: if there is none.
    """
    proofs = {}
    for place in folder.glob(f"*{ENDING}"):
        backup = place.with_name(place.name.removesuffix(ENDING))
        with suppress(NotChecked):
            if backup.exists():
                proofs[backup] = read(backup).written
    if not proofs:
        raise NotChecked(f"{folder} has no backup with a proof beside it.")
    return max(proofs, key=lambda backup: proofs[backup])
