"""What is promised to whoever puts the site on the internet, checked one by one: `make harden`.

A check is some tests, played on SQLite and on PostgreSQL, or once where they ask for no database.
Add yours as a line of CHECKS. The last thing printed is a table of all with pass or fail.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTEST = [sys.executable, "-m", "pytest", "-q", "-n0", "--no-header"]
LONGEST = 1200  # seconds for one check
ON = ("sqlite", "postgresql")


@dataclass(frozen=True)
class Check:
    """One promise, and the tests that hold the site to it, as pytest takes them."""

    what: str
    tests: str
    asks_the_database: bool = True


CHECKS = (
    Check("1 the image's steps, by hand, served", "tests/deploy/test_image.py", False),
    Check("1 docker-compose.yml's promises", "tests/deploy/test_compose.py", False),
    Check("1 Caddy: TLS, headers, sizes, streams", "tests/deploy/test_proxy.py", False),
    Check("2 environment: strict, check --deploy", "tests/site/test_environment.py", False),
    Check("2 policies and cookies on every answer", "tests/site/test_security_headers.py"),
    Check("2 sizes of what is sent", "tests/site/test_threads.py", False),
    Check("2 rate limits, across processes", "tests/site/test_limits.py"),
    Check("3 healthz, readyz, metrics", "tests/site/test_health.py"),
    Check("3 logs: numbered, without a secret", "tests/site/test_logs.py"),
    Check(
        "8 pins, hashes, licences, honest audit",
        "tests/deploy/test_pins.py tests/deploy/test_supply.py",
        False,
    ),
)


def main() -> int:
    """Play all, print the table, and return 0 only if nothing failed."""
    rows = [[check.what, *(result(check, database) for database in ON)] for check in CHECKS]
    print("\n" + table([["what", *ON], *rows]))
    return int(any("FAIL" in row for row in rows))


def result(check: Check, database: str) -> str:
    """Return pass or FAIL; a dash where a check that asks for no database was played already."""
    if not check.asks_the_database and database != ON[0]:
        return "-"
    print(f"\n=== {check.what}, {database} ===", flush=True)
    environment = os.environ | {"CI": "true"}  # what is not there fails, and is not skipped
    environment |= {"TEST_DB": "postgres"} if database == "postgresql" else {}
    command = [*PYTEST, *check.tests.split()]
    try:
        code = subprocess.run(
            command, cwd=ROOT, env=environment, check=False, timeout=LONGEST
        ).returncode
    except subprocess.TimeoutExpired:
        code = 1
    return "FAIL" if code else "pass"


def table(rows: list[list[str]]) -> str:
    """Return rows with their columns under each other.

    >>> print(table([["what", "sqlite"], ["a wall", "pass"]]))
    what   | sqlite
    a wall | pass
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


if __name__ == "__main__":
    sys.exit(main())
