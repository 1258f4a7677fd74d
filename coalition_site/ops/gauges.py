"""What `/metrics` tells of this moment, which no process counts: queue, backup, database, disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import disk_usage

from django.conf import settings
from django.db import Error, connection
from django.utils import timezone

from scoring.news import queue

from ..lib.metrics import Momentary
from .backups import BackupRefused
from .last_backup import last_backup
from .sizes import database_bytes

Value = tuple[str, str, float]
CONNECTIONS = """
SELECT sum(numbackends), current_setting('max_connections')::int FROM pg_stat_database
"""


def text() -> bytes:
    """Return them as Prometheus reads them: what is unknown is left out. Four queries at most."""
    return Momentary(*_of_backup(), *_of_disks(), *_of_database()).text()


def _of_backup() -> Iterator[Value]:
    try:
        backup = last_backup()
    except BackupRefused:
        return
    age = backup.age.total_seconds()
    yield "coalition_backup_age_seconds", "Seconds since the last backup was begun", age
    yield "coalition_backup_bytes", "Bytes of the last backup", backup.bytes
    yield "coalition_backup_checked", "1 if the last backup was checked", bool(backup.checked)
    if backup.checked:
        since = (timezone.now() - backup.checked).total_seconds()
        yield "coalition_backup_check_age_seconds", "Seconds since that check", since
    yield "coalition_backup_fault", "1 if that check found a fault", bool(backup.fault)


def _of_disks() -> Iterator[Value]:
    is_file = connection.vendor == "sqlite"
    folders = {
        "backups": settings.BACKUPS,
        "database": str(Path(connection.settings_dict["NAME"]).parent) if is_file else "",
    }
    for of, folder in folders.items():
        if folder and Path(folder).is_dir():
            disk, what = disk_usage(folder), f"Free part of the disk with the {of}, from 0 to 1"
            yield f"coalition_{of}_disk_free_ratio", what, disk.free / disk.total


def _of_database() -> Iterator[Value]:
    is_up = "coalition_database_up", "1 if the database answers"
    try:
        waiting, failing, size = queue.waiting(), queue.failing(), database_bytes()
        connections = list(_of_connections())
    except Error:
        yield *is_up, 0
        return
    yield *is_up, 1
    yield "coalition_database_bytes", "Bytes of the database", size
    yield from connections
    yield "coalition_news_waiting", "News that wait to be sent", waiting.count
    yield "coalition_news_oldest_seconds", "Seconds since the oldest was queued", waiting.oldest
    yield (
        "coalition_news_overdue_seconds",
        "Seconds by which the next try is overdue: the process that sends is stuck",
        waiting.overdue,
    )
    yield "coalition_webhooks_failing", "Webhooks whose last delivery failed", failing.count
    yield "coalition_webhooks_off", "Webhooks that were switched off", failing.switched_off


def _of_connections() -> Iterator[Value]:
    """Yield how many connections the server of a PostgreSQL has; any role may ask."""
    if connection.vendor == "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute(CONNECTIONS)
        used, most = cursor.fetchone()
    yield "coalition_database_connections", "Connections to the database's server", float(used)
    yield "coalition_database_connections_max", "Connections that it allows", most
