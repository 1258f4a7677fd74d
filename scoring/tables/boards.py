"""Boards for which hundreds of phones ask at once: what is drawn for the first is the answer to all
others, while this process hears of the table's changes and none has come.

For a second at most, since who may see it can change as well.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import wraps

from django.http import HttpResponse

from coalition_site.lib.requests import Request, View

from ..live import hub
from ..models.people import Visibility

BOARDS_MAX = 200  # of some 5 kB each
QUERIES = ("", "upright")  # with which open pages ask
LASTS = 1.0  # seconds

RawAnswer = tuple[int, list[tuple[bytes, bytes]], bytes]  # status, headers, body


@dataclass
class Board:
    """``change`` is the latest that this process had heard of before it read the table."""

    topic: str
    change: int
    answer: RawAnswer
    until: float = field(default_factory=lambda: time.monotonic() + LASTS)
    drawing: asyncio.Lock = field(default_factory=asyncio.Lock)  # of the next one

    @property
    def is_fresh(self) -> bool:
        latest = hub.latest_change(self.topic)
        return latest is not None and latest <= self.change and time.monotonic() < self.until


Key = tuple[str, str]  # address and query
_boards: dict[Key, Board] = {}  # used by the event loop alone


def shared_board_view(view: Callable[..., HttpResponse]) -> View:
    """The board of a table that the view answers with, for htmx, is for every viewer."""

    @wraps(view)
    def handle(request: Request, code: str) -> HttpResponse:
        change = hub.latest()  # before the view reads the table
        response = view(request, code)
        group, is_private = request.game_set.playgroup, request.game_set.is_trial
        if group is not None:
            is_private = group.visibility == Visibility.PRIVATE
        if response.has_header("ETag") and not (is_private or response.has_header("HX-Reselect")):
            request.for_all = f"s{request.game_set.pk}", change
        return response

    return handle


async def share(request: Request, draw: Callable[[Request], Awaitable[RawAnswer]]) -> RawAnswer:
    """Return what ``draw`` answers, or what it answered to somebody else. No query."""
    key = request.path, request.META["QUERY_STRING"]
    told = request.headers
    if not (
        request.method == "GET"
        and told.get("HX-Request") == "true"
        and "gzip" in told.get("Accept-Encoding", "")
        and key[1] in QUERIES
    ):
        return await draw(request)
    board = _boards.get(key)
    if board is None or hub.latest_change(board.topic) is None:
        return _kept(key, request, await draw(request))
    async with board.drawing:  # whoever waits here finds it drawn
        board = _boards.get(key, board)
        if not board.is_fresh:
            return _kept(key, request, await draw(request))
        _, headers, _ = board.answer
        if (b"etag", told.get("If-None-Match", "").encode("latin-1")) in headers:
            return 304, [pair for pair in headers if not pair[0].startswith(b"content-")], b""
        return board.answer


def _kept(key: Key, request: Request, answer: RawAnswer) -> RawAnswer:
    status, headers, body = answer
    if not hasattr(request, "for_all") or any(name == b"set-cookie" for name, _ in headers):
        _boards.pop(key, None)
        return answer
    if len(_boards) >= BOARDS_MAX:
        _boards.clear()  # in a second all would be stale anyway
    topic, change = request.for_all
    for_all = [pair for pair in headers if pair[0] != b"x-request-id"]
    _boards[key] = Board(topic, change, (status, for_all, body))
    return answer
