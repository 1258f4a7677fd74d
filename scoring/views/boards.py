"""Boards as hundreds ask for them at once: drawn for one of them, and handed out to the others.

A board is kept as long as this process hears of its table's changes and none has come since, and a
second at most: by then it is asked again who may look on.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps

from django.http import HttpResponse, HttpResponseNotModified

from .. import live
from ..models.people import Visibility
from ..queries import Table
from .tables import Request, is_known, private, watched

KEPT_MAX = 1000
LASTS = 1.0  # seconds


@dataclass(frozen=True)
class Kept:
    """What anybody is answered. ``heard`` is how far changes had been heard of before the table
    was read."""

    topic: str
    heard: int
    until: float
    etag: str
    html: bytes

    @property
    def is_fresh(self) -> bool:
        change = live.latest_change(self.topic)
        return change is not None and change <= self.heard and time.monotonic() < self.until


_kept: dict[str, Kept] = {}  # by the address


def followed(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Hand the view a table that the visitor may watch, unless the answer to htmx is known."""

    @watched
    def draw(request: Request, table: Table, heard: int) -> HttpResponse:
        response = view(request, table)
        if request.htmx and response.has_header("ETag") and not _is_private(table):
            _keep(request, table, heard, response)
        return response

    @wraps(view)
    def handle(request: Request, code: str) -> HttpResponse:
        heard = live.latest()
        known = _kept.get(request.get_full_path()) if request.htmx else None
        if known and known.is_fresh:
            return private(_hand_out(request, known))
        return draw(request, code=code, heard=heard)

    return handle


def _hand_out(request: Request, known: Kept) -> HttpResponse:
    if is_known(request, known.etag):
        return HttpResponseNotModified()
    return HttpResponse(known.html, headers={"ETag": known.etag})


def _is_private(table: Table) -> bool:
    group = table.game_set.playgroup
    return group is not None and group.visibility == Visibility.PRIVATE


def _keep(request: Request, table: Table, heard: int, response: HttpResponse) -> None:
    if len(_kept) >= KEPT_MAX:
        _kept.clear()
    topic, until = f"s{table.game_set.pk}", time.monotonic() + LASTS
    known = Kept(topic, heard, until, response["ETag"], response.content)
    _kept[request.get_full_path()] = known
