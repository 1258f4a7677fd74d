"""The seams of the benchmarks: what they read, count and compare. Their times are not tested."""

import asyncio
import os
import re
import sqlite3
import subprocess
import sys
from uuid import uuid4

from tests.bench.client import Answer, Connection
from tests.bench.scorekeeper import Scorekeeper
from tests.bench.server import ROOT, Floor, cpu_seconds, running
from tests.scoring.tables import KEY, address, holder, set_up

IMPORT = re.compile(r"^(?:from|import) ([\w.]+)", re.M)
BURN = "import time\nwhile time.process_time() < 0.3: pass\n"
BURN_TWICE = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {BURN!r}])\n{BURN}"


def test_processor_time_counts_children_while_they_live_and_when_they_have_ended():
    script = f"{BURN_TWICE}\nprint('burnt', flush=True)\ninput()"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", script], text=True, **pipes) as process:
        process.stdout.readline()
        alone, with_us = cpu_seconds(process.pid), cpu_seconds(os.getpid())
        process.communicate("\n")

    assert alone >= 0.58  # two of 0.3 each, read in hundredths
    assert with_us >= alone


def test_the_floor_inserts_a_row(tmp_path):
    tap, floor = {"tap_id": uuid4(), "amount": 1}, Floor(f"sqlite:///{tmp_path / 'floor.sqlite3'}")

    async def ask() -> Answer:
        connection = Connection(floor.port)
        answer = await connection.fetch("/insert/", tap)
        connection.drop()
        return answer

    with running(floor):
        answer = asyncio.run(ask())

    assert (answer.status, answer.text) == (200, "recorded")
    with sqlite3.connect(tmp_path / "floor.sqlite3") as connection:
        rows = connection.execute("SELECT tap_id, entry FROM floor").fetchall()
    assert rows == [(str(tap["tap_id"]), "1")]


def test_the_floor_imports_nothing_of_ours():
    imported = set(IMPORT.findall((ROOT / "tests/bench/floor.py").read_text()))

    assert imported == {
        *("sys", "a2wsgi", "dj_database_url", "uvicorn"),
        *("django.conf", "django.core.wsgi", "django.db", "django.http", "django.urls"),
    }


def test_a_phone_of_the_benchmarks_says_which_pad_it_shows_as_a_real_one_does(db):
    table = set_up()
    browser, phone = holder(table), Scorekeeper(0, (table.code, KEY), "")
    phone.read(Answer(200, {}, [], browser.get(address(table, "score")).content))

    answer = browser.post(
        address(table, "hit", 1), phone.hit_form(), headers={"HX-Request": "true"}
    )

    assert phone.pad == {"pad": "1-1-.12"}
    assert (answer.status_code, answer["HX-Reswap"]) == (200, "none")
