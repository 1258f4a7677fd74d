"""What is known of the last backup, in words that say what to do."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from coalition_site.ops.backups import BackupRefused
from coalition_site.ops.last_backup import NO_FOLDER, last_backup

LATE = (
    "It is older than 26 hours: see whether cron still runs the backup. docs/running.md, Backups, "
    "has the lines for cron."
)
UNCHECKED = (
    "It was never checked: run backup --verify. docs/running.md, Backups, has the lines for cron."
)
FAULT = "Its check found a fault: 2 logs are wrong. Take a new backup, and check it."


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    settings.BACKUPS = str(tmp_path)
    return tmp_path


def write(folder: Path, name: str, hours: float, check: dict[str, Any] | None = None) -> None:
    """Write a backup as of that many hours ago, with its proof."""
    written = (datetime.now(UTC) - timedelta(hours=hours)).isoformat(timespec="seconds")
    proof = {
        "file": name,
        "database": "sqlite",
        "written": written,
        "bytes": 1234,
        "sha256": "0" * 64,
        "sets": 8,
        "events": 104,
        "check": check,
    }
    (folder / name).touch()
    (folder / f"{name}.json").write_text(json.dumps(proof))


def checked(fault: str = "") -> dict[str, Any]:
    return {"at": "2026-11-22T03:08:00+00:00", "seconds": 12.3, "fault": fault}


@pytest.mark.parametrize(
    ("hours", "check", "problems"),
    [
        (1, checked(), []),
        (25.9, checked(), []),
        (26.1, checked(), [LATE]),
        (1, None, []),
        (3.1, None, [UNCHECKED]),
        (30, None, [LATE, UNCHECKED]),
        (1, checked("2 logs are wrong."), [FAULT]),
        (30, checked("2 logs are wrong."), [LATE, FAULT]),
    ],
)
def test_a_backup_that_is_old_unchecked_or_faulty_says_so(folder, hours, check, problems):
    write(folder, "2026-11-22", hours, check)

    assert last_backup().problems == problems


def test_the_newest_with_a_proof_is_the_last(folder):
    write(folder, "2026-11-21", 30, checked())
    write(folder, "2026-11-22", 6, checked())
    (folder / "copied-without-its-proof").touch()

    backup = last_backup()

    assert (backup.name, backup.bytes, backup.sets, backup.events) == ("2026-11-22", 1234, 8, 104)
    assert backup.checked == datetime(2026, 11, 22, 3, 8, tzinfo=UTC)


def test_no_folder_and_no_backup_say_what_to_do(folder, settings):
    def reason() -> str:
        with pytest.raises(BackupRefused) as refused:
            last_backup()
        return str(refused.value)

    assert reason() == f"{folder} has no backup with a proof beside it."
    settings.BACKUPS = str(folder / "gone")
    assert reason() == f"{folder / 'gone'} can't be read: No such file or directory."
    settings.BACKUPS = ""
    assert reason() == NO_FOLDER


@pytest.mark.parametrize("written", ["yesterday", 7])
def test_a_proof_that_somebody_changed_is_no_error_of_the_site(folder, written):
    write(folder, "kept", 1)
    proof = json.loads((folder / "kept.json").read_text())
    (folder / "kept.json").write_text(json.dumps(proof | {"written": written}))

    with pytest.raises(BackupRefused, match="has a proof that can't be read"):
        last_backup()
