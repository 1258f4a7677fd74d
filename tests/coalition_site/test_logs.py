"""What machines ask of the site, and what its log says: no secret, nor what people typed."""

import errno
import io
import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import Mock

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.urls import reverse

from coalition_site.ops import health, logs
from coalition_site.ops.logs import JsonLines, Lines, WithoutSecrets, clean
from scoring import access
from scoring.groups.settings import commands as running
from scoring.groups.settings.commands import create_playgroup
from scoring.live.hub import Hub
from tests.scoring.rules.play import ANN, BO
from tests.scoring.tables import KEY, address, holder, set_up, tap_id, text

EMAIL, PASSWORD, CARD = "ann@example.org", "three-taps-for-a-hit", "Llanowar Elves"
INVITED, TOKEN, DECK_KEY = "the-key-of-an-invitation", "the-token-of-a-mail", "the-key-of-a-deck"
SECRETS = (KEY, INVITED, TOKEN, DECK_KEY, EMAIL, PASSWORD, CARD, "Llanowar")


@contextmanager
def logged(formatter: logging.Formatter) -> Iterator[io.StringIO]:
    """Keep all that is logged meanwhile, down to the least."""
    kept = io.StringIO()
    handler = logging.StreamHandler(kept)
    handler.setFormatter(formatter)
    handler.addFilter(WithoutSecrets())
    root = logging.getLogger()
    loggers = [root, *map(logging.getLogger, list(root.manager.loggerDict))]
    levels = {one: one.level for one in loggers}
    root.addHandler(handler)
    for one in loggers:
        one.setLevel(logging.DEBUG)
    try:
        yield kept
    finally:
        root.removeHandler(handler)
        for one, level in levels.items():
            one.setLevel(level)


def walk() -> None:
    table, client = set_up(), Client(raise_request_exception=False)
    olga = User.objects.create_user("olga", EMAIL, PASSWORD)
    group = create_playgroup("Monday", olga, visibility="private", ruleset="coalition-906")
    running.invite(group, "member", 7, key=INVITED)
    for where in (
        address(table, "take_key", KEY),
        reverse("join", args=[INVITED]),
        reverse("password_reset_confirm", args=["MQ", TOKEN]),
        reverse("take_deck_key", args=["22222222", DECK_KEY]),
    ):
        for path in (where, where + "no-such-page/", where.rstrip("/"), where + f"?mail={EMAIL}"):
            client.get(path)
            client.post(path, {"x": "x" * 800_000})
            client.get(path, headers={"host": "evil.example"})
    client.get(reverse("finder"), {"name": CARD})
    client.post(reverse("check"), {"text": f"4 {CARD}", "tap_id": tap_id(1)})
    client.post(reverse("password_reset"), {"email": EMAIL})
    for name in (EMAIL, PASSWORD):
        client.post(reverse("login"), {"username": name, "password": PASSWORD})
    client.get(reverse("metrics"), headers={"authorization": f"Bearer {TOKEN}"})
    holder(table).get(address(table, "links"))


@pytest.mark.parametrize("formatter", [JsonLines, Lines])
def test_no_secret_is_ever_logged_nor_what_people_typed(db, monkeypatch, formatter):
    """Neither when all secrets are walked, nor by a crash that quotes them."""

    def crash(*args: object) -> None:
        try:
            raise DatabaseError(f"Key (email)=({EMAIL}) of {CARD} exists")
        except DatabaseError as error:
            raise ValueError(" ".join(SECRETS)) from error

    with logged(formatter()) as kept:
        walk()
        monkeypatch.setattr(access, "opens", crash)
        table = set_up(key="another-key")
        Client(raise_request_exception=False).get(address(table, "take_key", KEY))
    told = kept.getvalue()

    assert ("ValueError" in told, "DatabaseError" in told) == (True, True)
    assert [secret for secret in SECRETS if secret in told] == []


@pytest.mark.django_db
def test_each_line_is_a_document_with_the_number_of_its_request():
    with logged(JsonLines()) as kept:
        answer = Client().get(reverse("home"), headers={"x-request-id": "from-the-proxy-1"})
        Client().get("/no-such-page/", headers={"x-request-id": "from-the-proxy-2"})
    lines = [json.loads(line) for line in kept.getvalue().splitlines()]

    assert answer["X-Request-ID"] == "from-the-proxy-1"
    numbers = [line["request"] for line in lines]
    assert numbers == sorted(numbers)
    assert numbers.count("from-the-proxy-2") == 2  # Django's own word on it, too
    last = next(line for line in reversed(lines) if line["request"] == "from-the-proxy-1")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", last.pop("at"))
    assert last.pop("ms") >= 0
    assert last == {
        "level": "INFO",
        "logger": "coalition_site.middleware",
        "request": "from-the-proxy-1",
        "said": "GET home 200",
        "method": "GET",
        "view": "home",
        "status": 200,
    }


@pytest.mark.parametrize("given", ["", "short", "x" * 65, "with space", "ünüñünüñ"])
def test_a_number_that_is_none_is_replaced(given):
    answer = Client().get(reverse("healthz"), headers={"x-request-id": given})

    assert re.fullmatch("[0-9a-f]{32}", answer["X-Request-ID"])


def test_a_crash_says_where_and_of_what_kind(settings):
    settings.DEBUG = False
    record = logging.LogRecord("x", logging.ERROR, "x.py", 1, "Crash", (), None)
    try:
        raise OperationalError("no route to postgres://coalition:geheim@database")
    except OperationalError as error:
        record.exc_info = (type(error), error, error.__traceback__)
    told = json.loads(JsonLines().format(record))

    assert 'raise OperationalError("no route' in told["trace"]
    assert told["trace"].endswith("OperationalError: no route to postgres://-@database")


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("{'token': 'geheim'}", "{'token: -"),
        ("Cookie: sessionid=geheim", "Cookie: -"),
        ("/g/abc/hero/?name=Geheim&x=1 was slow", "/g/abc/hero/?- was slow"),
        ("Keys are fine, a monkey: too", "Keys are fine, a monkey: too"),
    ],
)
def test_what_looks_like_a_secret_is_left_out(said, kept):
    assert clean(said) == kept


def test_each_handler_of_the_log_leaves_secrets_out(settings):
    filters = [one["filters"] for one in settings.LOGGING["handlers"].values()]

    assert filters == [["without_secrets"]]


def test_some_lines_are_logged_once_a_minute(monkeypatch):
    now, once = [100.0], logs.OnceAMinute()
    monkeypatch.setattr(logs.time, "monotonic", lambda: now[0])

    def passes(name: str, line: str, code: int = 0) -> bool:
        found = (OSError, OSError(code, "said"), None) if code else None
        return once.filter(logging.LogRecord(name, 40, "", 1, line, (), found))

    for _ in range(2):
        assert [passes("asyncio", "accept()", errno.EMFILE) for _ in range(2)] == [True, False]
        assert [passes("asyncio", "accept()", errno.ECONNRESET) for _ in range(2)] == [True] * 2
        lines = ("a host", "a host", "a form")
        assert [passes("coalition_site.errors", line) for line in lines] == [True, False, True]
        now[0] += 60


# --- health and metrics ---
MEASURES = "the-token-of-who-measures"


def answer(name: str, **headers: str) -> tuple[int, str]:
    found = Client().get(reverse(name), headers=headers)
    return found.status_code, text(found)


@pytest.mark.django_db
def test_it_is_ready_while_the_database_is_there_and_as_this_version_needs_it(monkeypatch):
    assert answer("readyz") == (200, "Ready.\n")

    MigrationRecorder(connection).record_unapplied("decks", "0001_initial")
    missing = "Run manage.py migrate: 1 not applied, decks 0001_initial.\n"
    assert answer("readyz") == (503, missing)

    away = Mock(side_effect=DatabaseError("connection refused to secret-host"))
    monkeypatch.setattr(health, "MigrationRecorder", away)
    assert answer("readyz") == (503, f"{health.AWAY}\n")


@pytest.mark.parametrize("https", [False, True])
def test_machines_may_call_the_site_by_any_name_and_over_http(settings, https):
    """It is up without asking the database."""
    settings.ALLOWED_HOSTS, settings.SECURE_SSL_REDIRECT = ["table.example.org"], https

    found = Client().get(reverse("healthz"), headers={"host": "10.0.0.7:8000"})

    assert (found.status_code, text(found)) == (200, "The process answers.\n")
    assert "no-store" in found["Cache-Control"]
    assert found["Content-Security-Policy"]


@pytest.mark.parametrize("told", ["", "Bearer ", f"Basic {MEASURES}", MEASURES, "Bearer ключ"])
def test_figures_are_for_whoever_has_the_token_and_for_nobody_where_there_is_none(settings, told):
    settings.METRICS_TOKEN = MEASURES
    refusal = "Send the token: Authorization: Bearer …\n"
    assert answer("metrics", authorization=told) == (401, refusal)

    settings.METRICS_TOKEN = ""
    assert answer("metrics", authorization=told) == (404, "Nothing here.\n")


def test_requests_taps_and_open_streams_are_counted(db, settings, monkeypatch):
    settings.METRICS_TOKEN = MEASURES
    table = set_up()

    def values() -> dict[str, float]:
        _, words = answer("metrics", authorization=f"Bearer {MEASURES}")
        lines = (line for line in words.splitlines() if not line.startswith("#"))
        return {name: float(value) for name, _, value in (one.rpartition(" ") for one in lines)}

    before = values()
    for _ in range(2):
        Client().get(address(table, "watch"))
    Client().get(address(table, "score"))
    Client().get("/no-such-page/")
    client, hit = holder(table), {"source": ANN, "target": BO, "kind": "hero", "amount": 3}
    for number, (act, form) in enumerate([("hit", hit), ("hit", hit), ("undo", {"event": 9})]):
        client.post(address(table, act, 1), form | {"tap_id": tap_id(number)})
    hub = Hub()
    monkeypatch.setattr("scoring.live.hub._hear", Mock())
    monkeypatch.setattr("scoring.live.hub.asyncio.create_task", Mock())
    with hub.listening("s1", "here"), hub.listening("s2", "here"):
        after = values()

    counted = {
        'coalition_requests_total{status="200",view="watch"}': 2,
        'coalition_requests_total{status="403",view="score"}': 1,
        'coalition_requests_total{status="404",view="other"}': 1,
        'coalition_request_seconds_count{view="watch"}': 2,
        'coalition_taps_total{outcome="recorded"}': 2,
        'coalition_taps_total{outcome="refused"}': 1,
        "coalition_streams_open": 2,
    }
    assert {name: after[name] - before.get(name, 0) for name in counted} == counted
    assert values()["coalition_streams_open"] == before["coalition_streams_open"]
