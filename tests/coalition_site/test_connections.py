"""Visitors who neither send nor read what they should are cut off, and keep nothing open."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from typing import Any

import pytest

from coalition_site.serving import connections
from tests.serving import Site

PATIENCE = 5  # seconds; only a failure waits so long
SOON = 0.2  # seconds
PIECE = 64 * 1024
LARGE = 300 * PIECE  # bytes: more than the system keeps for those who don't read
ASK = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


class App:
    """An app with a short answer, a large one, and one that never ends."""

    def __init__(self) -> None:
        self.is_done = threading.Event()
        self.headers: list[tuple[bytes, bytes]] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.headers = list(scope["headers"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        if scope["path"] == "/endless":
            while (await receive())["type"] != "http.disconnect":
                pass
        for _ in range(LARGE // PIECE if scope["path"] == "/large" else 0):
            await send({"type": "http.response.body", "body": bytes(PIECE), "more_body": True})
        await send({"type": "http.response.body", "body": b""})
        self.is_done.set()


@pytest.fixture
def app() -> App:
    return App()


@pytest.fixture
def site(app: App, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """The app behind the site's connections, which have less patience here."""
    for name in ("HEAD_WITHIN", "READ_WITHIN"):
        monkeypatch.setattr(connections, name, SOON)
    site = Site(app)
    site.start()
    yield site
    site.stop()


def connect(site: Site) -> closing[socket.socket]:
    phone = socket.create_connection(site.socket.getsockname(), PATIENCE)
    return closing(phone)


def is_cut(phone: socket.socket, sent: bytes = b"") -> bool:
    """Return whether the site closes a connection on which a bit comes now and then."""
    phone.settimeout(SOON / 4)
    for _ in range(PATIENCE * 20):
        try:
            if not phone.recv(PIECE):
                return True
        except TimeoutError:
            pass
        except ConnectionError:
            return True
        try:
            phone.sendall(sent)
        except ConnectionError:
            return True
    return False


def test_a_silent_connection_is_cut_off(site: Site) -> None:
    with connect(site) as phone:
        assert is_cut(phone)


def test_a_header_that_never_ends_is_cut_off(site: Site) -> None:
    with connect(site) as phone:
        phone.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        assert is_cut(phone, b"X: y\r\n")


def test_the_header_of_a_second_request_that_never_ends_is_cut_off(site: Site) -> None:
    with connect(site) as phone:
        phone.sendall(ASK)
        assert phone.recv(PIECE).startswith(b"HTTP/1.1 200")
        phone.sendall(b"GET / HTTP/1.1\r\n")
        assert is_cut(phone, b"X: y\r\n")


def test_a_body_that_goes_on_after_its_answer_is_cut_off(site: Site) -> None:
    with connect(site) as phone:
        phone.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n\r\n")
        assert phone.recv(PIECE).startswith(b"HTTP/1.1 200")
        assert is_cut(phone, b"x")


def test_requests_in_time_go_on_over_one_connection(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HEAD_WITHIN", "READ_WITHIN"):
        monkeypatch.setattr(connections, name, PATIENCE)
    with closing(HTTPConnection(*site.socket.getsockname(), timeout=PATIENCE)) as phone:
        phone.connect()
        first = phone.sock
        for path in ("/", "/large", "/"):
            phone.request("GET", path)
            assert len(phone.getresponse().read()) == (LARGE if path == "/large" else 0)
        assert phone.sock is first


def test_a_client_that_does_not_read_is_cut_off_and_the_answer_given_up(
    site: Site, app: App
) -> None:
    with connect(site) as phone:
        phone.sendall(ASK.replace(b"/", b"/large", 1))

        assert app.is_done.wait(PATIENCE)
        assert site.server.server_state.connections == set()


def test_an_answer_that_never_ends_is_cut_off(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "ANSWER_WITHIN", SOON)
    with connect(site) as phone:
        phone.sendall(ASK.replace(b"/", b"/endless", 1))
        assert is_cut(phone)


def test_a_header_without_an_end_is_refused_however_fast_it_comes(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEAD_WITHIN", PATIENCE)
    with connect(site) as phone, pytest.raises(ConnectionError):
        phone.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * LARGE)


def test_what_follows_a_body_in_chunks_is_no_header_of_the_request(app: App, site: Site) -> None:
    with connect(site) as phone:
        phone.sendall(
            b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
            b"3\r\na=b\r\n0\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n"
        )
        assert phone.recv(PIECE).startswith(b"HTTP/1.1 200")

    assert app.headers == [(b"host", b"localhost"), (b"transfer-encoding", b"chunked")]


OFFER = b"Host: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n"


def test_who_offers_another_protocol_is_served_by_this_one(site: Site) -> None:
    with connect(site) as phone:
        phone.sendall(b"GET / HTTP/1.1\r\n" + OFFER + b"\r\n")
        assert statuses(phone) == [b"200"]


@pytest.mark.parametrize("length", [b"Content-Length: 40", b"Transfer-Encoding: chunked"])
def test_no_body_is_taken_for_a_request_where_another_protocol_is_offered(
    site: Site, length: bytes
) -> None:
    with connect(site) as phone:
        phone.sendall(b"POST / HTTP/1.1\r\n" + OFFER + length + b"\r\n\r\n")
        phone.sendall(ASK)
        assert statuses(phone) == [b"400"]


def statuses(phone: socket.socket) -> list[bytes]:
    """Return the statuses of all that comes until the connection ends."""
    came = b""
    while piece := phone.recv(PIECE):
        came += piece
    return re.findall(rb"HTTP/1.1 (\d+)", came)
