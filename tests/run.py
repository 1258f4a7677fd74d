"""Run every test: on SQLite, on a real PostgreSQL, and in a browser where there is one.

What asks for no database can't reach one, so it runs once, on SQLite; so do cases that only repeat
the queries of their siblings. The last line counts all.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from tests.browser.chromium import find_chromium

ROOT = Path(__file__).resolve().parent.parent
ON_POSTGRESQL = "PostgreSQL: what asks for a database; the rest can't reach one and ran above"
# What is repeated has siblings here that send the same queries.
QUERYING = "database and not browser and not repeated"
LOUD = "!" * 79
PYTEST = [sys.executable, "-m", "pytest", "-q", "-n", "auto", "--maxprocesses", "8"]
PYTEST += ["--dist", "worksteal"]
PHONES = "tests/browser/test_reception.py"  # what differs by database: who is told of changes
LONGEST = 1800  # seconds for one run: a browser that hangs must not hang everything


def run(title: str, *options: str, **environment: str) -> list[int]:
    """Run pytest once and return how many passed, failed and were skipped."""
    print(f"\n=== {title} ===", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [*PYTEST, f"--junit-xml={report}", *options]
        # What one run compiles, the next ones read, as do the sites that tests start.
        environment = os.environ | {"PYTHONDONTWRITEBYTECODE": ""} | environment
        try:
            code = subprocess.run(
                command, cwd=ROOT, env=environment, check=False, timeout=LONGEST
            ).returncode
        except subprocess.TimeoutExpired:
            print(f"{title}: not done after {LONGEST} seconds", flush=True)
        if not report.exists():
            return [0, 1, 0]
        suite = ElementTree.parse(report).getroot()[0].attrib
    failed, skipped = int(suite["failures"]) + int(suite["errors"]), int(suite["skipped"])
    return [int(suite["tests"]) - failed - skipped, failed or int(code != 0), skipped]


def main() -> int:
    """Run all, print the sum, and return 0 only if nothing failed."""
    runs = [
        run("SQLite", "-m", "not browser"),
        run(ON_POSTGRESQL, "-m", QUERYING, TEST_DB="postgres"),
    ]
    if find_chromium():
        runs.append(run("Browser", "-m", "browser", "tests/browser"))
        runs.append(run("Browser, many phones, on PostgreSQL", PHONES, TEST_DB="postgres"))
    else:
        print(f"\n{LOUD}\n!!! No Chromium found: THE BROWSER TESTS DID NOT RUN.\n{LOUD}")
        runs.append([0, int(os.environ.get("CI") == "true"), 0])
    passed, failed, skipped = map(sum, zip(*runs, strict=True))
    print("\nCounted once for each database that they ran on, once where they ask for none:")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
