"""What is promised to whoever puts the site on the internet, checked one by one: `make harden`.

A check is some tests, played on SQLite and on PostgreSQL, or on the one that they are about.
Add yours as a line of CHECKS. At the end there is a table of all with pass, FAIL or skipped, and
why it was skipped: "pass" is only where each test ran.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
PHONES = "browser/test_reception.py"
PYTEST = [sys.executable, "-m", "pytest", "-q", "-n0", "--no-header"]
LONGEST = 3600  # seconds for one check
ON = ("sqlite", "postgresql")
ONCE = ("sqlite",)  # what asks for no database, or has one of its own


@dataclass(frozen=True)
class Check:
    """One promise, and the tests in this folder that hold the site to it."""

    what: str
    tests: str
    on: tuple[str, ...] = ON
    environment: Mapping[str, str] = field(default_factory=dict)


CHECKS = (
    Check("1 the image's steps, by hand, served", "deploy/test_image.py", ONCE),
    Check("1 docker-compose.yml's promises", "deploy/test_compose.py", ONCE),
    Check(
        "1 compose, run by a Docker engine",
        "engine/test_engine.py -rs -s",
        ONCE,
        {"WITH_ENGINE": "1"},
    ),
    Check("1 Caddy: TLS, headers, sizes, streams", "deploy/test_proxy.py", ONCE),
    Check("2 environment: strict, check --deploy", "coalition_site/test_environment.py", ONCE),
    Check("2 policies and cookies on every answer", "coalition_site/test_security_headers.py"),
    Check("2 sizes of what is sent", "coalition_site/test_threads.py", ONCE),
    Check("2 rate limits, across processes", "coalition_site/test_limits.py"),
    Check("3 healthz, readyz, metrics", "coalition_site/test_health.py"),
    Check("3 logs: numbered, without a secret", "coalition_site/test_logs.py"),
    Check("4 backup, restore, byte for byte", "coalition_site/test_backups.py"),
    Check("4 rotation and encryption, as documented", "deploy/test_backup_lines.py -rs", ONCE),
    Check("4 upgrade from the first release", "coalition_site/test_upgrading.py"),
    Check("5 every address, role and method", "security/test_methods.py"),
    Check("5 forged and replayed CSRF", "security/test_csrf.py"),
    Check("5 other tables' taps, ids guessed", "security/test_ids.py"),
    Check("5 links revoked in the middle of a game", "security/test_revoked.py"),
    Check("5 headers and paths", "security/test_headers.py"),
    Check("5 10,000 malformed requests", "security/test_fuzz.py -s", ON, {"FUZZ": "10000"}),
    Check("5 XML and JSON bombs", "security/test_bombs.py"),
    Check("5 stored text shown back", "security/test_stored_text.py"),
    Check("6 what is told when the database is away", "faults/test_unavailable.py"),
    Check("6 PostgreSQL stopped in a game", "faults/test_database_away.py -s", ONCE),
    Check("6 disk full on SQLite", "faults/test_disk_full.py", ONCE),
    Check("6 clock jumping back", "faults/test_clock.py"),
    Check("6 phones keep their taps", f"{PHONES} -k 'changed_meanwhile or database_is_away'", ONCE),
    Check(
        "8 pins, hashes, licences, honest audit",
        "deploy/test_supply.py",
        ONCE,
    ),
    Check("9 backups sign nobody in", "coalition_site/test_backups.py -k 'signs or sessions'"),
    Check("9 SQLite's files for their owner alone", "coalition_site/test_database_file.py", ONCE),
    Check("9 the service file, hardened", "deploy/test_service.py", ONCE),
    Check("9 seals: of one player, each with its own salt", "scoring/conspiracy/test_sealing.py"),
    Check(
        "9 imports: counted before read, one at a time",
        "security/test_bombs.py scoring/play/test_concurrency.py -k 'bomb or fill or brought'",
    ),
    Check("9 who neither sends nor reads is cut off", "coalition_site/test_connections.py", ONCE),
    Check("9 workers come back, and none outlives the first", "coalition_site/test_workers.py"),
    Check("9 four who don't read keep nobody waiting", "coalition_site/test_answers.py", ONCE),
    Check("9 streams: 30 an address, 2,000 in all", "coalition_site/test_streams.py"),
    Check("9 1,100 streams at 1,024 open files", "faults/test_open_files.py", ONCE),
    Check("9 headers by other names, bodies to streams", "coalition_site/test_door.py"),
    Check(
        "9 admin: editors see no playgroup's list, no deck",
        "decks/admin/test_access.py -k 'editor'",
    ),
    Check(
        "9 decks: saves limited, 20 kB, unused ones removed",
        "decks/test_unused_decks.py coalition_site/test_limits.py "
        "decks/views/test_check.py -k 'unused or saving_decks or can_not_be_kept'",
    ),
    Check(
        "9 accounts deleted in the admin hand over",
        "coalition_site/test_accounts.py -k deleted_in_the_admin",
    ),
    Check("9 texts: no non-character, no formula", "security/test_stored_text.py"),
    Check("9 Leveler's page names what its rules ban", "decks/bans/test_page.py -k rules"),
    Check(
        "9 decks: a page's cost has a bound",
        "decks/views/test_decks.py -k 'cost_the_page or number_of_queries'",
    ),
    Check("9 the record: not changed, replaced, emptied", "scoring/models/test_append_only.py"),
    Check(
        "9 the role that serves adds, and owns nothing",
        "coalition_site/test_roles.py",
        ("postgresql",),
    ),
    Check("9 taps: 1,200 a minute from one address", "coalition_site/test_limits.py -k tap"),
    Check("9 days and times at the calendar's ends", "scoring/groups/test_odd_days.py"),
    Check("9 whatever the rules take is read again", "scoring/rules/test_wellformed.py", ONCE),
    Check(
        "9 logs: 2,000 entries, 30 conspiracies",
        "scoring/rules/test_bounds.py scoring/play/test_bounds.py",
    ),
    Check("9 no page loads itself twice", "browser/test_reloads.py", ONCE),
    Check("9 looking leaves no row, 50 scorekeepers a set", "scoring/play/test_scorekeepers.py"),
    Check("9 kept boards: bounded in bytes", "scoring/views/test_boards.py"),
    Check(
        "9 signing out leaves no copy of a page",
        f"{PHONES} -k 'nobody_may_keep or signing_out'",
        ONCE,
    ),
    Check("9 the public page follows to the end", "scoring/views/test_watch.py"),
    Check("9 the board agrees with the sets", "scoring/results/test_leaving_early.py"),
    Check("9 each way of tampering is noticed", "scoring/play/test_tampering.py"),
    Check(
        "9 keys: closed after a day, and by a removal",
        "scoring/groups/test_access.py -k 'key_opens or quick_table_stays or removed'",
    ),
    Check("9 whole names only, no wildcard", "coalition_site/test_environment.py -k names", ONCE),
    Check("9 search engines: noindex but for public", "security/test_search_engines.py"),
    Check("9 a log's chain of hashes, its head in exports", "scoring/play/test_chain.py"),
)


@dataclass(frozen=True)
class Result:
    """How a check went: a cell of the table, and why tests of it were skipped."""

    cell: str
    reasons: frozenset[str] = frozenset()


def main() -> int:
    """Play all, print the table, and return 0 only if nothing failed."""
    results = {check.what: [result(check, database) for database in ON] for check in CHECKS}
    rows = [[what, *(each.cell for each in row)] for what, row in results.items()]
    print("\n" + table([["what", *ON], *rows]))
    for what, row in results.items():
        for reason in sorted(frozenset().union(*(each.reasons for each in row))):
            print(f"\nSKIPPED {what}\n  {reason}")
    return int(any("FAIL" in row for row in rows))


def result(check: Check, database: str) -> Result:
    """Play a check on a database; a dash where it is not played on that one."""
    if database not in check.on:
        return Result("-")
    print(f"\n=== {check.what}, {database} ===", flush=True)
    environment = os.environ | check.environment
    environment |= {"TEST_DB": "postgres"} if database == "postgresql" else {}
    words = shlex.split(check.tests)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [*PYTEST, f"--junit-xml={report}"]
        command += [str(Path("tests", word)) if "/" in word else word for word in words]
        try:
            done = subprocess.run(command, cwd=ROOT, env=environment, check=False, timeout=LONGEST)
        except subprocess.TimeoutExpired:
            return Result("FAIL")
        return Result("FAIL") if done.returncode else skipped_or_passed(report)


def skipped_or_passed(report: Path) -> Result:
    """Return how a check went of which no test failed, by pytest's report."""
    tests = ElementTree.parse(report).getroot().findall(".//testcase")
    skips = [skip for test in tests if (skip := test.find("skipped")) is not None]
    reasons = frozenset(skip.attrib["message"] for skip in skips)
    if len(skips) == len(tests):
        return Result("skipped", reasons)
    return Result(f"{len(skips)} of {len(tests)} skipped" if skips else "pass", reasons)


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
