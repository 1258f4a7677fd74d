"""The lines of docs/running.md that rotate and encrypt backups, run as they are written there."""

import os
import re
import shlex
import subprocess
import time
from pathlib import Path

from tests.needs import need

DOCUMENT = (Path(__file__).resolve().parents[2] / "docs/running.md").read_text()
BLOCKS = re.findall(r"^```sh\n(.*?)^```", DOCUMENT, re.DOTALL | re.MULTILINE)
CRON = next(line for line in DOCUMENT.splitlines() if "--verify /backups &&" in line)
DAY = 24 * 60 * 60  # seconds


def test_thirty_days_stay_and_the_first_of_each_month_for_two_years(tmp_path):
    ages = {"2026-11-20": 1, "2026-10-24": 29, "2026-10-20": 33, "2026-10-01": 50}
    ages["2024-10-01"] = 780
    for day, age in ages.items():
        for name in (day, f"{day}.json"):
            (tmp_path / name).touch()
            os.utime(tmp_path / name, (time.time() - age * DAY,) * 2)

    in_the_container = shlex.split(CRON)[-1]
    run(in_the_container.replace("/backups", str(tmp_path)), tmp_path)

    days = ("2026-10-01", "2026-10-24", "2026-11-20")
    assert sorted(os.listdir(tmp_path)) == [name for day in days for name in (day, f"{day}.json")]


def test_cron_rotates_only_after_a_backup_that_was_checked():
    backup, check, rotation = CRON.partition("&&")[2].split(" && ")

    assert ["backup" in backup, "--verify" in check, "-delete" in rotation] == [True] * 3


def run(lines: str, folder: Path) -> None:
    subprocess.run(["sh", "-ec", lines], cwd=folder, check=True, capture_output=True, timeout=60)


def test_an_encrypted_copy_is_opened_by_its_key(tmp_path):
    need("age", "LINES OF age")
    (tmp_path / "backups").mkdir()
    content = {"2026-11-21": b"PGDMP" * 1000, "2026-11-21.json": b"{}"}
    for name, part in content.items():
        (tmp_path / "backups" / name).write_bytes(part)

    run(next(lines for lines in BLOCKS if lines.startswith("age")), tmp_path)

    assert {name: (tmp_path / name).read_bytes() for name in content} == content
    assert b"PGDMP" not in (tmp_path / "2026-11-21.tar.age").read_bytes()
