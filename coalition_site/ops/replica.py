"""Pages read from a copy of the database: a streaming replica of PostgreSQL, if it is set.

Only public pages are, and only for visitors who are not signed in and have just written nothing.
Everything else goes to the primary, and so does everything while the replica is away or behind.
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
    "deck finder bans announcements announcement announcements_feed export_bans".split()
)
FINDER = "finder"  # its htmx requests follow typing; those of other pages follow a change
COOKIE = "wrote"  # a browser that wrote must see its own writes

FRESH = 1.0  # seconds that a look at the replica counts
BEHIND_MAX = 5.0  # seconds that it may be behind
WROTE = 15  # seconds; longer than BEHIND_MAX
AGAIN = 10.0  # seconds until a replica that was away is tried again

log = logging.getLogger(__name__)

SAFE = ("GET", "HEAD")
NOT_FOUND, GONE = 404, 503

_reads_replica: ContextVar[bool] = ContextVar("reads_replica", default=False)


class Router:
    """Where the ORM reads and writes. Rows read from the replica are saved to the primary."""

    def db_for_read(self, model: Any, **hints: Any) -> str:
        if _reads_replica.get() and not connections[PRIMARY].in_atomic_block:
            return REPLICA
        return PRIMARY

    def db_for_write(self, model: Any, **hints: Any) -> str:
        return PRIMARY

    def allow_relation(self, obj1: Any, obj2: Any, **hints: Any) -> bool:
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return db == PRIMARY


@dataclass
class Look:
    """The last look at the replica: whether it may be read, and until when that counts.

    ``written`` is how far the primary was then, at the time ``at``.
    """

    is_near: bool = False
    until: float = 0.0
    written: str = ""
    at: float = -BEHIND_MAX


_last = Look()


def is_near() -> bool:
    """Return whether the replica has what the primary had some seconds ago.

    One query of each, once a second.
    """
    if time.monotonic() >= _last.until:
        _look()
    return _last.is_near


def _look() -> None:
    now = time.monotonic()
    try:
        written = _value(PRIMARY, "SELECT pg_current_wal_lsn()")
        # Compared with the primary's last look: right now a replica is always a moment behind.
        before = _last.written if now - _last.at < BEHIND_MAX else written
        near = bool(_value(REPLICA, "SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn", before))
    except Error:
        lose()
        return
    if near != _last.is_near:
        log.warning("The replica is %s", "used" if near else "not used: it is behind")
    _last.is_near, _last.until, _last.written, _last.at = near, now + FRESH, written, now


def _value(alias: str, query: str, *values: str) -> Any:
    with connections[alias].cursor() as cursor:
        cursor.execute(query, values)
        return cursor.fetchone()[0]


def lose() -> None:
    """Stop using the replica for a while."""
    connections[REPLICA].close()  # or the next look would fail on the broken connection
    if _last.is_near:
        log.warning("The replica is not used: it does not answer, or not as the primary does")
    _last.is_near, _last.until, _last.at = False, time.monotonic() + AGAIN, -BEHIND_MAX


class ReadPages:
    """Renders public pages from the replica. Innermost, since it may render a page twice."""

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
        """Return a page from the replica; None if the primary may have what the replica lacks."""
        token = _reads_replica.set(True)
        try:
            response = self.get_response(request)
        finally:
            _reads_replica.reset(token)
        return None if response.status_code in (NOT_FOUND, GONE) else response

    def process_exception(self, request: Request, error: Exception) -> HttpResponse | None:
        """Have the page rendered again if the replica failed in the middle of it."""
        if not (_reads_replica.get() and isinstance(error, Error)):
            return None
        lose()
        return HttpResponse(status=GONE)


def is_meant(request: Request) -> bool:
    """Return whether the replica may answer: a public page, not signed in, nothing just written.

    What a page requests after it hears of a change comes from the primary, which has the change.
    """
    cookies = (settings.SESSION_COOKIE_NAME, COOKIE)
    if request.method not in SAFE or any(cookie in request.COOKIES for cookie in cookies):
        return False
    try:
        name = resolve(request.path_info).url_name
    except Resolver404:
        return False
    return name in PAGES and (name == FINDER or not request.htmx)
