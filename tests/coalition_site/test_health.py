"""What machines ask of the site: up, ready, and how it is doing."""

from typing import Any
from unittest.mock import Mock

import pytest
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.urls import reverse

from coalition_site.ops import health
from scoring.live.hub import Hub
from tests.scoring.rules.play import ANN, BO
from tests.scoring.tables import address, holder, set_up, tap_id, text

TOKEN = "the-token-of-who-measures"


def answer(name: str, **headers: str) -> tuple[int, str]:
    found = Client().get(reverse(name), headers=headers)
    return found.status_code, text(found)


def test_it_is_up_without_asking_the_database():
    assert answer("healthz") == (200, "The process answers.\n")


@pytest.mark.django_db
def test_it_is_ready_once_the_database_is_as_this_version_needs_it():
    assert answer("readyz") == (200, "Ready.\n")

    MigrationRecorder(connection).record_unapplied("decks", "0001_initial")

    missing = "Run manage.py migrate: 1 not applied, decks 0001_initial.\n"
    assert answer("readyz") == (503, missing)


@pytest.mark.django_db
def test_it_is_not_ready_while_the_database_is_away(monkeypatch):
    def away(*_: object) -> None:
        raise DatabaseError("connection refused to secret-host")

    monkeypatch.setattr(health, "MigrationRecorder", away)

    assert answer("readyz") == (503, f"{health.AWAY}\n")


@pytest.mark.parametrize("https", [False, True])
def test_machines_may_call_the_site_by_any_name_and_over_http(settings, https):
    settings.ALLOWED_HOSTS, settings.SECURE_SSL_REDIRECT = ["table.example.org"], https

    found = Client().get(reverse("healthz"), headers={"host": "10.0.0.7:8000"})

    assert found.status_code == 200
    assert "no-store" in found["Cache-Control"]
    assert found["Content-Security-Policy"]


@pytest.mark.parametrize("told", ["", "Bearer ", f"Basic {TOKEN}", TOKEN, "Bearer ключ"])
def test_figures_are_for_whoever_has_the_token_and_for_nobody_where_there_is_none(settings, told):
    settings.METRICS_TOKEN = TOKEN
    refusal = "Send the token: Authorization: Bearer …\n"
    assert answer("metrics", authorization=told) == (401, refusal)

    settings.METRICS_TOKEN = ""
    assert answer("metrics", authorization=told) == (404, "Nothing here.\n")


@pytest.fixture
def measured(db: None, settings: Any) -> Any:
    """By how much a figure has changed since the test began."""
    settings.METRICS_TOKEN = TOKEN

    def values() -> dict[str, float]:
        _, words = answer("metrics", authorization=f"Bearer {TOKEN}")
        lines = (line for line in words.splitlines() if not line.startswith("#"))
        return {name: float(value) for name, _, value in (one.rpartition(" ") for one in lines)}

    before = values()
    return lambda name: values().get(name, 0) - before.get(name, 0)


def test_requests_are_counted_by_view_and_status_and_timed(measured):
    table = set_up()
    for _ in range(2):
        Client().get(address(table, "watch"))
    Client().get(address(table, "score"))
    Client().get("/no-such-page/")

    assert measured('coalition_requests_total{status="200",view="watch"}') == 2
    assert measured('coalition_requests_total{status="403",view="score"}') == 1
    assert measured('coalition_requests_total{status="404",view="other"}') == 1
    assert measured('coalition_request_seconds_count{view="watch"}') == 2


def test_taps_are_counted_by_what_became_of_them(measured):
    table = set_up()
    client, hit = holder(table), {"source": ANN, "target": BO, "kind": "hero", "amount": 3}

    for number, (act, form) in enumerate([("hit", hit), ("hit", hit), ("undo", {"event": 9})]):
        client.post(address(table, act, 1), form | {"tap_id": tap_id(number)})

    assert measured('coalition_taps_total{outcome="recorded"}') == 2
    assert measured('coalition_taps_total{outcome="refused"}') == 1


def test_streams_are_counted_while_they_are_open(measured, monkeypatch):
    hub = Hub()
    monkeypatch.setattr("scoring.live.hub._hear", Mock())
    monkeypatch.setattr("scoring.live.hub.asyncio.create_task", Mock())

    with hub.listening("s1"), hub.listening("s2"):
        assert measured("coalition_streams_open") == 2
    assert measured("coalition_streams_open") == 0
