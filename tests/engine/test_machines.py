"""Two machines of the site, and a streaming replica, under load, each of them killed."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Any

import pytest

from tests.bench.client import HTTPS, Connection
from tests.bench.listeners import Watching
from tests.bench.phones import Play

from .conftest import SETTINGS
from .engine import FILES, ROOT, Installation, wait_until
from .test_compose import ask_database, kill

MACHINES = """
services:
  standby:
    extends: { file: docker-compose.yml, service: database }
    volumes: ["standby:/var/lib/postgresql/data"]
    environment: { PGPASSWORD: copies-what-is-written }
    entrypoint: [bash, -c]
    command:
      - |
        chmod 700 "$$PGDATA"
        from="host=database user=copier application_name=standby"
        [ -s "$$PGDATA/PG_VERSION" ] || pg_basebackup --dbname="$$from" -D "$$PGDATA" -R -c fast
        exec postgres
    depends_on:
      database:
        condition: service_healthy
  site: &machine
    environment:
      COALITION_LIMITS: "0"
      COALITION_WORKERS: "1"
      COALITION_REPLICA_URL: postgres://reader:reads-and-writes-nothing@standby/coalition
  other:
    extends: { file: docker-compose.yml, service: site }
    <<: *machine
    ulimits: { nofile: ALLOWED }
  proxy:
    environment: { APP: "site:8000 other:8000" }

volumes:
  standby:
""".replace("ALLOWED", str(min(FILES, 65536)))
GROWING = ROOT / "docs/growing.md"
SITES = ("site", "other")
COPIER = "CREATE ROLE copier LOGIN REPLICATION PASSWORD 'copies-what-is-written'"
MAY_COPY = "echo host replication copier all scram-sha-256 >>$PGDATA/pg_hba.conf"
PASSWORD = "ALTER ROLE reader PASSWORD 'reads-and-writes-nothing'"
SETTINGS_OF_SITE = ("-e", "DJANGO_SETTINGS_MODULE=coalition_site.settings")
RECORD = "SELECT count(*), md5(string_agg(hash::text, '' ORDER BY id)) FROM scoring_eventrow"
READS = "SELECT seq_scan + idx_scan FROM pg_stat_user_tables WHERE relname = 'scoring_gameset'"
TABLES, EVERY, LONG, KILLS = 20, 1, 20, 4  # tables, and seconds
LISTENERS, CHANGES = 20, 20
METRICS = """
import sys
from urllib.request import Request, urlopen
token = {"Authorization": "Bearer " + sys.argv[1]}
print(urlopen(Request("http://127.0.0.1:8000/metrics", headers=token)).read().decode())
"""
AWAY = {502, 503}  # what the proxy answers while a site is killed that has a request


@dataclass
class Machines:
    """What the phones of the benchmark ask of a server: here several behind a proxy."""

    installation: Installation
    port: int = HTTPS

    def __post_init__(self) -> None:
        self.next = cycle(("other", "standby", "site"))

    def kill(self) -> None:
        self.killed = next(self.next)
        self.restarts = self._restarts()
        kill(self.installation, self.killed)

    def start(self) -> None:
        """Wait: the engine itself starts again what was killed."""
        wait_until(lambda: self._restarts() > self.restarts)

    def _restarts(self) -> int:
        return int(self.installation.ask(self.killed, ".RestartCount"))

    def output_of(self, script: str, *arguments: str) -> Any:
        """Return the JSON that a script of the benchmark prints of the database."""
        tests = f"/srv/{self.installation.name}/tests:/app/site/tests:ro"
        run = ("run", "--rm", "-T", "--no-deps", "-v", tests, *SETTINGS_OF_SITE, "site")
        python = ("/app/venv/bin/python", "-m", f"tests.bench.{script}", *arguments)
        return json.loads(self.installation.compose(*run, *python).splitlines()[-1])


@pytest.fixture(scope="module")
def machines(installation: Installation) -> Iterator[Machines]:
    """Start a second site, and a replica of whose database both read."""
    ask_database(installation, COPIER)
    installation.compose("exec", "-T", "database", "sh", "-c", MAY_COPY)
    ask_database(installation, "SELECT pg_reload_conf()")
    for statement in _documented().split(";"):
        ask_database(installation, statement)
    ask_database(installation, PASSWORD)
    (installation.folder / "machines.yml").write_text(MACHINES)
    made = replace(installation, more=("machines.yml",))
    made.engine.docker("volume", "rm", "-f", "coalition_standby")
    made.up()
    yield Machines(made)
    made.compose("rm", "-s", "-f", "other", "standby")
    installation.up()


def _documented() -> str:
    """Return the statements by which docs/growing.md makes the reader of a replica."""
    [block] = re.findall(r"```sql\n(CREATE ROLE reader.*?;)\s*```", GROWING.read_text(), re.S)
    return str(block)


def ask_standby(machines: Machines, query: str) -> str:
    psql = ("psql", "-U", "coalition", "-d", "coalition", "-tAc", query)
    return machines.installation.compose("exec", "-T", "standby", *psql)


def taps_taken_by(machines: Machines, site: str) -> int:
    """Return how many taps a site has recorded since it was started."""
    text = machines.installation.compose(
        "exec",
        "-T",
        site,
        "/app/venv/bin/python",
        "-c",
        METRICS,
        SETTINGS["COALITION_METRICS_TOKEN"],
    )
    [taken] = re.findall(r'^coalition_taps_total\{outcome="recorded"\} ([\d.]+)', text, re.M)
    return int(float(taken))


def test_no_tap_is_lost_or_doubled_while_machines_are_killed(machines):
    tables = machines.output_of("tables", "played", str(TABLES))
    play = Play(machines, tables, EVERY, LONG, KILLS)

    run(play.run())

    whole = sorted(tap.whole for tap in play.taps)
    again, median, longest = (
        sum(tap.tries > 1 for tap in play.taps),
        whole[len(whole) // 2],
        whole[-1],
    )
    print(f"{len(whole)} taps, {again} sent again; answered in {median:.3f} s, or {longest:.1f} s")
    assert sum(tap.status == 200 for tap in play.taps) > TABLES * LONG / 2
    assert [play.missing, play.doubled, play.altered, play.refused_but_there] == [[], [], [], []]
    assert [play.unknown, [tap for tap in play.taps if not tap.status]] == [[], []]
    assert {status for phone in play.phones for status in phone.broken} <= AWAY
    assert "0 wrong" in machines.installation.manage("verify_ledger")


def test_who_watches_by_either_machine_sees_what_is_tapped_at_the_other(machines):
    watching = Watching(machines.port, machines.output_of("tables", "watched"), LISTENERS, CHANGES)
    before = [taps_taken_by(machines, site) for site in SITES]

    run(watching.run())

    assert len(watching.signal_times()) == len(watching.board_times()) == LISTENERS * CHANGES
    taken = [taps_taken_by(machines, site) - was for site, was in zip(SITES, before, strict=True)]
    assert sum(taken) == CHANGES
    assert all(taken)


def test_the_replica_has_the_same_record_and_is_read(machines):
    wait_until(lambda: ask_standby(machines, RECORD) == ask_database(machines.installation, RECORD))

    assert ask_standby(machines, "SELECT pg_is_in_recovery()") == "t"
    code, _ = machines.output_of("tables", "watched")
    before = int(ask_standby(machines, READS))
    assert run(look_on(machines.port, f"/s/{code}/")) == 200
    wait_until(lambda: int(ask_standby(machines, READS)) > before)


async def look_on(port: int, path: str) -> int:
    """Open a page as a visitor who never wrote anything, and return the status."""
    visitor = Connection(port)
    status = (await visitor.fetch(path)).status
    visitor.drop()
    return status


def run(main: Coroutine[Any, Any, Any]) -> Any:
    """Run it in a thread of its own: browsers of other tests keep a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, main).result()
