"""What is promised to whoever puts the site on the internet, checked one by one: `make harden`.

A check is some tests, played on SQLite and on PostgreSQL, or on the one that they are about.
Add yours as a line of CHECKS. The last thing printed is a table of all with pass or fail.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PHONES = "tests/browser/test_reception.py"
PYTEST = [sys.executable, "-m", "pytest", "-q", "-n0", "--no-header"]
LONGEST = 1200  # seconds for one check
ON = ("sqlite", "postgresql")
ONCE = ("sqlite",)  # what asks for no database, or has one of its own


@dataclass(frozen=True)
class Check:
    """One promise, and the tests that hold the site to it, as pytest takes them."""

    what: str
    tests: str
    on: tuple[str, ...] = ON
    environment: Mapping[str, str] = field(default_factory=dict)


CHECKS = (
    Check("1 the image's steps, by hand, served", "tests/deploy/test_image.py", ONCE),
    Check("1 docker-compose.yml's promises", "tests/deploy/test_compose.py", ONCE),
    Check("1 Caddy: TLS, headers, sizes, streams", "tests/deploy/test_proxy.py", ONCE),
    Check("2 environment: strict, check --deploy", "tests/site/test_environment.py", ONCE),
    Check("2 policies and cookies on every answer", "tests/site/test_security_headers.py"),
    Check("2 sizes of what is sent", "tests/site/test_threads.py", ONCE),
    Check("2 rate limits, across processes", "tests/site/test_limits.py"),
    Check("3 healthz, readyz, metrics", "tests/site/test_health.py"),
    Check("3 logs: numbered, without a secret", "tests/site/test_logs.py"),
    Check("4 backup, restore, byte for byte", "tests/site/test_backups.py"),
    Check("4 upgrade from the first release", "tests/site/test_upgrading.py"),
    Check("5 every address, role and method", "tests/walls/test_methods.py"),
    Check("5 forged and replayed CSRF", "tests/walls/test_csrf.py"),
    Check("5 other tables' taps, ids guessed", "tests/walls/test_ids.py"),
    Check("5 links revoked in the middle of a game", "tests/walls/test_revoked.py"),
    Check("5 headers and paths", "tests/walls/test_headers.py"),
    Check("5 10,000 malformed requests", "tests/walls/test_fuzz.py -s", ON, {"FUZZ": "10000"}),
    Check("5 XML and JSON bombs", "tests/walls/test_bombs.py"),
    Check("5 stored text shown back", "tests/walls/test_stored_text.py"),
    Check("6 what is told when the database is away", "tests/faults/test_unavailable.py"),
    Check("6 PostgreSQL stopped in a game", "tests/faults/test_database_away.py -s", ONCE),
    Check("6 disk full on SQLite", "tests/faults/test_disk_full.py", ONCE),
    Check("6 clock jumping back", "tests/faults/test_clock.py"),
    Check("6 phones keep their taps", f"{PHONES} -k 'changed_meanwhile or database_is_away'", ONCE),
    Check("7 pages from a streaming replica", "tests/site/test_replica.py", ("postgresql",)),
    Check(
        "8 pins, hashes, licences, honest audit",
        "tests/deploy/test_pins.py tests/deploy/test_supply.py",
        ONCE,
    ),
)


def main() -> int:
    """Play all, print the table, and return 0 only if nothing failed."""
    rows = [[check.what, *(result(check, database) for database in ON)] for check in CHECKS]
    print("\n" + table([["what", *ON], *rows]))
    return int(any("FAIL" in row for row in rows))


def result(check: Check, database: str) -> str:
    """Return pass or FAIL; a dash where a check is not played on that database."""
    if database not in check.on:
        return "-"
    print(f"\n=== {check.what}, {database} ===", flush=True)
    environment = os.environ | {"CI": "true"}  # what is not there fails, and is not skipped
    environment |= check.environment
    environment |= {"TEST_DB": "postgres"} if database == "postgresql" else {}
    command = [*PYTEST, *shlex.split(check.tests)]
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
