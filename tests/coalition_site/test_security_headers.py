"""Nothing inline, nothing from elsewhere, and no form without its token: on every answer."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from scoring.models import GameSet
from scoring.record import commands
from scoring.rules.moves import Draw, PassTurn
from tests.scoring.browsing import Page
from tests.scoring.rules.play import ANN, BO, hit
from tests.scoring.tables import address, holder, record, set_up, tap_id, text
from tests.scoring.test_access import fill, patterns

pytestmark = pytest.mark.django_db

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
OTHER_POLICIES = {
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), "
    "midi=(), payment=(), publickey-credentials-get=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
HTMX = {"HX-Request": "true"}
OWN_FILES = ("/static/", "/manifest.webmanifest")


@pytest.fixture
def table() -> GameSet:
    table = set_up()
    record(table, hit(ANN, BO, 3), PassTurn())
    return table


def answers(table: GameSet) -> Iterator[HttpResponse]:
    client = holder(table, raise_request_exception=False)
    hit_form = {"tap_id": tap_id(1), "source": ANN, "target": BO, "kind": "hero", "amount": 1}
    yield client.get(reverse("home"))
    yield client.get(address(table, "export"))
    yield client.post(address(table, "hit", 1), hit_form, headers=HTMX)
    yield client.post(address(table, "hit", 1), hit_form)
    yield client.post(address(table, "hit", 1), {"typed": "x" * 800_000})
    yield Client().get(address(table, "score"))
    yield Client(enforce_csrf_checks=True).post(reverse("start"))
    yield client.get("/no-such-page/")
    yield client.get(reverse("home"), headers={"host": "evil.example"})
    yield client.put(reverse("home"))
    yield client.post(address(table, "hit", 1), {})
    yield client.get("/static/site.css")
    yield client.get("/static/no-such-file.css")
    with patch.object(commands, "record", side_effect=ZeroDivisionError):
        yield client.post(address(table, "turn", 1), {"tap_id": tap_id(1)})


def test_every_kind_of_answer_has_the_policy(table):
    kinds = []
    for answer in answers(table):
        assert answer.headers["Content-Security-Policy"] == POLICY
        assert {name: answer.headers[name] for name in OTHER_POLICIES} == OTHER_POLICIES
        kinds.append(answer.status_code)
        if answer.streaming:
            b"".join(answer)  # which closes the file

    assert kinds == [200, 200, 200, 302, 400, 403, 403, 404, 400, 405, 422, 200, 404, 500]


def pages(table: GameSet) -> Iterator[tuple[str, Page]]:
    for client in (holder(table), Client()):
        for pattern in patterns():
            answer = client.get(fill(pattern, table), {"player": ANN, "players": BO})
            if answer["Content-Type"].startswith("text/html") and answer.content:
                yield str(pattern.name), Page(text(answer))
    client = holder(table)
    yield "refusal", Page(text(client.post(address(table, "hit", 1))))
    yield "fragment", Page(text(client.get(address(table, "score"), headers=HTMX)))
    yield "not found", Page(text(client.get("/no-such-page/")))


@pytest.mark.parametrize("moment", ["before", "in-a-game", "between", "finished"])
def test_no_page_has_anything_inline(moment):
    table = set_up(first=None if moment == "before" else ANN)
    if moment != "before":
        record(table, hit(ANN, BO, 3), PassTurn())
    if moment in ("between", "finished"):
        record(table, Draw())
    if moment == "finished":
        commands.call_set(table)

    found = [
        (name, tag, attributes)
        for name, page in pages(table)
        for tag, attributes in page.tags
        if is_inline(tag, attributes)
    ]

    assert found == []


def is_inline(tag: str, attributes: dict[str, str | None]) -> bool:
    addresses = [attributes.get(name) or "" for name in ("href", "src", "action", "hx-post")]
    is_feed = attributes.get("rel") == "alternate"  # which is named, and not loaded
    return (
        tag in ("style", "iframe", "object", "embed", "base")
        or (tag == "script" and not (attributes.get("src") or "").startswith("/static/"))
        or (tag == "link" and not is_feed and not addresses[0].startswith(OWN_FILES))
        or any(
            name.startswith("on") or name in ("style", "hx-on", "hx-vals") for name in attributes
        )
        or any(one.startswith(("http", "//", "javascript:", "data:")) for one in addresses)
    )


@pytest.mark.parametrize("https", [False, True])
def test_cookies_have_their_flags(settings, https):
    """Over http, as at home on a phone's hotspot, a secure cookie would not come back."""
    settings.CSRF_COOKIE_SECURE = https
    client = Client()
    client.get(reverse("start"), secure=https)
    form = {"tap_id": tap_id(1), "name": ["Ann", "Bo"], "ruleset": "coalition-906"}
    client.post(reverse("start"), form, secure=https)
    client.post(reverse("choose_theme"), {"theme": "dark", "back": "/"}, secure=https)
    code = GameSet.objects.get().code
    tap = {"tap_id": tap_id(2), "roll": 1}
    client.post(reverse("start_game", args=[code, 1]), tap, secure=https)

    assert {
        name: (bool(cookie["httponly"]), bool(cookie["secure"]), cookie["samesite"])
        for name, cookie in client.cookies.items()
    } == {
        "csrftoken": (False, https, "Lax"),  # read when a tap that waited goes out
        f"key-{code}": (True, https, "Lax"),
        f"scorekeeper-{code}": (True, https, "Lax"),
        "theme": (False, False, "Lax"),
    }


def test_pages_of_a_table_are_not_stored_by_shared_caches(table):
    client = holder(table)
    for pattern in patterns():
        answer = client.get(fill(pattern, table))
        if answer.status_code == 200 and "code" in pattern.pattern.converters:
            assert "private" in answer["Cache-Control"], pattern.name
