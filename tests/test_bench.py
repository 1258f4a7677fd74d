"""The seams of the benchmarks: what they read, count and compare. Their times are not tested."""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
import subprocess
import sys
from math import inf
from pathlib import Path
from uuid import uuid4

import pytest
from lxml import etree

from tests.bench import before
from tests.bench.aims import AIMS, Aim, Report
from tests.bench.client import Answer, Connection
from tests.bench.climbs import Climb, Step, around_knee
from tests.bench.growth_report import tables, write
from tests.bench.processes import Process, cpu_seconds, read_stat
from tests.bench.rows import at
from tests.bench.scorekeeper import Scorekeeper
from tests.bench.server import ROOT, Floor, running
from tests.scoring.tables import KEY, address, holder, set_up

IMPORT = re.compile(r"^(?:from|import) ([\w.]+)", re.M)
BURN = "import time\nwhile time.process_time() < 0.3: pass\n"
BURN_TWICE = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {BURN!r}])\n{BURN}"


def test_a_process_is_read_whatever_its_name_contains():
    ticks = os.sysconf("SC_CLK_TCK")
    line = f"7 (a) R 9 (b) S 1 7 7 0 -1 0 0 0 0 0 {ticks} {2 * ticks} 0 {ticks} 20 0 4 0"

    assert read_stat(line) == Process(parent=1, seconds=4.0)


def test_processor_time_counts_children_while_they_live_and_when_they_have_ended():
    script = f"{BURN_TWICE}\nprint('burnt', flush=True)\ninput()"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", script], text=True, **pipes) as process:
        process.stdout.readline()
        alone, with_us = cpu_seconds([process.pid]), cpu_seconds([os.getpid()])
        process.communicate("\n")

    assert alone >= 0.58  # two of 0.3 each, read in hundredths
    assert with_us >= alone


def test_a_share_of_no_times_is_no_number():
    assert [at([4.0, 1.0, 2.0, 3.0], share) for share in (0, 0.5, 0.99)] == [1.0, 3.0, 4.0]
    assert str(at([], 0.99)) == "nan"


@pytest.mark.parametrize(
    ("is_least", "met"), [(False, (True, True, False)), (True, (False, True, True))]
)
def test_an_aim_is_met_at_its_limit_and_on_its_good_side(is_least, met):
    aim = Aim("", "1", 1.5, is_least)

    assert tuple(map(aim.is_met, (1.4, 1.5, 1.6))) == met


def test_the_last_table_shows_every_aim_measured_or_not():
    report = Report()
    report.add("hit", "SQLite", 1.5)
    report.add("hit", "PostgreSQL", 39_812.4)
    report.add("workers", "PostgreSQL", "not there")

    rows = [" ".join(line.split()) for line in report.table().splitlines()]

    assert rows[:3] == [
        "database was measured aim met",
        "hit / frozen floor, 10 connections SQLite 5.1 1.50 <= 1.60 yes",
        "hit / frozen floor, 10 connections PostgreSQL 5.1 39,812 <= 1.60 no",
    ]
    assert "two workers / one, hits a second, 50 connections PostgreSQL - not there >= 1.40" in rows
    assert sum("not measured" in row for row in rows) == len(AIMS) - 2


def test_the_floor_inserts_a_row_and_shows_a_page(tmp_path):
    tap, floor = {"tap_id": uuid4(), "amount": 1}, Floor(f"sqlite:///{tmp_path / 'floor.sqlite3'}")

    async def ask() -> list[Answer]:
        connection = Connection(floor.port)
        await connection.open()
        answers = [await connection.ask("/insert/", tap), await connection.ask("/page/")]
        connection.drop()
        return answers

    with running(floor):
        answers = asyncio.run(ask())

    assert [(answer.status, answer.text[:8]) for answer in answers] == [
        (200, "recorded"),
        (200, "<!doctyp"),
    ]
    assert rows_of(tmp_path / "floor.sqlite3") == [(str(tap["tap_id"]), "1")]


def rows_of(file: Path) -> list[tuple[str, str]]:
    with sqlite3.connect(file) as connection:
        return connection.execute("SELECT tap_id, entry FROM floor").fetchall()


def test_the_floor_imports_nothing_of_ours():
    sources = (ROOT / "tests/bench/floor").glob("*.py")
    imported = {name for path in sources for name in IMPORT.findall(path.read_text())}

    assert {name for name in imported if not name.startswith("tests.bench.floor.")} == {
        *("__future__", "os", "sys"),
        *("a2wsgi", "dj_database_url", "uvicorn"),
        *("django.core.wsgi", "django.db", "django.http", "django.urls"),
    }


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="NOT UNPACKED: this is no git repository")
def test_an_earlier_revision_is_unpacked_and_goes_away_again():
    with before.unpacked("HEAD") as folder:
        files = {path.name for path in folder.iterdir()}

    assert {"manage.py", "scoring", "tests"} <= files
    assert not folder.exists()


def test_an_earlier_revision_does_without_packages_that_came_later(tmp_path):
    pinned = (ROOT / "constraints.txt").read_text()
    (tmp_path / "constraints.txt").write_text(re.sub("^httptools==.*\n", "", pinned, flags=re.M))

    before.hide_later_packages(tmp_path)

    assert [path.name for path in tmp_path.glob("*.py")] == ["httptools.py"]


def test_a_phone_of_the_benchmarks_says_which_pad_it_shows_as_a_real_one_does(db):
    table = set_up()
    browser, phone = holder(table), Scorekeeper(0, (table.code, KEY), "")
    phone.read(Answer(200, {}, [], browser.get(address(table, "score")).content))

    answer = browser.post(
        address(table, "hit", 1), phone.hit_form(), headers={"HX-Request": "true"}
    )

    assert phone.pad == {"pad": "1-1-.12"}
    assert (answer.status_code, answer["HX-Reswap"]) == (200, "none")


def step(rate: float, p99: float) -> Step:
    return Step(int(10 * rate), rate, 100, 0.01, p99, server=0.5, database=0, client=0.1)


def test_the_knee_lies_below_the_first_load_that_was_not_borne():
    """That a larger load was borne by luck proves nothing."""
    loads = [(100, 0.1), (200, 1.0), (300, 1.1), (400, 0.9), (500, inf)]

    assert around_knee([step(*load) for load in loads]) == (200, 300)
    assert around_knee([step(100, 0.1)]) == (100, inf)
    assert around_knee([step(100, inf)]) == (0, 100)


def test_growth_is_written_between_its_marks_and_drawn(tmp_path):
    document = tmp_path / "growing.md"
    document.write_text("Before\n<!-- growth: x -->\nold\n<!-- /growth -->\nAfter\n")
    climbs = [Climb("SQLite", 1, [step(1, 0.02), step(10, 0.2)], [step(20, inf)], "p99")]

    stored = {"SQLite": {10: (500, 80_000)}}

    write(tmp_path, climbs, stored)

    text = document.read_text()
    assert text.startswith("Before\n<!-- growth: x -->\n")
    assert text.endswith("<!-- /growth -->\nAfter\n")
    assert "old" not in text
    assert "| SQLite | 1 | 10 | 100 | p99 |" in text
    printed = tables(climbs, stored)
    assert "| SQLite | 1 | 100 | 10.0 | 100 | 10 | 200 | 0.50 | 0.00 | 0.10 |" in printed
    assert "| SQLite | 1 | 10 | 100 | p99 |" in printed
    assert "| SQLite | 10 | 500 | 80,000 | 8,000 |" in printed
    drawn = etree.fromstring((tmp_path / "growth.svg").read_bytes())
    lines = drawn.findall(".//{*}polyline")
    assert [len(line.get("points").split()) for line in lines] == [2, 3, 1]  # for ever has no place
