"""The lines of docs/running.md that rotate and encrypt backups, run as they are written there."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.needs import need

DOCUMENT = (Path(__file__).resolve().parents[2] / "docs/running.md").read_text()
BLOCKS = re.findall(r"^```sh\n(.*?)^```", DOCUMENT, re.DOTALL | re.MULTILINE)
CRON = next(line for line in DOCUMENT.splitlines() if "--verify /backups &&" in line)
DAY = 24 * 60 * 60  # seconds


def block(beginning: str) -> str:
    (lines,) = [lines for lines in BLOCKS if lines.startswith(beginning)]
    return lines


def in_cron() -> str:
    """Return what the cron line has the container's shell run at its end."""
    return shlex.split(CRON)[-1]


@pytest.mark.parametrize("lines", [block("find"), in_cron()], ids=["shell", "cron"])
def test_thirty_days_stay_and_the_first_of_each_month_for_two_years(tmp_path, lines):
    ages = {
        "2026-11-20": 1,
        "2026-10-24": 29,
        "2026-10-20": 33,
        "2026-10-01": 50,
        "2024-10-01": 780,
    }
    for day, age in ages.items():
        for name in (day, f"{day}.json"):
            (tmp_path / name).touch()
            os.utime(tmp_path / name, (time.time() - age * DAY,) * 2)

    run(lines.replace("/backups", str(tmp_path)), tmp_path)

    days = ("2026-10-01", "2026-10-24", "2026-11-20")
    assert sorted(os.listdir(tmp_path)) == [name for day in days for name in (day, f"{day}.json")]


def test_cron_rotates_only_after_a_backup_that_was_checked():
    backup, check, rotation = CRON.partition("&&")[2].split(" && ")

    assert ["backup" in backup, "--verify" in check, "-delete" in rotation] == [True] * 3


def run(lines: str, folder: Path, **variables: str) -> None:
    subprocess.run(
        ["sh", "-ec", lines],
        cwd=folder,
        env=os.environ | variables,
        check=True,
        capture_output=True,
        timeout=60,
    )


@pytest.fixture
def keys() -> Iterator[str]:
    """A folder for gpg's keys, whose name is short enough for the socket in it."""
    folder = tempfile.mkdtemp(prefix="gpg-")
    yield folder
    if shutil.which("gpgconf"):
        subprocess.run(
            ["gpgconf", "--kill", "all"], env=os.environ | {"GNUPGHOME": folder}, check=False
        )
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize(("tool", "package"), [("age", "age"), ("gpg", "gnupg")])
def test_an_encrypted_copy_is_opened_by_its_key(tmp_path, keys, tool, package):
    need(tool, f"LINES OF {tool}", package)
    (tmp_path / "backups").mkdir()
    content = {"2026-11-21": b"PGDMP" * 1000, "2026-11-21.json": b"{}"}
    for name, part in content.items():
        (tmp_path / "backups" / name).write_bytes(part)

    run(block(tool), tmp_path, GNUPGHOME=keys)

    assert {name: (tmp_path / name).read_bytes() for name in content} == content
    archive = (tmp_path / f"2026-11-21.tar.{tool}").read_bytes()
    assert b"PGDMP" not in archive
