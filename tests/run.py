"""Run the tests: `make test`, and with --harden all that it leaves out, before a release.

`make test` has all but the long tests: on SQLite, as many of them on PostgreSQL as `tests/cover.py`
chooses, and in a browser. `make harden` has the long ones, all that ask for a database on
PostgreSQL, and the compose file in a Docker engine. Both count at the end.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from tests.browser.chromium import find_chromium

ROOT = Path(__file__).resolve().parent.parent
BROWSER, ENGINE = "tests/browser", "tests/engine"
PHONES = f"{BROWSER}/test_following.py"  # what differs by database: who is told of changes
WITHOUT_BROWSER = [f"--ignore={BROWSER}", f"--ignore={ENGINE}"]
LOUD = "!" * 79
PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "tests.lengths"]
PARALLEL = ["-n", "auto", "--maxprocesses", "8", "--dist", "worksteal"]
LONGEST = 3600  # seconds for one run: a browser that hangs must not hang everything


def run_short() -> list[list[int]]:
    with tempfile.TemporaryDirectory() as folder:
        chosen = Path(folder) / "chosen.txt"
        short = [*PARALLEL, "-m", "not long"]
        choose = ["-p", "tests.cover", "--chosen", str(chosen)]
        runs = [run("SQLite", *short, *choose, *WITHOUT_BROWSER)]
        if chosen.exists():
            runs.append(run("PostgreSQL", *PARALLEL, f"@{chosen}", TEST_DB="postgres"))
    return runs + in_browser("not long") + in_browser("not long", PHONES, TEST_DB="postgres")


def run_long() -> list[list[int]]:
    database = [*PARALLEL, "-m", "database"]
    return [
        run("SQLite, long", *PARALLEL, "-m", "long", *WITHOUT_BROWSER),
        run("PostgreSQL, all", *database, *WITHOUT_BROWSER, TEST_DB="postgres"),
        *in_browser("long"),
        run("The compose file in a Docker engine", ENGINE, "-s", WITH_ENGINE="1"),
    ]


def in_browser(which: str, tests: str = BROWSER, **environment: str) -> list[list[int]]:
    """Run tests in a browser, if there is one; where all must run it is a failure if not."""
    if find_chromium():
        title = " ".join(["Browser", which, *environment.values()])
        return [run(title, *PARALLEL, "-m", which, tests, **environment)]
    print(f"\n{LOUD}\n!!! No Chromium found: THE BROWSER TESTS DID NOT RUN.\n{LOUD}")
    return [[0, int(os.environ.get("CI") == "true"), 0]]


def run(title: str, *options: str, **environment: str) -> list[int]:
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
    runs = run_long() if "--harden" in sys.argv[1:] else run_short()
    passed, failed, skipped = map(sum, zip(*runs, strict=True))
    print("\nCounted once for each database that they ran on, once where they ask for none:")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
