"""Pages read from a copy of the database: a streaming replica of PostgreSQL, where one is set.

Only pages that anybody may look at, and only for who is not signed in and has written nothing for a
moment. Whatever else is asked, and whatever is written, goes to the primary; so does everything
while the replica is away or behind.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import Error, connections
from django.http import HttpResponse
from django.urls import Resolver404, resolve

from ..lib.requests import Request

PRIMARY, REPLICA = "default", "replica"
PAGES = frozenset(
    "watch table log export board player heroes hero type versus seasons_archive season feed "
    "deck finder bans".split()
)
FINDER = "finder"  # its parts follow what is typed; those of other pages follow a signal
COOKIE = "wrote"  # whose browser wrote reads its own writes

FRESH = 1.0  # seconds that the replica is taken to be as it was found
BEHIND_MAX = 5.0  # seconds that it may be behind
WROTE = 15  # seconds; longer than it may be behind
AGAIN = 10.0  # seconds until a replica that was away is tried again

log = logging.getLogger(__name__)

SAFE = ("GET", "HEAD")
NOT_FOUND, GONE = 404, 503

_reads_replica: ContextVar[bool] = ContextVar("reads_replica", default=False)


class Router:
    """Where the ORM reads and writes. Rows of the replica are written to the primary."""

    def db_for_read(self, model: Any, **hints: Any) -> str:
        if _reads_replica.get() and not connections[PRIMARY].in_atomic_block:
            return REPLICA
        return PRIMARY

    def db_for_write(self, model: Any, **hints: Any) -> str:
        return PRIMARY

    def allow_relation(self, one: Any, other: Any, **hints: Any) -> bool:
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return db == PRIMARY


@dataclass
class Found:
    """What this process found of the replica: whether it may be read, and until when that holds;
    how far the primary was then."""

    is_near: bool = False
    until: float = 0.0
    written: str = ""
    at: float = -BEHIND_MAX


_found = Found()


def is_near() -> bool:
    """Say whether the replica has what the primary had some seconds ago. A query of each, once a
    second."""
    if time.monotonic() >= _found.until:
        _look()
    return _found.is_near


def _look() -> None:
    now = time.monotonic()
    try:
        written = _told(PRIMARY, "SELECT pg_current_wal_lsn()")
        before = _found.written if now - _found.at < BEHIND_MAX else written
        near = bool(_told(REPLICA, "SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn", before))
    except Error:
        lose()
        return
    if near != _found.is_near:
        log.warning("The replica is %s", "read" if near else "left alone: it is behind")
    _found.is_near, _found.until, _found.written, _found.at = near, now + FRESH, written, now


def _told(alias: str, query: str, *values: str) -> Any:
    with connections[alias].cursor() as cursor:
        cursor.execute(query, values)
        return cursor.fetchone()[0]


def lose() -> None:
    """Leave the replica alone for a while."""
    connections[REPLICA].close()
    if _found.is_near:
        log.warning("The replica is left alone: it does not answer, or not as the primary does")
    _found.is_near, _found.until, _found.at = False, time.monotonic() + AGAIN, -BEHIND_MAX


class ReadPages:
    """Let pages read from the replica. The innermost middleware: it may ask for a page twice."""

    def __init__(self, get_response: Callable[[Request], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: Request) -> HttpResponse:
        response = self._read(request) if is_meant(request) and is_near() else None
        response = response or self.get_response(request)
        if request.method not in SAFE:
            response.set_cookie(
                COOKIE, "1", max_age=WROTE, httponly=True, samesite="Lax", secure=settings.HTTPS
            )
        return response

    def _read(self, request: Request) -> HttpResponse | None:
        """Return a page as the replica has it; None if the primary may have it and the replica
        not."""
        token = _reads_replica.set(True)
        try:
            response = self.get_response(request)
        finally:
            _reads_replica.reset(token)
        return None if response.status_code in (NOT_FOUND, GONE) else response

    def process_exception(self, request: Request, error: Exception) -> HttpResponse | None:
        """Ask for the page again where the replica went away in the middle of it, or has not what
        it asks for."""
        if not (_reads_replica.get() and isinstance(error, Error)):
            return None
        lose()
        return HttpResponse(status=GONE)


def is_meant(request: Request) -> bool:
    """Say whether what is asked for may come from the replica: a page that anybody may look at, for
    somebody who is not signed in and did not just write.

    What a page asks for when it hears of a change comes from the primary, which has the change.
    """
    known = (settings.SESSION_COOKIE_NAME, COOKIE)
    if request.method not in SAFE or any(one in request.COOKIES for one in known):
        return False
    try:
        name = resolve(request.path_info).url_name
    except Resolver404:
        return False
    return name in PAGES and (name == FINDER or not request.htmx)
