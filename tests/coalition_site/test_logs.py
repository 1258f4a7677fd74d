"""What a log says: of which request, and no secret, nor what people typed."""

import errno
import io
import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, OperationalError
from django.test import Client
from django.urls import reverse

from coalition_site.ops import logs
from coalition_site.ops.logs import JsonLines, Lines, WithoutSecrets, clean
from scoring import access
from scoring.groups import settings as running
from scoring.groups.playgroups import create_playgroup
from tests.scoring.tables import KEY, address, holder, set_up, tap_id

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
def test_no_secret_is_ever_logged_nor_what_people_typed(db, monkeypatch, settings, formatter):
    """Neither when all secrets are walked, nor by a crash that quotes them."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

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
