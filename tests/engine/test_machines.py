"""Two machines of the site, and a streaming replica, under load, each of them killed.

They are set up by the files of deploy/two-machines and the line of docs/growing.md, as two projects
in one engine. Each reaches the other by an address of this machine, as across a network.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import cycle

import pytest

from tests.bench.client import Connection
from tests.bench.listeners import Watching

from .conftest import SETTINGS
from .engine import ROOT, Installation, wait_until
from .load import Load, run
from .test_compose import AWAY, PYTHON, ask_database, kill

FILES = ROOT / "deploy/two-machines"
GROWING = (ROOT / "docs/growing.md").read_text()
SECOND = "coalition-of-tests-two"
SETTINGS_OF_BOTH = SETTINGS | {
    "COPIER_PASSWORD": "copies0what0is0written",
    "READER_PASSWORD": "reads0and0writes0nothing",
    "COALITION_WORKERS": "1",  # not 7, for which this machine is too small
    "COALITION_LIMITS": "0",
}
NETWORK_OF_SECOND = {"OUTSIDE_IPV4": "10.213.18.0/24", "OUTSIDE_IPV6": "fd00:c0a1:1810::/64"}
ADDRESSES = {"10.0.0.1": "10.213.17.1", "10.0.0.2": "10.213.18.1"}  # by those of the files
OVERRIDE = "docker-compose.override.yml"
RECORD = "SELECT count(*), md5(string_agg(hash::text, '' ORDER BY id)) FROM scoring_eventrow"
READS = "SELECT seq_scan + idx_scan FROM pg_stat_user_tables WHERE relname = 'scoring_gameset'"
TABLES, LONG, KILLS = 20, 20, 4  # LONG is in seconds
LISTENERS, CHANGES = 20, 20
METRICS = """
import sys
from urllib.request import Request, urlopen
token = {"Authorization": "Bearer " + sys.argv[1]}
print(urlopen(Request("http://127.0.0.1:8000/metrics", headers=token)).read().decode())
"""
MEMORY = "memory.peak memory/memory.max_usage_in_bytes"  # by the second and the first version


def written(name: str) -> str:
    """Return a file of deploy/two-machines, with addresses of this machine."""
    text = (FILES / name).read_text()
    for named, own in ADDRESSES.items():
        text = text.replace(named, own)
    return text


@dataclass
class Machines:
    """Two projects of the same site, and who is killed of them in turn."""

    one: Installation
    two: Installation

    def __post_init__(self) -> None:
        self.next = cycle([(self.two, "site"), (self.two, "database"), (self.one, "site")])
        self.load = Load(self.one, self.kill, self.wait)

    def kill(self) -> None:
        self.killed = next(self.next)
        self.restarts = self._restarts()
        kill(*self.killed)

    def wait(self) -> None:
        """Wait: the engine itself starts again what was killed. Then the other may be killed."""
        wait_until(lambda: self._restarts() > self.restarts)
        wait_until(lambda: self.one.is_healthy() and self.two.is_healthy())

    def _restarts(self) -> int:
        machine, service = self.killed
        return int(machine.ask(service, ".RestartCount"))


@pytest.fixture(scope="module")
def machines(installation: Installation) -> Iterator[Machines]:
    """Set both up, as whoever follows the document does."""
    one = replace(installation, more=(OVERRIDE,))
    two = replace(one, name=SECOND, lasting=("database", "site"))
    two.copy()
    two.fill_in(**SETTINGS_OF_BOTH, **NETWORK_OF_SECOND)
    one.fill_in(**SETTINGS_OF_BOTH)
    (one.folder / OVERRIDE).write_text(written("one.yml"))
    (two.folder / OVERRIDE).write_text(written("two.yml"))
    one.up()
    for statement in written("reader.sql").strip().split(";"):
        ask_database(one, statement)
    one.run_lines(written("roles.sh"))
    two.compose("down", "--volumes")
    [start] = re.findall(r"^    (docker compose up -d --no-deps .*)$", GROWING, re.MULTILINE)
    two.run_lines(start)
    wait_until(two.is_healthy)
    yield Machines(one, two)
    two.compose("down", "--volumes")
    installation.fill_in(**SETTINGS)
    installation.up()


def test_who_serves_does_not_know_the_password_of_who_copies(machines):
    for machine in (machines.one, machines.two):
        environment = machine.ask("site", "json .Config.Env")
        assert SETTINGS_OF_BOTH["READER_PASSWORD"] in environment
        assert SETTINGS_OF_BOTH["COPIER_PASSWORD"] not in environment


def ask_standby(machines: Machines, query: str) -> str:
    psql = ("psql", "-U", "coalition", "-tAc", query)
    return machines.two.compose("exec", "-T", "database", *psql)


def taps_taken_by(machine: Installation) -> int:
    """Return how many taps a site has recorded since it was started."""
    script = ("-c", METRICS, SETTINGS["COALITION_METRICS_TOKEN"])
    text = machine.compose("exec", "-T", "site", PYTHON, *script)
    [taken] = re.findall(r'^coalition_taps_total\{outcome="recorded"\} ([\d.]+)', text, re.M)
    return int(float(taken))


def test_no_tap_is_lost_or_doubled_while_machines_are_killed(machines):
    play = machines.load.play(TABLES, LONG, KILLS)

    assert {status for phone in play.phones for status in phone.broken} <= AWAY
    assert "0 wrong" in machines.one.manage("verify_ledger")


def test_who_watches_by_either_machine_sees_what_is_tapped_at_the_other(machines):
    load, both = machines.load, (machines.one, machines.two)
    watching = Watching(load.port, load.output_of("tables", "watched"), LISTENERS, CHANGES)
    before = [taps_taken_by(machine) for machine in both]

    run(watching.run())

    assert len(watching.signal_times()) == len(watching.board_times()) == LISTENERS * CHANGES
    taken = [taps_taken_by(machine) - was for machine, was in zip(both, before, strict=True)]
    assert sum(taken) == CHANGES
    assert all(taken)


def test_the_replica_has_the_same_record_and_is_read(machines):
    wait_until(lambda: ask_standby(machines, RECORD) == ask_database(machines.one, RECORD))

    assert ask_standby(machines, "SELECT pg_is_in_recovery()") == "t"
    code, _ = machines.load.output_of("tables", "watched")
    before = int(ask_standby(machines, READS))
    assert run(look_on(machines.load.port, f"/s/{code}/")) == 200
    wait_until(lambda: int(ask_standby(machines, READS)) > before)


async def look_on(port: int, path: str) -> int:
    """Open a page as a visitor who never wrote anything, and return the status."""
    visitor = Connection(port)
    status = (await visitor.fetch(path)).status
    visitor.drop()
    return status


def test_nobody_ran_out_of_memory_under_the_load_and_the_database_has_its_connections(machines):
    """The limits are those of docker-compose.yml; nobody came up to theirs."""
    ran = [(machines.one, name) for name in ("database", "site", "proxy")]
    ran += [(machines.two, name) for name in ("database", "site")]

    for machine, service in ran:
        limit = int(machine.ask(service, ".HostConfig.Memory"))
        peak = most_memory_of(machine, service)
        print(f"{machine.name} {service}: {peak >> 20} of {limit >> 20} MiB")
        assert 0 < peak < limit
        assert machine.ask(service, ".State.OOMKilled") == "false"
    assert ask_database(machines.one, "SHOW max_connections") == "200"


def most_memory_of(machine: Installation, service: str) -> int:
    """Return how many bytes a service had at most since it was started, as the kernel counts."""
    script = f"cd /sys/fs/cgroup && cat {MEMORY} 2>/dev/null"
    return int(machine.compose("exec", "-T", service, "sh", "-c", f"{script} || true"))
