"""Boards that hundreds of viewers request at once: rendered for the first, cached for the others.

A board stays cached while this process listens to its table's changes and none has arrived, and
for one second at most, since access to it may change as well. ``asgi.py`` answers from the cache
before Django or a thread is involved.
"""

from __future__ import annotations

import asyncio
import gzip
import time
from collections.abc import Awaitable, Callable
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
    def is_followed(self) -> bool:
        """Whether this process hears of the table's changes; else no drawing may be shared."""
        return hub.latest_change(self.topic) is not None

    @property
    def is_fresh(self) -> bool:
        latest = hub.latest_change(self.topic)
        return latest is not None and latest <= self.change and time.monotonic() < self.until


Key = tuple[str, frozenset[str]]  # a board's address and parameters
_cache: dict[Key, CachedBoard] = {}
_drawings: dict[Key, asyncio.Event] = {}  # set at the end; only the event loop's thread changes it


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


def _key(request: Request) -> Key:
    return request.path, PARAMETERS.intersection(request.GET)


def _from_cache(board: CachedBoard) -> HttpResponseBase:
    etag = board.etag.decode().removeprefix("W/")  # a weak one again once it is compressed
    return keep_private(HttpResponse(gzip.decompress(board.packed), headers={"ETag": etag}))


def _is_private(game_set: GameSet) -> bool:
    group = game_set.playgroup
    return group is not None and group.visibility == Visibility.PRIVATE


def _store(request: Request, game_set: GameSet, change: int, response: HttpResponse) -> None:
    """Cache a board. If the cache is full, empty it: in a second all would be stale anyway."""
    topic = f"s{game_set.pk}"
    if hub.latest_change(topic) is None:
        return  # nobody here follows the table, so nobody would get it
    packed = gzip.compress(response.content, compresslevel=6)
    size = sum(len(board.packed) for board in list(_cache.values())) + len(packed)
    if len(_cache) >= BOARDS_MAX or size > BYTES_MAX:
        _cache.clear()
    _cache[_key(request)] = CachedBoard(
        topic=topic,
        change=change,
        until=time.monotonic() + LASTS,
        etag=b"W/" + response["ETag"].encode(),
        packed=packed,
    )


async def serve(scope: Any, send: Any, draw: Callable[[Any], Awaitable[None]]) -> None:
    """Answer a GET without a body from the cache, or by ``draw``, which takes ``send``. No query.

    Whoever comes while a cached board is drawn again waits for that, instead of for a thread.
    """
    key = _requested(scope)
    board = _cache.get(key) if key else None
    if not (key and board and board.is_followed):
        await draw(send)
        return
    if not board.is_fresh:
        if drawing := _drawings.get(key):
            await drawing.wait()
        else:
            await _draw(key, send, draw)
            return
    board = _cache.get(key)
    if board and board.is_fresh:
        await _hand_out(board, scope, send)
    else:  # it has changed meanwhile, or nobody may share it any more
        await draw(send)


async def _draw(key: Key, send: Any, draw: Callable[[Any], Awaitable[None]]) -> None:
    """Have a board drawn for a visitor, and for all who wait."""
    drawn = _drawings[key] = asyncio.Event()

    def end() -> None:
        drawn.set()
        if _drawings.get(key) is drawn:
            del _drawings[key]

    async def send_on(message: Any) -> None:
        end()  # it is drawn: nobody waits for this visitor to read it
        await send(message)

    try:
        await draw(send_on)
    finally:
        end()


def _requested(scope: Any) -> Key | None:
    """Return the board that a request is for; None unless it can be answered for all alike."""
    if len(scope["query_string"]) > QUERY_MAX:
        return None
    headers = dict(scope["headers"])
    if headers.get(b"hx-request") != b"true" or b"gzip" not in headers.get(b"accept-encoding", b""):
        return None
    parameters = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    return scope["path"], PARAMETERS.intersection(dict(parameters))


async def _hand_out(board: CachedBoard, scope: Any, send: Any) -> None:
    is_known = dict(scope["headers"]).get(b"if-none-match") == board.etag
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
