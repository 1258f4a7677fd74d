"""Boards as hundreds ask for them at once: drawn for one of them, and handed out to the others.

A board is kept as long as this process hears of its table's changes and none has come since, and a
second at most: by then it is asked again who may look on. ``asgi.py`` hands it out, before a thread
or Django takes up the question.
"""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any
from urllib.parse import parse_qsl

from django.http import HttpResponse

from coalition_site.lib import answers

from ..live import hub
from ..models.people import Visibility
from ..play.queries import Table
from .tables import Request, private, watched

KEPT_MAX = 1000
BYTES_MAX = 16_000_000  # of all boards together
ASKED = frozenset({"upright", "final"})  # what a question may add to its address, with any value
QUERY_MAX = 200  # bytes of a question; reading a longer one would keep everybody waiting
LASTS = 1.0  # seconds


@dataclass(frozen=True)
class Kept:
    """What anybody is answered. ``heard`` is how far changes had been heard of before the table
    was read."""

    topic: str
    heard: int
    until: float
    etag: bytes
    packed: bytes

    @property
    def is_fresh(self) -> bool:
        change = hub.latest_change(self.topic)
        return change is not None and change <= self.heard and time.monotonic() < self.until


_kept: dict[tuple[str, frozenset[str]], Kept] = {}  # by the address and what is asked there


def followed(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Hand the view a table that the visitor may watch, and keep what it answers to htmx."""

    @watched
    def draw(request: Request, table: Table, heard: int) -> HttpResponse:
        response = view(request, table)
        is_for_all = response.has_header("ETag") and not response.has_header("HX-Reselect")
        if request.htmx and is_for_all and not _is_private(table):
            _keep(request, table, heard, response)
        return response

    @wraps(view)
    def handle(request: Request, code: str) -> HttpResponse:
        heard = hub.latest()
        known = _kept.get(_question(request)) if request.htmx else None
        if known and known.is_fresh:  # drawn for another while this question waited for a thread
            return _again(known)
        return draw(request, code=code, heard=heard)

    return handle


def _question(request: Request) -> tuple[str, frozenset[str]]:
    return request.path, ASKED.intersection(request.GET)


def _again(known: Kept) -> HttpResponse:
    etag = known.etag.decode().removeprefix("W/")  # compressing it makes it a weak one again
    return private(HttpResponse(gzip.decompress(known.packed), headers={"ETag": etag}))


def _is_private(table: Table) -> bool:
    group = table.game_set.playgroup
    return group is not None and group.visibility == Visibility.PRIVATE


def _keep(request: Request, table: Table, heard: int, response: HttpResponse) -> None:
    """Keep a board. Where there are too many all go: in a second they would be old anyway."""
    packed = gzip.compress(response.content, compresslevel=6)
    size = sum(len(one.packed) for one in list(_kept.values())) + len(packed)
    if len(_kept) >= KEPT_MAX or size > BYTES_MAX:
        _kept.clear()
    _kept[_question(request)] = Kept(
        topic=f"s{table.game_set.pk}",
        heard=heard,
        until=time.monotonic() + LASTS,
        etag=b"W/" + response["ETag"].encode(),
        packed=packed,
    )


async def hand_out(scope: Any, send: Any) -> bool:
    """Answer a question to which the answer is known, and say whether it was. No query."""
    if len(scope["query_string"]) > QUERY_MAX:
        return False
    asked_for = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    known = _kept.get((scope["path"], ASKED.intersection(dict(asked_for))))
    asked = dict(scope["headers"]) if known else {}
    if not (known and known.is_fresh and asked.get(b"hx-request") == b"true"):
        return False
    if b"gzip" not in asked.get(b"accept-encoding", b""):
        return False
    is_known = asked.get(b"if-none-match") == known.etag
    headers = {
        "Content-Type": "text/html; charset=utf-8",
        "ETag": known.etag.decode(),
        "Cache-Control": "private, no-cache",
        "Vary": "HX-Request, Cookie, Accept-Encoding",
    }
    if not is_known:
        headers |= {"Content-Encoding": "gzip", "Content-Length": str(len(known.packed))}
    status, body = (304, b"") if is_known else (200, known.packed)
    await answers.answer(scope, send, "handed out", status, headers, body)
    return True
