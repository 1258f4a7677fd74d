"""Measure pictures to share: their time, the renderer's memory, and this process's growth.

    python -m tests.bench.pictures

Works on the database of DATABASE_URL, migrated; prints its rows as JSON: the largest of each kind
beside what it may be.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from statistics import median

import django

django.setup()

from scoring.groups import leaderboard, pictures, season_rows, statistics  # noqa: E402
from scoring.groups.playgroups import create_playgroup  # noqa: E402
from scoring.groups.settings import add_season  # noqa: E402
from scoring.models import Playgroup  # noqa: E402
from scoring.pictures import drawing, fonts, renderer, rendering  # noqa: E402
from scoring.pictures.picture import Subject  # noqa: E402
from scoring.pictures.sets import of_set  # noqa: E402
from scoring.play import queries  # noqa: E402
from scoring.rules.formats import COALITION_906  # noqa: E402
from tests.bench.rows import Row  # noqa: E402
from tests.scoring.grouped import play  # noqa: E402

TIMES, MANY = 20, 200
MILLISECONDS, MEGABYTES, GROWTH = 150, 60, 5
DAY = date(2026, 4, 3)
NAMES = ["Ann", "Maximiliane Wilhelmina von Hohenlohe", "محمد عبد الله", "王小明", "🐉 Dragon"]
# Runs the renderer, and prints the most memory that it had.
PEAK = """
import re, runpy, sys
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1], file=sys.stderr)
"""


def group() -> Playgroup:
    """Make a playgroup of ten sets at tables of five."""
    made = create_playgroup("Bench", None, visibility="public", ruleset=COALITION_906.key)
    for at in range(10):
        points = {name: (3 + seat, 2 * seat, at) for seat, name in enumerate(NAMES)}
        play(made, DAY + timedelta(days=at), points)
    return made


def subjects(of: Playgroup) -> dict[str, Callable[[], Subject]]:
    """Return what has a picture, each read from the database when it is called."""
    table, player = of.sets.first(), of.players.first()
    season = add_season(of, "Spring", DAY, DAY + timedelta(days=60))

    def of_season() -> Subject:
        board = leaderboard.board(of, season_rows.wanted(season, of.format))
        rows = season_rows.rows_now(season, of.format, board.rows)
        return pictures.of_season(season, of.format, rows, rows)

    def of_player() -> Subject:
        found = statistics.find_player(of, player.pk, None)
        row = statistics.sums_by_format(found)[of.format]
        row.form = statistics.course(player, of.format)[0]
        return pictures.of_player(of, player, row, of.format)

    return {
        "set": lambda: of_set(table, queries.games(table), of),
        "season": of_season,
        "player": of_player,
    }


def milliseconds(subject: Callable[[], Subject], times: int) -> float:
    """Return the typical time of a picture, from the database to PNG."""
    taken = []
    for _ in range(times):
        begin = time.perf_counter()
        rendering.png(drawing.svg(subject().draw()))
        taken.append((time.perf_counter() - begin) * 1000)
    return median(taken)


def peak(svg: str) -> float:
    """Return the most memory that the renderer has for a picture, in MB."""
    command = [sys.executable, "-I", "-S", "-c", PEAK, renderer.__file__, str(rendering.PACKAGES)]
    done = subprocess.run(
        [*command, *fonts.files()], input=svg.encode(), capture_output=True, check=True
    )
    return int(done.stderr) / 1000


def memory() -> float:
    """Return the memory that this process has now, in MB."""
    resident = re.search(r"VmRSS:\s+(\d+)", Path("/proc/self/status").read_text())
    assert resident
    return int(resident[1]) / 1000


def main() -> None:
    drawn = subjects(group())
    for subject in drawn.values():
        milliseconds(subject, 2)
    rows: list[Row] = [
        (f"picture of a {name}, ms", milliseconds(subject, TIMES), MILLISECONDS, "1.0")
        for name, subject in drawn.items()
    ]
    largest = max(peak(drawing.svg(subject().draw())) for subject in drawn.values())
    rows.append(("memory of the renderer, MB", largest, MEGABYTES, "1.0"))
    before = memory()
    milliseconds(drawn["set"], MANY)
    rows.append((f"growth over {MANY} pictures, MB", memory() - before, GROWTH, "1.0"))
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
