"""The primary is lost and its replica takes its place, as docs/growing.md says: two PostgreSQLs."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, connections

from coalition_site.ops.replica import REPLICA
from scoring.models import EventRow, GameSet
from scoring.play import commands
from tests.elsewhere import on_database
from tests.scoring.rules.play import ANN, BO, hit
from tests.scoring.tables import set_up, tap_id

from .test_replica import PATIENCE, _migrated, pytestmark, servers

__all__ = ["_migrated", "pytestmark", "servers"]
FOLLOWS = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
WAITS = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"


def ask(query: str, alias: str = "default") -> Any:
    with connections[alias].cursor() as cursor:
        cursor.execute(query)
        return cursor.fetchone()[0] if cursor.description else None


def wait_until(is_so: Callable[[], object]) -> None:
    until = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < until, "it did not come"
        time.sleep(0.01)


def tap(table: GameSet, number: int) -> None:
    commands.record(table, 1, hit(ANN, BO, 1), tap_id=tap_id(number))


def tap_elsewhere(table: GameSet, number: int) -> Thread:
    """Tap by another connection."""

    def act() -> None:
        tap(table, number)
        connection.close()

    thread = Thread(target=act)
    thread.start()
    return thread


def kill_primary() -> None:
    pid = int((Path(ask("SHOW data_directory")) / "postmaster.pid").read_text().split()[0])
    connection.close()
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not Path(f"/proc/{pid}").exists())


@pytest.mark.usefixtures("_migrated")
def test_no_acknowledged_tap_is_lost_if_commits_wait_for_the_replica(servers):
    _, standby = servers
    table = set_up(3, key=None)
    ask("ALTER SYSTEM SET synchronous_standby_names = '*'")
    ask("SELECT pg_reload_conf()")
    wait_until(lambda: ask(FOLLOWS))
    tap(table, 1)

    receiver = ask("SELECT pid FROM pg_stat_wal_receiver", REPLICA)
    os.kill(receiver, signal.SIGSTOP)
    late = tap_elsewhere(table, 2)
    wait_until(lambda: ask(WAITS))
    os.kill(receiver, signal.SIGCONT)
    late.join(PATIENCE)
    kill_primary()
    standby.run("pg_ctl", "-w", "promote")

    with on_database(OPTIONS={"host": str(standby.folder)}):
        assert EventRow.objects.filter(game_set=table).exclude(tap_id=None).count() == 2
        tap(GameSet.objects.get(pk=table.pk), 3)
        call_command("verify_ledger")
        assert EventRow.objects.filter(game_set=table).exclude(tap_id=None).count() == 3
