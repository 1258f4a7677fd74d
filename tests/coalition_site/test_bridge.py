"""WSGI apps behind the site's server: what they are asked, and what visitors get of them."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from http.client import HTTPConnection, HTTPResponse
from typing import Any

import pytest

from coalition_site import asgi
from coalition_site.serving.answers import PIECE
from coalition_site.serving.capacity import READERS
from tests.serving import Site

PATIENCE = 5  # seconds; only a failure waits so long
PLAIN = ("Content-Type", "text/plain")
FAILED = (500, {"content-length": "21", "connection": "close"}, b"Internal Server Error")
state: ContextVar[str] = ContextVar("state", default="new")

Start = Callable[..., Callable[[bytes], object]]
Whole = tuple[int, dict[str, str], bytes]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Any], HTTPConnection]]:
    """Serve an app where the site has its pages and forms."""
    site = Site(asgi.application)
    site.start()
    phone = HTTPConnection(*site.socket.getsockname(), timeout=PATIENCE)

    def connect(app: Any) -> HTTPConnection:
        for side in (asgi.pages, asgi.forms):
            monkeypatch.setattr(side, "app", app)
        return phone

    yield connect
    phone.close()
    site.stop()


def whole(answer: HTTPResponse) -> Whole:
    """Return an answer without the headers that every answer has, or that Python's client needs."""
    usual = ("date", "server", "transfer-encoding", "content-type")
    headers = {name.lower(): value for name, value in answer.getheaders()}
    return (
        answer.status,
        {name: headers[name] for name in headers if name not in usual},
        answer.read(),
    )


def ask(phone: HTTPConnection, method: str = "GET", body: bytes | None = None) -> Whole:
    phone.request(method, "/", body)
    return whole(phone.getresponse())


def at_once(environ: Any, start: Start) -> list[bytes]:
    start("200 OK", [PLAIN, ("Content-Length", "5")])
    return [b"hello"]


def in_parts(environ: Any, start: Start) -> Iterator[bytes]:
    start("201 Created", [PLAIN])
    yield b"hel"
    yield b""
    yield b"lo"


def by_write(environ: Any, start: Start) -> list[bytes]:
    start("200 OK", [PLAIN])(b"hel")
    return [b"lo"]


def long_one(environ: Any, start: Start) -> Iterator[bytes]:
    start("200 OK", [PLAIN])
    yield from [bytes(PIECE)] * 5


def nothing(environ: Any, start: Start) -> list[bytes]:
    start("304 Not Modified", [("ETag", '"7"')])
    return []


def with_cookies(environ: Any, start: Start) -> list[bytes]:
    start("200 OK", [PLAIN, ("Set-Cookie", " a=1"), ("X-Name", "Zo\xeb")])
    return [b"x"]


def another_mind(environ: Any, start: Start) -> list[bytes]:
    start("200 OK", [PLAIN])
    start("503 Service Unavailable", [PLAIN], (None, None, None))
    return [b"away"]


def refuses(environ: Any, start: Start) -> list[bytes]:
    raise RuntimeError("before the status")


def breaks_off(environ: Any, start: Start) -> Iterator[bytes]:
    start("200 OK", [PLAIN])
    yield b"half"
    raise RuntimeError("in the middle")


def says_nothing(environ: Any, start: Start) -> list[bytes]:
    return [b"no status"]


APPS: list[tuple[Any, Whole]] = [
    (at_once, (200, {"content-length": "5"}, b"hello")),
    (in_parts, (201, {}, b"hello")),
    (by_write, (200, {}, b"hello")),
    (long_one, (200, {}, bytes(5 * PIECE))),
    (nothing, (304, {"etag": '"7"'}, b"")),
    (with_cookies, (200, {"set-cookie": "a=1", "x-name": "Zo\xeb"}, b"x")),
    (another_mind, (503, {}, b"away")),
    (refuses, FAILED),
    (breaks_off, FAILED),
    (says_nothing, FAILED),
]


@pytest.mark.parametrize(("app", "answer"), APPS)
def test_a_visitor_gets_the_whole_answer_of_an_app_or_an_error(serve, app, answer) -> None:
    assert ask(serve(app)) == answer


def test_an_error_of_an_app_is_logged(serve, caplog) -> None:
    ask(serve(refuses))

    (line,) = caplog.records
    assert (line.levelname, str(line.exc_info[1])) == ("ERROR", "before the status")


def test_a_head_is_answered_without_the_body(serve) -> None:
    phone = serve(at_once)

    assert ask(phone, "HEAD") == (200, {"content-length": "5"}, b"")
    assert ask(phone) == (200, {"content-length": "5"}, b"hello")


def test_answers_follow_each_other_over_one_connection(serve) -> None:
    phone = serve(in_parts)
    phone.connect()
    first = phone.sock

    assert [ask(phone)[0] for _ in range(3)] == [201] * 3
    assert phone.sock is first


def environment(environ: Any, start: Start) -> list[bytes]:
    """Tell all that WSGI says of the request."""
    body = {"wsgi.input": environ["wsgi.input"].read().decode()}
    plain = {name: value for name, value in environ.items() if isinstance(value, str)}
    start("200 OK", [PLAIN])
    return [json.dumps(plain | body).encode()]


def test_an_app_is_told_of_a_request_as_wsgi_has_it(serve) -> None:
    phone = serve(environment)
    phone.putrequest("POST", "/a%20b/%C3%BC?q=%C3%BC&r=", skip_host=True, skip_accept_encoding=True)
    for name, value in (
        *(("Host", "localhost"), ("Content-Length", "3"), ("Content-Type", "text/x; charset=x")),
        *(("Cookie", "a=1"), ("X-Twice", "1"), ("Cookie", "b=2"), ("x-twice", "2")),
        *(("X_Forwarded_For", "1.2.3.4"), ("X-Name", "Zo\xeb")),
    ):
        phone.putheader(name, value.encode("latin-1"))
    phone.endheaders(b"a=\n")

    told = json.loads(phone.getresponse().read())

    assert told == {
        "REQUEST_METHOD": "POST",
        "SCRIPT_NAME": "",
        "PATH_INFO": "/a b/\xc3\xbc",
        "QUERY_STRING": "q=%C3%BC&r=",
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": str(phone.port),
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "CONTENT_LENGTH": "3",
        "CONTENT_TYPE": "text/x",
        "HTTP_HOST": "localhost",
        "HTTP_COOKIE": "a=1; b=2",
        "HTTP_X_TWICE": "1,2",
        "HTTP_X_NAME": "Zo\xeb",
        "wsgi.url_scheme": "http",
        "wsgi.input": "a=\n",
    }


@pytest.mark.parametrize("size", [0, 1, PIECE, 5 * PIECE + 1])
def test_an_app_reads_the_whole_body(serve, size: int) -> None:
    def echo(environ: Any, start: Start) -> list[bytes]:
        start("200 OK", [PLAIN])
        return [environ["wsgi.input"].read()]

    assert ask(serve(echo), "POST", bytes(size)) == (200, {}, bytes(size))


class Closed:
    """A response that notes in which thread it is made and closed."""

    def __init__(self, fails: bool) -> None:
        self.fails, self.threads = fails, [threading.current_thread().name]

    def __iter__(self) -> Iterator[bytes]:
        yield b"half"
        if self.fails:
            raise RuntimeError("in the middle")

    def close(self) -> None:
        self.threads.append(threading.current_thread().name)


@pytest.mark.parametrize("fails", [False, True])
def test_a_response_is_closed_by_the_thread_that_made_it(serve, fails: bool) -> None:
    """Django then ends the request, and looks after the connection to the database."""
    made: list[Closed] = []

    def app(environ: Any, start: Start) -> Closed:
        start("200 OK", [PLAIN])
        made.append(Closed(fails))
        return made[0]

    status, *_ = ask(serve(app))

    (name, again) = made[0].threads
    assert (status, name, name.startswith("pages")) == (500 if fails else 200, again, True)


def test_no_request_sees_what_another_left_in_its_context(serve) -> None:
    def app(environ: Any, start: Start) -> list[bytes]:
        before = state.get()
        state.set("old")
        start("200 OK", [PLAIN])
        return [before.encode()]

    phone = serve(app)

    assert [ask(phone)[2] for _ in range(2 * READERS)] == [b"new"] * 2 * READERS
