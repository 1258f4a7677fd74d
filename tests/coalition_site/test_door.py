"""What comes in over a socket, before Django sees it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from coalition_site.asgi import ONLY_ASK, application
from tests.security.raw import send
from tests.serving import serving

WRONG = b"username=Ann&password=a-wrong-password"
TOKEN = 32 * b"a"


@pytest.mark.parametrize("name", [b"X_Forwarded_For", b"X-Forwarded_For", b"x_forwarded-for"])
def test_no_spelling_of_a_header_walks_around_the_lock_on_wrong_passwords(
    transactional_db: None, settings: Any, name: bytes
) -> None:
    settings.HTTPS = True  # behind a proxy, which writes X-Forwarded-For
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    User.objects.create_user("Ann", password="right-password")

    with serving() as site:
        lies = [b"%s: 192.0.2.%d" % (name, number) for number in range(10)]
        statuses = [send(site.address, wrong_password(lie)) for lie in lies]

    assert statuses == [422] * 7 + [429] * 3


def wrong_password(lie: bytes) -> bytes:
    """Return a sign-in as the proxy passes it on, with a header of the visitor's behind its own."""
    head = [
        b"POST %s HTTP/1.1" % reverse("login").encode(),
        b"Host: localhost",
        b"X-Forwarded-For: 203.0.113.7",
        lie,
        b"Cookie: csrftoken=" + TOKEN,
        b"X-CSRFToken: " + TOKEN,
        b"Content-Type: application/x-www-form-urlencoded",
        b"Content-Length: %d" % len(WRONG),
    ]
    return b"\r\n".join([*head, b"", WRONG])


STREAM = "/live/s/22222222/"


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW"])
def test_a_stream_is_requested_by_get_and_nothing_else_is_read(method: str) -> None:
    status, headers, words = answer_unread(method, {"content-length": "5"})

    assert (status, headers["allow"], words) == (405, "GET, HEAD", f"{ONLY_ASK}\n")


@pytest.mark.parametrize("length", [{"content-length": "5"}, {"transfer-encoding": "chunked"}])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_request_with_a_body_gets_no_stream(method: str, length: dict[str, str]) -> None:
    status, _, words = answer_unread(method, length)

    assert (status, words) == (413, f"{ONLY_ASK}\n")


def answer_unread(method: str, headers: dict[str, str]) -> tuple[int, dict[str, str], str]:
    """Return what is answered to a request of which nothing may be read but its head."""
    answer: list[Any] = []
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "http_version": "1.1", "method": method, "path": STREAM}
    scope |= {"query_string": b"", "headers": [(b"host", b"localhost"), *pairs]}

    async def receive() -> None:
        pytest.fail("the body was read")

    async def send(message: dict[str, Any]) -> None:
        answer.append(message)

    asyncio.run(application(scope, receive, send))
    told = {name.decode(): value.decode() for name, value in answer[0]["headers"]}
    return answer[0]["status"], told, answer[1]["body"].decode()
