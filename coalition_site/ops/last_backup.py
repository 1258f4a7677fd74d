"""The newest backup and its check, for whoever runs the site."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings

from .backups import BackupRefused, latest, proofs

NO_FOLDER = (
    "No folder is set: give COALITION_BACKUPS the folder into which backups are written, and "
    "restart the site."
)
DUE = timedelta(hours=26)  # one a night, and two hours for a slow night
CHECK_DUE = timedelta(hours=3)  # after a backup
HOW = "docs/running.md, Backups, has the lines for cron."


@dataclass(frozen=True, kw_only=True)
class LastBackup:
    """A backup and its check. ``fault`` is what the check found, "" if all was right."""

    name: str
    bytes: int
    sets: int
    events: int
    written: datetime
    checked: datetime | None
    took: float
    fault: str

    @property
    def age(self) -> timedelta:
        return datetime.now(UTC) - self.written

    @property
    def problems(self) -> list[str]:
        """What is wrong with it, and what to do."""
        return [text for text in (self._lateness(), self._of_check()) if text]

    def _lateness(self) -> str:
        hours = int(DUE.total_seconds()) // 3600
        late = f"It is older than {hours} hours: see whether cron still runs the backup. {HOW}"
        return late if self.age > DUE else ""

    def _of_check(self) -> str:
        if self.fault:
            return f"Its check found a fault: {self.fault} Take a new backup, and check it."
        if self.checked is None and self.age > CHECK_DUE:
            return f"It was never checked: run backup --verify. {HOW}"
        return ""


def last_backup() -> LastBackup:
    """Return the newest backup of COALITION_BACKUPS.

    :raises BackupRefused: with the reason, and what to do, if none is known.
    """
    if not settings.BACKUPS:
        raise BackupRefused(NO_FOLDER)
    folder = Path(settings.BACKUPS)
    try:
        next(folder.iterdir(), None)  # a search through a folder that is not there finds nothing
        return _read(proofs.read(latest(folder)))
    except OSError as error:
        raise BackupRefused(f"{folder} can't be read: {error.strerror}.") from error
    except (ValueError, TypeError) as error:
        raise BackupRefused(f"{folder} has a proof that can't be read.") from error


def _read(proof: proofs.Proof) -> LastBackup:
    check = proof.check
    return LastBackup(
        name=proof.file,
        bytes=proof.bytes,
        sets=proof.sets,
        events=proof.events,
        written=_time(proof.written),
        checked=_time(check.at) if check else None,
        took=check.seconds if check else 0,
        fault=check.fault if check else "",
    )


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)
