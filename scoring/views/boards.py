"""Boards that hundreds of viewers request at once: rendered for the first, cached for the others.

A board stays cached while this process listens to its table's changes and none has arrived, and
for one second at most, since access to it may change as well. ``asgi.py`` answers from the cache
before Django or a thread is involved.
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
from django.http.response import HttpResponseBase

from coalition_site.lib import answers
from coalition_site.lib.requests import Request, View

from ..live import hub
from ..models import GameSet
from ..models.people import Visibility
from .tables import keep_private, viewer_view

BOARDS_MAX = 1000
BYTES_MAX = 16_000_000  # of all boards together
PARAMETERS = frozenset({"upright", "final"})  # that change a board, whatever their value
QUERY_MAX = 200  # bytes of a query string; parsing a longer one would block everybody
LASTS = 1.0  # seconds


@dataclass(frozen=True)
class CachedBoard:
    """An answer for every viewer. ``change`` is the number of the last change that this process
    had heard of before it read the table."""

    topic: str
    change: int
    until: float
    etag: bytes
    packed: bytes

    @property
    def is_fresh(self) -> bool:
        latest = hub.latest_change(self.topic)
        return latest is not None and latest <= self.change and time.monotonic() < self.until


_cache: dict[tuple[str, frozenset[str]], CachedBoard] = {}  # by address and parameters


def shared_board_view(view: Callable[..., HttpResponse]) -> View:
    """Pass the view a table that the visitor may see, and cache what it answers to htmx."""

    @viewer_view
    def render(request: Request, game_set: GameSet, change: int) -> HttpResponse:
        response = view(request, game_set)
        is_for_all = response.has_header("ETag") and not response.has_header("HX-Reselect")
        if request.htmx and is_for_all and not _is_private(game_set):
            _store(request, game_set, change, response)
        return response

    @wraps(view)
    def handle(request: Request, code: str) -> HttpResponseBase:
        change = hub.latest()
        board = _cache.get(_key(request)) if request.htmx else None
        if board and board.is_fresh:  # rendered for another viewer while this one waited
            return _from_cache(board)
        return render(request, code=code, change=change)

    return handle


def _key(request: Request) -> tuple[str, frozenset[str]]:
    return request.path, PARAMETERS.intersection(request.GET)


def _from_cache(board: CachedBoard) -> HttpResponseBase:
    etag = board.etag.decode().removeprefix("W/")  # a weak one again once it is compressed
    return keep_private(HttpResponse(gzip.decompress(board.packed), headers={"ETag": etag}))


def _is_private(game_set: GameSet) -> bool:
    group = game_set.playgroup
    return group is not None and group.visibility == Visibility.PRIVATE


def _store(request: Request, game_set: GameSet, change: int, response: HttpResponse) -> None:
    """Cache a board. If the cache is full, empty it: in a second all would be stale anyway."""
    packed = gzip.compress(response.content, compresslevel=6)
    size = sum(len(board.packed) for board in list(_cache.values())) + len(packed)
    if len(_cache) >= BOARDS_MAX or size > BYTES_MAX:
        _cache.clear()
    _cache[_key(request)] = CachedBoard(
        topic=f"s{game_set.pk}",
        change=change,
        until=time.monotonic() + LASTS,
        etag=b"W/" + response["ETag"].encode(),
        packed=packed,
    )


async def hand_out(scope: Any, send: Any) -> bool:
    """Answer a request from the cache, and return whether that was possible. No query."""
    if len(scope["query_string"]) > QUERY_MAX:
        return False
    parameters = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    board = _cache.get((scope["path"], PARAMETERS.intersection(dict(parameters))))
    request = dict(scope["headers"]) if board else {}
    if not (board and board.is_fresh and request.get(b"hx-request") == b"true"):
        return False
    if b"gzip" not in request.get(b"accept-encoding", b""):
        return False
    is_known = request.get(b"if-none-match") == board.etag
    headers = {
        "Content-Type": "text/html; charset=utf-8",
        "ETag": board.etag.decode(),
        "Cache-Control": "private, no-cache",
        "Vary": "HX-Request, Cookie, Accept-Encoding",
    }
    if not is_known:
        headers |= {"Content-Encoding": "gzip", "Content-Length": str(len(board.packed))}
    status, body = (304, b"") if is_known else (200, board.packed)
    await answers.answer(scope, send, "handed out", status, headers, body)
    return True
