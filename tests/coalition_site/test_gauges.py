"""What `/metrics` tells of this moment: backup, disk, database, queue; and what it leaves out."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.test import Client
from django.utils import timezone

from coalition_site.ops import gauges
from scoring.models import Webhook
from scoring.news import queue, webhooks
from tests.coalition_site.test_health import TOKEN
from tests.coalition_site.test_last_backup import checked, folder, write
from tests.scoring.grouped import group
from tests.scoring.tables import KEY, text

__all__ = ["folder"]
pytestmark = pytest.mark.django_db

QUERIES = {"sqlite": 3, "postgresql": 4}
OF_POSTGRESQL = {"coalition_database_connections", "coalition_database_connections_max"}
PARTS = ("age_seconds", "bytes", "checked", "check_age_seconds", "fault")
OF_BACKUP = {f"coalition_backup_{name}" for name in PARTS}
OF_DATABASE = {
    "coalition_database_bytes",
    "coalition_news_waiting",
    "coalition_news_oldest_seconds",
    "coalition_news_overdue_seconds",
    "coalition_webhooks_failing",
    "coalition_webhooks_off",
}


def values() -> dict[str, float]:
    """Return what is told, by name."""
    lines = gauges.text().decode().splitlines()
    pairs = (line.split() for line in lines if not line.startswith("#"))
    return {name: float(value) for name, value in pairs}


def test_all_that_is_known_is_told(folder):
    write(folder, "2026-11-22", 5, checked())
    webhooks.save(group("Thursday"), "json", "https://receiver.example/", site="x", key=KEY)
    Webhook.objects.update(failing_since=timezone.now() - timedelta(days=1))

    told = values()

    of_engine = {
        "sqlite": {"coalition_database_disk_free_ratio"},
        "postgresql": OF_POSTGRESQL,
    }[connection.vendor]
    others = {"coalition_database_up", "coalition_backups_disk_free_ratio"}
    assert set(told) == OF_BACKUP | OF_DATABASE | of_engine | others
    assert told["coalition_backup_age_seconds"] == pytest.approx(5 * 3600, abs=60)
    assert (told["coalition_backup_checked"], told["coalition_backup_fault"]) == (1, 0)
    assert 0 < told["coalition_backups_disk_free_ratio"] < 1
    assert told["coalition_database_bytes"] > 100_000
    assert (told["coalition_webhooks_failing"], told["coalition_webhooks_off"]) == (1, 0)
    if connection.vendor == "postgresql":
        used, most = (told[name] for name in sorted(OF_POSTGRESQL))
        assert 1 <= used <= most


def test_a_backup_without_a_check_or_with_a_fault_is_told_apart(folder):
    def told() -> tuple[float, float]:
        of = values()
        return of["coalition_backup_checked"], of["coalition_backup_fault"]

    write(folder, "2026-11-22", 5)
    assert told() == (0, 0)
    assert "coalition_backup_check_age_seconds" not in values()
    write(folder, "2026-11-22", 5, checked("2 logs are wrong."))
    assert told() == (1, 1)


@pytest.mark.parametrize("backups", ["", "/no/such/folder"])
def test_a_backup_that_nobody_knows_is_left_out(settings, backups):
    settings.BACKUPS = backups

    assert {name for name in values() if "backup" in name} == set()


def test_a_database_that_is_away_is_told_and_the_backup_still(folder, monkeypatch):
    write(folder, "2026-11-22", 5, checked())

    def away() -> None:
        raise DatabaseError("connection refused to secret-host")

    monkeypatch.setattr(queue, "waiting", away)

    told = values()

    assert told["coalition_database_up"] == 0
    assert set(told) > OF_BACKUP
    assert not OF_DATABASE & set(told)


def test_a_scrape_costs_few_queries(folder, settings: Any, django_assert_num_queries):
    settings.METRICS_TOKEN = TOKEN
    write(folder, "2026-11-22", 5, checked())

    with django_assert_num_queries(QUERIES[connection.vendor]):
        answer = Client().get("/metrics", headers={"authorization": f"Bearer {TOKEN}"})

    assert "coalition_backup_age_seconds 18" in text(answer)
    assert "coalition_news_total" in text(answer)
