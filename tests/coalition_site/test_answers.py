"""Large answers wait in files, not in threads, for visitors who read slowly or not at all."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from urllib.request import urlopen

import pytest

from coalition_site import asgi
from coalition_site.asgi import TOO_LARGE
from coalition_site.serving import answers
from coalition_site.serving.answers import PIECE, Answer
from coalition_site.serving.capacity import READERS
from tests.serving import Site

from .test_threads import part, scope

LARGE = 200 * PIECE  # bytes: more than the system keeps for those who don't read
AT_ONCE = 1  # second
ASK = b"GET /large/ HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
def _large(monkeypatch: pytest.MonkeyPatch) -> None:
    """An export of many megabytes, beside the site's pages."""
    usual = asgi.pages.app

    def app(environ: Any, start: Any) -> Any:
        if environ["PATH_INFO"] != "/large/":
            return usual(environ, start)
        start("200 OK", [("Content-Type", "text/plain")])
        return (bytes(PIECE) for _ in range(LARGE // PIECE))

    monkeypatch.setattr(asgi.pages, "app", app)


@pytest.fixture
def site(_large: None) -> Iterator[Site]:
    site = Site(asgi.application)
    site.start()
    yield site
    site.stop()


def test_nobody_waits_behind_those_who_don_t_read(site: Site) -> None:
    with urlopen(f"{site.address}/offline/"):  # the first request loads the views
        pass
    with ExitStack() as stack:
        for _ in range(2 * READERS):
            phone = stack.enter_context(socket.create_connection(site.socket.getsockname()))
            phone.sendall(ASK)
            assert phone.recv(5) == b"HTTP/"

        with urlopen(f"{site.address}/offline/", timeout=AT_ONCE) as answer:
            assert answer.status == 200


def test_who_reads_gets_the_whole(site: Site) -> None:
    with urlopen(f"{site.address}/large/") as answer:
        assert (answer.status, len(answer.read())) == (200, LARGE)


@pytest.mark.usefixtures("_large")
def test_an_answer_for_which_there_is_no_room_is_refused(monkeypatch) -> None:
    monkeypatch.setattr(Answer, "room", LARGE - 1)

    assert large() == (503, b"60", TOO_LARGE)


@pytest.mark.usefixtures("_large")
def test_an_answer_for_which_the_disk_has_no_room_is_refused(monkeypatch) -> None:
    class Full(answers.SpooledTemporaryFile):
        def write(self, *_: object) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(answers, "SpooledTemporaryFile", Full)

    assert large() == (503, b"60", TOO_LARGE)


@pytest.mark.usefixtures("_large")
def test_a_full_disk_takes_no_room_from_later_answers(monkeypatch) -> None:
    """What a full disk did not take is written again, and refused again, as the file is closed."""

    class Full(answers.SpooledTemporaryFile):
        def seek(self, *_: object) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

        def close(self) -> None:
            super().close()
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(answers, "SpooledTemporaryFile", Full)

    assert large() == (503, b"60", TOO_LARGE)


def test_short_answers_go_out_though_large_ones_fill_the_room(monkeypatch) -> None:
    monkeypatch.setattr(Answer, "waiting", Answer.room + 1)

    status, *_ = large("/offline/")

    assert status == 200


def large(path: str = "/large/") -> tuple[int, bytes, str]:
    """Ask for an answer; return its status, when to try again, and its words."""
    told: list[Any] = []

    async def receive() -> dict[str, Any]:
        return part(b"", False)

    async def send(message: dict[str, Any]) -> None:
        told.append(message)

    before = Answer.waiting
    asyncio.run(asgi.application(scope("GET", path), receive, send))
    assert Answer.waiting == before
    retry = dict(told[0]["headers"]).get(b"retry-after", b"")
    return told[0]["status"], retry, told[1]["body"].decode().strip()
