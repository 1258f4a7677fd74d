"""Phones lose their connection in the middle of sending, and nobody waits for who only looks."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Iterable
from threading import Event
from typing import Any

import pytest
from django.urls import reverse

from coalition_site import asgi
from coalition_site.asgi import (
    FILES_MAX,
    NO_ROOM,
    SENT_MAX,
    TOO_MUCH,
    application,
    exports,
    forms,
    pages,
    taps,
)
from coalition_site.serving.capacity import READERS

FORM = b"theme=dark&back=/decks/"
PATIENCE = 20  # seconds; only a failure waits so long


def scope(method: str, path: str) -> dict[str, Any]:
    headers = {
        "host": "localhost",
        "content-type": "application/x-www-form-urlencoded",
        "content-length": str(len(FORM) if method == "POST" else 0),
        "cookie": "csrftoken=" + 32 * "a",
        "x-csrftoken": 32 * "a",
    }
    return {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "path": path,
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }


def part(body: bytes, more: bool) -> dict[str, Any]:
    return {"type": "http.request", "body": body, "more_body": more}


CUT = {"type": "http.disconnect"}


async def answer_to(method: str, path: str, parts: Iterable[dict[str, Any]]) -> list[Any]:
    """Return the status and the address that are answered, nothing without an answer; after its
    parts the phone is silent."""
    left, found = list(parts), []

    async def receive() -> dict[str, Any]:
        return left.pop(0) if left else await asyncio.Future()

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            found.extend([message["status"], dict(message["headers"]).get(b"location")])

    await application(scope(method, path), receive, send)
    return found


def test_a_form_in_pieces_is_answered_as_a_whole_and_half_of_one_not_at_all() -> None:
    half = [part(FORM[:12], True)]

    async def all_three() -> list[list[Any]]:
        sent = [[*half, part(FORM[12:], False)], [*half, CUT], [CUT]]
        return [await answer_to("POST", "/theme/", parts) for parts in sent]

    assert asyncio.run(asyncio.wait_for(all_three(), PATIENCE)) == [[302, b"/decks/"], [], []]


def test_phones_that_stop_in_the_middle_of_sending_keep_nobody_waiting() -> None:
    async def one_more() -> list[Any]:
        half = [part(FORM[:12], True)]
        stuck = [asyncio.create_task(answer_to("POST", "/theme/", half)) for _ in range(READERS)]
        await asyncio.sleep(0)
        found = await answer_to("POST", "/theme/", [part(FORM, False)])
        for task in stuck:
            task.cancel()
        return found

    assert asyncio.run(asyncio.wait_for(one_more(), PATIENCE)) == [302, b"/decks/"]


def test_a_tap_does_not_wait_behind_those_who_look_or_send_other_forms(monkeypatch) -> None:
    def tapped(environ: Any, start: Any) -> Any:
        start("200 OK", [("Location", environ["PATH_INFO"])])
        return []

    monkeypatch.setattr(taps, "app", tapped)
    path, done = "/s/a2345678/score/1/hit/", Event()
    for side in (pages, forms, exports):
        for _ in range(READERS):
            side.executor.submit(done.wait)
    tap = answer_to("POST", path, [part(FORM, False)])
    try:
        assert asyncio.run(asyncio.wait_for(tap, PATIENCE)) == [200, path.encode()]
    finally:
        done.set()


@pytest.mark.parametrize("path", ["/groups/import/", "/decks/check/"])
def test_who_sends_more_than_anything_has_is_cut_off(path) -> None:
    found = send_on(path, b"x" * (most(path) // 3))

    assert found == (413, f"{TOO_MUCH}\n")


def test_who_sends_what_the_disk_has_no_room_for_is_told_so(monkeypatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(asgi, "_is_whole", full)

    assert send_on("/groups/import/", b"x") == (503, f"{NO_ROOM}\n")


@pytest.mark.parametrize("parts", [[], [part(FORM[:12], True)]])
def test_a_form_that_does_not_arrive_in_time_is_refused(monkeypatch, parts) -> None:
    monkeypatch.setattr(asgi, "SENT_WITHIN", 0.01)
    told = answer_to("POST", "/theme/", parts)

    assert asyncio.run(asyncio.wait_for(told, PATIENCE)) == [408, None]


@pytest.mark.parametrize("name", ["export_group", "results_csv"])
def test_pages_do_not_wait_behind_those_who_fetch_whole_playgroups(monkeypatch, name) -> None:
    path, go_on, usual = reverse(name, args=["a2345678"]), Event(), pages.app

    def slow(environ: Any, start: Any) -> Any:
        if environ["PATH_INFO"] != path:
            return usual(environ, start)
        go_on.wait(PATIENCE)
        start("200 OK", [])
        return []

    async def one_more() -> list[Any]:
        asked = [part(b"", False)]
        fetched = [asyncio.create_task(answer_to("GET", path, asked)) for _ in range(READERS)]
        await asyncio.sleep(0)
        found = await asyncio.wait_for(answer_to("GET", "/offline/", asked), PATIENCE / 2)
        go_on.set()
        await asyncio.gather(*fetched)
        return found

    for side in (exports, pages):
        monkeypatch.setattr(side, "app", slow)
    try:
        assert asyncio.run(one_more()) == [200, None]
    finally:
        go_on.set()


def test_a_process_all_of_whose_threads_wait_still_says_that_it_lives() -> None:
    waited = Event()
    for side in (pages, forms, taps):
        for _ in range(READERS):
            side.executor.submit(waited.wait)
    asked = answer_to("GET", "/healthz", [part(b"", False)])
    try:
        assert asyncio.run(asyncio.wait_for(asked, PATIENCE)) == [200, None]
    finally:
        waited.set()


def most(path: str) -> int:
    return FILES_MAX.get(path, SENT_MAX)


def send_on(path: str, piece: bytes) -> tuple[int, str]:
    """Send without an end; return status and words of the answer, which has the site's policies."""
    told: list[Any] = []

    async def note(message: dict[str, Any]) -> None:
        told.append(message)

    async def endless() -> dict[str, Any]:
        return part(piece, True)

    asyncio.run(asyncio.wait_for(application(scope("POST", path), endless, note), PATIENCE))
    names = {name.decode() for name, _ in told[0]["headers"]}
    assert names >= {"content-security-policy", "x-frame-options", "x-request-id"}
    return told[0]["status"], told[1]["body"].decode()
