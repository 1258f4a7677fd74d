"""Limits of what is posted from one place, or by one account: so many times within an hour, say.

They are counted in the database, so that all processes count together.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

from django.conf import settings
from django.db import connection
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers

from .accounts.limits import visitors_place
from .models import Posted
from .requests import Request

View = Callable[..., HttpResponse]
DONE = {
    "start": "tables were started",
    "found": "playgroups were made",
    "import": "playgroups were brought or tried",
    "claim": "players were claimed",
    "check": "decks were checked",
    "sign_in": "sign-ins were tried",
    "sign_up": "accounts were made or tried",
    "reset": "new passwords were asked for",
}
# One statement: two who post at once are both counted, on SQLite and on PostgreSQL.
COUNT = """
INSERT INTO coalition_site_posted (what, who, ends, times) VALUES (%s, %s, %s, 1)
ON CONFLICT (what, who, ends) DO UPDATE SET times = coalition_site_posted.times + 1
RETURNING times
"""


def limited(what: str) -> Callable[[View], View]:
    """Answer a post with 429, and when to try again, once there were too many of its kind.

    How many that is stands in ``settings.LIMITS``.
    """
    assert what in DONE

    def decorate(view: View) -> View:
        @wraps(view)
        def handle(request: Request, *args: Any, **rest: Any) -> HttpResponse:
            wait = _wait(request, what) if request.method == "POST" else 0
            return _refuse(request, what, wait) if wait else view(request, *args, **rest)

        return handle

    return decorate


def _wait(request: Request, what: str) -> int:
    """Count a post; return how many seconds to wait if it is one too many, else 0."""
    if what not in settings.LIMITS:
        return 0
    most, seconds = settings.LIMITS[what]
    now = int(time.time())
    ends = now - now % seconds + seconds
    counted = [count(what, who, ends, now) for who in _senders(request)]
    return ends - now if max(counted) > most else 0


def count(what: str, who: str, ends: int, now: int) -> int:
    """Count one more, and return how many there are; who begins sweeps out what is over."""
    with connection.cursor() as cursor:
        cursor.execute(COUNT, [what, who, ends])
        times: int = cursor.fetchone()[0]
    if times == 1:
        Posted.objects.filter(ends__lte=now).delete()
    return times


def _senders(request: Request) -> Iterator[str]:
    yield visitors_place(request) or "nowhere"
    if request.user.is_authenticated:
        yield f"account {request.user.pk}"


def _refuse(request: Request, what: str, wait: int) -> HttpResponse:
    most, seconds = settings.LIMITS[what]
    context = {
        "title": "Too many at once",
        "what_to_do": f"{most} {DONE[what]} from here within {_minutes(seconds)}, and more are not "
        f"taken. Nothing was changed. Try again in {_minutes(wait)}.",
    }
    template = "too_many.html" if request.htmx else "problem.html"
    response = render(request, template, context, status=429)
    response.headers["Retry-After"] = str(wait)
    add_never_cache_headers(response)
    return response


def _minutes(seconds: int) -> str:
    """Return a time in words, never too short.

    >>> [_minutes(seconds) for seconds in (1, 60, 61, 3600)]
    ['a minute', 'a minute', '2 minutes', '60 minutes']
    """
    minutes = -(-seconds // 60)
    return "a minute" if minutes == 1 else f"{minutes} minutes"
