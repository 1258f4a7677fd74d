"""What the page of the site's state shows."""

from __future__ import annotations

import platform
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import time
from typing import Any, ClassVar, cast

import django
from django.conf import settings
from django.db import connection

from scoring.news import queue

from .. import VERSION
from ..lib import durations, metrics
from ..lib.durations import Taken
from ..lib.pages import Page
from ..lib.units import amount, milliseconds, size, span
from ..ops import health, sizes
from ..ops.backups import BackupRefused
from ..ops.last_backup import LastBackup, last_backup

MOST = 10  # rows of a list
BUILT = "staticfiles.json"  # written by collectstatic, the last step of each build


@dataclass(frozen=True)
class Fact:
    """A figure or a time with its name, and what belongs to it."""

    name: str
    value: str = ""
    at: datetime | None = None
    note: str = ""


@dataclass(kw_only=True)
class StatePage(Page):
    """How the site is, as the database and the processes of this machine know it. Eight queries.

    ``no_backup`` is why no backup is known. ``late`` is how long the sender of news is late.
    """

    template: ClassVar[str] = "staff/state.html"
    versions: Sequence[Fact] = field(init=False)
    applied: int = field(init=False)
    missing: Sequence[str] = field(init=False)
    backup: LastBackup | None = None
    backup_facts: Sequence[Fact] = ()
    no_backup: str = ""
    news: Sequence[Fact] = field(init=False)
    late: str = ""
    size: str = field(init=False)
    tables: Sequence[Fact] = field(init=False)
    growth: Sequence[Fact] = field(init=False)
    days: str = field(init=False)
    slowest: Sequence[Fact] = field(init=False)

    def __post_init__(self) -> None:
        self.versions = versions()
        self.missing = health.missing_migrations()
        self.applied = health.needed_migrations()
        self._set_backup()
        self._set_news()
        self._set_sizes()
        taken = durations.current().taken()
        slowest = sorted(taken, key=lambda view: view.p95, reverse=True)[:MOST]
        self.slowest = [of_view(view) for view in slowest]

    def _set_backup(self) -> None:
        try:
            self.backup = last_backup()
        except BackupRefused as refused:
            self.no_backup = str(refused)
        else:
            self.backup_facts = of_backup(self.backup)

    def _set_news(self) -> None:
        waiting, failing = queue.waiting(), queue.failing()
        self.late = span(waiting.overdue) if waiting.overdue > queue.LATE else ""
        self.news = [
            Fact("Waiting", amount(waiting.count, "delivery", "deliveries")),
            Fact("Oldest waits for", span(waiting.oldest) if waiting.count else "–"),
            Fact("Failing", amount(failing.count, "webhook")),
            Fact("Fails for", span(failing.longest) if failing.count else "–"),
            Fact("Switched off", amount(failing.switched_off, "webhook")),
        ]

    def _set_sizes(self) -> None:
        tables = sizes.tables()
        self.size = size(sizes.database_bytes())
        self.tables = [Fact(table.name, size(table.bytes)) for table in tables[:MOST]]
        growth = sizes.growth()
        self.growth, self.days = of_growth(growth, tables), amount(growth.days, "day")


def versions() -> list[Fact]:
    """Return what runs, and since when."""
    running = metrics.running
    facts = [
        Fact("Site", VERSION),
        Fact("Python", platform.python_version()),
        Fact("Django", django.get_version()),
        Fact(connection.display_name, database_version()),
        Fact("Workers", str(running.workers)),
        _since("Runs since", running.site),
        _since("This worker since", running.process),
    ]
    built = Path(settings.STATIC_ROOT or "", BUILT)
    return [*facts, _since("Built", built.stat().st_mtime)] if built.exists() else facts


def _since(name: str, began: float) -> Fact:
    return Fact(name, at=datetime.fromtimestamp(began, UTC), note=span(time() - began))


def database_version() -> str:
    """Return the version of the database's server, or of SQLite."""
    if connection.vendor == "sqlite":
        return sqlite3.sqlite_version
    return ".".join(map(str, divmod(cast(Any, connection).pg_version, 10_000)))


def of_backup(backup: LastBackup) -> list[Fact]:
    """Return what is known of a backup."""
    facts = [
        Fact("File", backup.name),
        Fact("Written", at=backup.written, note=f"{span(backup.age.total_seconds())} ago"),
        Fact("Contains", f"{backup.sets:,} sets, {backup.events:,} events"),
        Fact("Size", size(backup.bytes)),
    ]
    if backup.checked is None:
        return [*facts, Fact("Checked", "not yet")]
    return [*facts, Fact("Checked", at=backup.checked, note=f"took {span(backup.took)}")]


def of_view(taken: Taken) -> Fact:
    """Return how long the answers of a view took."""
    half, longest = milliseconds(taken.median), milliseconds(taken.longest)
    note = f"median {half}, longest {longest}, {amount(taken.count, 'answer')}"
    return Fact(taken.view, milliseconds(taken.p95), note=note)


def of_growth(growth: sizes.Growth, tables: Sequence[sizes.Table]) -> list[Fact]:
    """Return what was played, and what a year brings if it goes on so."""
    facts = []
    for name, played in (("Sets", growth.sets), ("Events", growth.events)):
        note = f"{played.month:,} in 30 days, {played.week:,} in 7 days"
        facts.append(Fact(name, f"{played.total:,}", note=note))
        facts.append(Fact(f"{name} a year, at this rate", f"{growth.a_year(played):,}"))
    if not tables:
        return facts
    return [*facts, Fact("Bytes a year, at this rate", size(growth.bytes_a_year(tables)))]
