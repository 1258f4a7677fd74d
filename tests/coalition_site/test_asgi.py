"""Requests between uvicorn and Django: what the site is asked, and what visitors get of it."""

import asyncio
import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from contextvars import ContextVar
from http.client import HTTPConnection, HTTPResponse
from typing import Any
from urllib.request import urlopen

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.db import connections
from django.db.backends.signals import connection_created
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from coalition_site import asgi
from coalition_site.middleware import FILES_MAX, SENT_MAX, TOO_MUCH
from scoring.live.hub import TOO_MANY
from tests.scoring.tables import set_up
from tests.serving import Site, serving

PATIENCE = 20  # seconds; only a failure waits so long
STREAMS = 20
HERE, FULL = (200, b"retry: 2000\n\n"), (503, TOO_MANY.encode())
PIECE = 64 * 1024  # bytes
SCOPE: dict[str, Any] = {"type": "http", "http_version": "1.1", "method": "GET"}
SCOPE |= {"query_string": b"", "headers": [(b"host", b"localhost")]}
FORM = b"theme=dark&back=/decks/"
state: ContextVar[str] = ContextVar("state", default="new")

View = Callable[[HttpRequest], HttpResponse]


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site(asgi.application)
    site.start()
    yield site
    site.stop()


def phone_of(site: Site) -> Any:
    return closing(HTTPConnection(*site.socket.getsockname(), timeout=PATIENCE))


@pytest.fixture
def serve(site: Site, monkeypatch: Any) -> Iterator[Callable[[View], HTTPConnection]]:
    with phone_of(site) as phone:
        yield lambda view: monkeypatch.setattr(asgi.pages, "get_response", view) or phone


def ask(phone: HTTPConnection, method: str = "GET", body: bytes | None = None) -> HTTPResponse:
    phone.request(method, "/", body)
    return phone.getresponse()


def test_a_whole_form_gets_the_whole_answer_and_the_next_over_the_same_connection(serve):
    def view(request: HttpRequest) -> HttpResponse:
        response = HttpResponse([b"hel", b"", request.read()], headers={"X-Name": "Zo\xeb"})
        for name in ("a", "b"):
            response.set_cookie(name, "1")
        return response

    phone = serve(view)
    phone.connect()
    first = phone.sock
    for _ in range(2):
        answer = ask(phone, "POST", b"x" * SENT_MAX)
        assert (answer.status, answer.headers["X-Name"]) == (200, "Zo\xeb")
        assert answer.headers.get_all("Set-Cookie") == ["a=1; Path=/", "b=1; Path=/"]
        assert answer.read() == b"hel" + b"x" * SENT_MAX
    assert phone.sock is first


@pytest.mark.parametrize("charset", ["=rot13", "=x", "*=utf-8''zlib"])
def test_a_form_is_in_utf_8_whatever_it_says(serve, charset):
    phone = serve(lambda request: HttpResponse(request.POST["name"]))
    kind = {"Content-Type": f"application/x-www-form-urlencoded; charset{charset}"}
    phone.request("POST", "/", b"name=Zo%C3%AB", kind)

    assert phone.getresponse().read() == "Zoë".encode()


@pytest.mark.parametrize("path", ["/groups/import/", "/decks/check/"])
def test_what_is_longer_than_anything_may_be_is_refused_unread(site, path):
    length = FILES_MAX.get(path, SENT_MAX) + 1
    with phone_of(site) as phone:
        phone.putrequest("POST", path)
        phone.putheader("Content-Length", str(length))
        phone.endheaders(b"x")  # and no more
        answer = phone.getresponse()

        assert (answer.status, answer.read().decode()) == (413, TOO_MUCH)
        assert answer.headers["X-Frame-Options"] == "DENY"


def test_of_an_answer_that_breaks_off_nothing_is_sent_and_its_thread_closes_it(serve, caplog):
    """Django then ends the request, and looks after the connection to the database."""
    threads: list[threading.Thread] = []

    class Response(HttpResponse):
        def __iter__(self) -> Iterator[bytes]:
            yield b"half"
            raise RuntimeError("in the middle")

        def close(self) -> None:
            threads.append(threading.current_thread())

    def view(request: HttpRequest) -> HttpResponse:
        threads.append(threading.current_thread())
        return Response()

    answer = ask(serve(view))

    assert (answer.status, answer.read()) == (500, b"Internal Server Error")
    assert [str(line.exc_info[1]) for line in caplog.records] == ["in the middle"]
    assert threads == [threads[0]] * 2


def test_no_request_sees_what_another_left_in_its_context(serve):
    def view(request: HttpRequest) -> HttpResponse:
        before = state.get()
        state.set("old")
        return HttpResponse(before)

    phone = serve(view)

    assert {ask(phone).read() for _ in range(2 * asgi.THREADS)} == {b"new"}


LARGE = "/large/"
WHOLE_GROUPS = ["/g/a2345678/export.json", "/g/a2345678/results.csv"]


@pytest.mark.parametrize("path", ["half a form", LARGE, *WHOLE_GROUPS])
def test_nobody_waits_behind_those_who_do_not_read_or_send_on_or_who_fetch_whole_playgroups(
    site, monkeypatch, path
):
    usual, go_on = asgi.pages.get_response, threading.Event()

    def view(request: HttpRequest) -> HttpResponse:
        if request.path in WHOLE_GROUPS:
            go_on.wait(PATIENCE)
        # More than the system keeps for those who don't read.
        return HttpResponse(bytes(200 * PIECE)) if request.path == LARGE else usual(request)

    monkeypatch.setattr(asgi.pages, "get_response", view)
    sent = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"
    if path == "half a form":
        sent = "POST /theme/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 23\r\n\r\ntheme="
    with ExitStack() as stack:
        for _ in range(asgi.THREADS):
            phone = stack.enter_context(socket.create_connection(site.socket.getsockname()))
            phone.sendall(sent.encode())

        with urlopen(f"{site.address}/offline/", timeout=PATIENCE / 2) as answer:
            assert answer.status == 200
        go_on.set()


def test_a_form_in_pieces_is_answered_as_a_whole_and_half_of_one_not_at_all():
    first = {"type": "http.request", "body": FORM[:12], "more_body": True}
    last = {"type": "http.request", "body": FORM[12:], "more_body": False}
    gone = {"type": "http.disconnect"}
    headers = {
        "host": "localhost",
        "content-type": "application/x-www-form-urlencoded",
        "content-length": str(len(FORM)),
        "cookie": "csrftoken=" + 32 * "a",
        "x-csrftoken": 32 * "a",
    }
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = SCOPE | {"method": "POST", "path": "/theme/", "headers": pairs}

    async def answer(*parts: dict[str, Any]) -> list[bytes]:
        left, found = iter(parts), []

        async def receive() -> dict[str, Any]:
            return next(left)

        async def send(message: dict[str, Any]) -> None:
            found.extend(value for name, value in message.get("headers", ()) if name == b"location")

        await asgi.application(scope, receive, send)
        return found

    assert asyncio.run(answer(first, last)) == [b"/decks/"]
    assert asyncio.run(answer(first, gone)) == []


def test_what_follows_a_body_in_chunks_is_no_header_of_the_request(serve):
    phone = serve(lambda request: HttpResponse(repr(dict(request.headers))))
    phone.connect()
    phone.sock.sendall(
        b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"3\r\na=b\r\n0\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n"
    )
    answer = HTTPResponse(phone.sock)
    answer.begin()
    came = answer.read()

    assert b"Transfer-Encoding" in came
    assert b"192.0.2.1" not in came


OFFER = {"Host": "localhost", "Connection": "Upgrade", "Upgrade": "h2c"}


@pytest.mark.parametrize("length", [b"Content-Length: 40", b"Transfer-Encoding: chunked"])
def test_no_body_is_taken_for_a_request_where_another_protocol_is_offered(site, length):
    with phone_of(site) as phone:
        phone.request("GET", "/offline/", headers=OFFER)
        assert phone.getresponse().status == 200
    head = "".join(f"{name}: {value}\r\n" for name, value in OFFER.items()).encode()
    body = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with closing(socket.create_connection(site.socket.getsockname(), PATIENCE)) as phone:
        phone.sendall(b"POST / HTTP/1.1\r\n" + head + length + b"\r\n\r\n" + body)
        came = b""
        while piece := phone.recv(PIECE):  # until the connection ends
            came += piece

    assert re.findall(rb"HTTP/1.1 (\d+)", came) == [b"400"]


@pytest.mark.parametrize(
    ("is_behind_proxy", "name"),
    [(True, "X_Forwarded_For"), (True, "x_forwarded-for"), (False, "X-Forwarded-For")],
)
def test_no_address_that_a_visitor_invents_walks_around_the_lock_on_wrong_passwords(
    transactional_db, settings, is_behind_proxy, name
):
    settings.HTTPS = is_behind_proxy  # which writes X-Forwarded-For
    User.objects.create_user("Ann", password="right-password")
    headers = {"Cookie": "csrftoken=" + 32 * "a", "X-CSRFToken": 32 * "a"}
    headers["Content-Type"] = "application/x-www-form-urlencoded"
    if is_behind_proxy:
        headers["X-Forwarded-For"] = "203.0.113.7"

    found = []
    with serving() as site:
        for number in range(10):
            with phone_of(site) as phone:
                said = headers | {name: f"192.0.2.{number}"}
                phone.request("POST", reverse("login"), "username=Ann&password=wrong", said)
                found.append(phone.getresponse().status)

    assert found == [422] * 7 + [429] * 3


# --- streams ---
class Page:
    def __init__(self, path: str, place: str = "192.0.2.1") -> None:
        self.scope = SCOPE | {"path": path, "client": (place, 50_000)}
        self.asks: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def open(self) -> tuple[int, bytes]:
        self.asks.put_nowait({"type": "http.request", "body": b"", "more_body": False})
        answer = asgi.application(self.scope, self.asks.get, self.said.put)
        self.stream = asyncio.create_task(answer)
        self.start = await self.said.get()
        return self.start["status"], (await self.said.get())["body"]

    async def leave(self) -> None:
        self.asks.put_nowait({"type": "http.disconnect"})
        await self.stream


@pytest.fixture
def path(transactional_db: None) -> str:
    return f"/live/s/{set_up().code}/"


def told(*pages: Page, at_once: bool = False) -> list[tuple[int, bytes]]:
    async def evening() -> list[tuple[int, bytes]]:
        if at_once:
            found = await asyncio.gather(*(page.open() for page in pages))
        else:
            found = [await page.open() for page in pages]
        await asyncio.gather(*(page.leave() for page in pages))
        await sync_to_async(connections.close_all)()  # else it would outlive the test's database
        return found

    return asyncio.run(asyncio.wait_for(evening(), PATIENCE))


def test_streams_share_one_connection_to_the_database(path):
    opened: list[Any] = []

    def note(connection: Any, **_: Any) -> None:
        opened.append(connection)

    connection_created.connect(note)

    assert told(*(Page(path) for _ in range(STREAMS)), at_once=True) == [HERE] * STREAMS
    assert len(opened) == 1


@pytest.mark.parametrize(
    ("limit", "places", "expected"),
    [  # the first three addresses are one visitor's
        (
            "STREAMS_PER_ADDRESS",
            ["2001:db8:1:2::1", "2001:db8:1:2::9", "2001:db8:1:ffff::1", "192.0.2.2"],
            [HERE, HERE, FULL, HERE],
        ),
        ("STREAMS_MAX", ["192.0.2.1", "192.0.2.2", "192.0.2.3"], [HERE, HERE, FULL]),
    ],
)
def test_an_address_and_all_together_have_so_many_streams(path, settings, limit, places, expected):
    setattr(settings, limit, 2)

    for _ in range(2):  # the second time, those of the first have left
        pages = [Page(path, place) for place in places]
        assert told(*pages) == expected
        assert dict(pages[2].start["headers"])[b"Retry-After"] == b"15"
