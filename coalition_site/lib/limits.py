"""Limits on how often something is posted from an address, or by an account.

Posts are counted in the database, by all processes together. Taps, pictures and what is read from
the API are counted in the memory of each: a statement would cost as much as the tap.
"""

import time
from collections import Counter
from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Any, TypeVar, cast

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers

from .requests import Request
from .visitors import visitors_place

View = TypeVar("View", bound=Callable[..., HttpResponseBase])
DONE = {
    "start": "tables were started",
    "found": "playgroups were made",
    "import": "imports of playgroups were tried",
    "claim": "players were claimed",
    "check": "decks were checked",
    "save": "decks were saved or tried",
    "edit": "changes of decks were sent",
    "sign_in": "sign-ins were tried",
    "sign_up": "accounts were created or tried",
    "reset": "new passwords were asked for",
    "send_test": "tests were sent",
    "tap": "taps were sent",
    "picture": "pictures were drawn",
    "card_picture": "pictures of cards were fetched",
}
# One statement, so that two posts at the same time are both counted.
COUNT = """
INSERT INTO coalition_site_posted (what, who, ends, times) VALUES (%s, %s, %s, 1)
ON CONFLICT (what, who, ends) DO UPDATE SET times = coalition_site_posted.times + 1
RETURNING times
"""
EXPIRE = "DELETE FROM coalition_site_posted WHERE ends <= %s"


class InMemory:
    """Counts by address within the current window, in this process."""

    def __init__(self, most: int = 10_000) -> None:
        self.most, self.ends = most, 0
        self.times: Counter[str] = Counter()
        self.lock = Lock()

    def count(self, who: str, ends: int) -> int:
        """Count a post in the window that ends at ``ends``, and return how many there are.

        >>> taps = InMemory(most=2)
        >>> [taps.count(who, 60) for who in ("Ann", "Ann", "Bo", "Cy", "Ann")]
        [1, 2, 1, 1, 1]
        >>> taps.count("Ann", 120)
        1
        """
        with self.lock:
            # Forgotten beyond ``most``, so that ever new addresses can't fill the memory.
            if ends != self.ends or (len(self.times) >= self.most and who not in self.times):
                self.ends = ends
                self.times.clear()
            self.times[who] += 1
            return self.times[who]


IN_MEMORY = {what: InMemory() for what in ("tap", "picture", "card_picture", "api")}


def window(what: str) -> tuple[int, int, int]:
    """Return the limit, the time now, and when the window ends, both in seconds since 1970."""
    most, seconds = settings.LIMITS[what]
    now = int(time.time())
    return most, now, now - now % seconds + seconds


def limited(what: str) -> Callable[[View], View]:
    """Answer posts beyond ``settings.LIMITS`` with 429, and when to try again."""
    # A phone stores taps that are refused, and sends them again later.
    assert what in DONE

    def decorate(view: View) -> View:
        @wraps(view)
        def handle(request: Request, *args: Any, **rest: Any) -> HttpResponseBase:
            refused = refusal(request, what) if request.method == "POST" else None
            return refused or view(request, *args, **rest)

        return cast(View, handle)

    return decorate


def refusal(request: Request, what: str) -> HttpResponse | None:
    seconds = wait(request, what)
    if not seconds:
        return None
    most, per = settings.LIMITS[what]
    context = {
        "title": "Too many at once",
        "what_to_do": f"{most} {DONE[what]} from here within {_minutes(per)}, which is the "
        f"limit. Nothing was changed. Try again in {_minutes(seconds)}.",
    }
    template = "too_many.html" if request.htmx else "problem.html"
    response = render(request, template, context, status=429)
    response.headers["Retry-After"] = str(seconds)
    add_never_cache_headers(response)
    return response


def wait(request: HttpRequest, what: str) -> int:
    """Count something, and return how many seconds to wait if there is too much, else 0."""
    if what not in settings.LIMITS:
        return 0
    most, now, ends = window(what)
    place = visitors_place(request) or "nowhere"
    if what in IN_MEMORY:
        times = IN_MEMORY[what].count(place, ends)
    else:
        times = count(what, place, ends, now)
        if request.user.is_authenticated:
            times = max(times, count(what, f"account {request.user.pk}", ends, now))
    return ends - now if times > most else 0


def count(what: str, who: str, ends: int, now: int) -> int:
    """Count a post, and return how many there are; the first in a window deletes expired rows."""
    with connection.cursor() as cursor:
        cursor.execute(COUNT, [what, who, ends])
        times: int = cursor.fetchone()[0]
        if times == 1:
            cursor.execute(EXPIRE, [now])
    return times


def _minutes(seconds: int) -> str:
    """Return a time in words, rounded up.

    >>> [_minutes(seconds) for seconds in (1, 60, 61, 3600)]
    ['a minute', 'a minute', '2 minutes', '60 minutes']
    """
    minutes = -(-seconds // 60)
    return "a minute" if minutes == 1 else f"{minutes} minutes"
