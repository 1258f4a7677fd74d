"""Scorekeepers of a set: each of their browsers has a number, in a signed cookie.

A browser gets its number with its first post, so looking at the pad leaves no row. Scorekeepers who
work together see that the other is there, and whose tap changed the board.

Players who vote or reveal on their own phones have the numbers after ``SEATS_FROM``, in the order
of their seats.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.core.signing import BadSignature
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone

from coalition_site.lib.keys import COOKIE_AGE
from coalition_site.lib.prepared import PreparedSelect
from coalition_site.lib.requests import Request

from ..models import GameSet, Scorekeeper
from ..rules.errors import TableIsBusy

COOKIE = "scorekeeper-"  # and the set's code
ASKS = timedelta(seconds=15)  # an open page asks at least that often
HERE = 3 * ASKS  # whoever was not seen for longer has left
TODAY = timedelta(days=1)  # and is named as the last who tapped for so long
SCOREKEEPERS_MAX = 50  # of a set
ATTEMPTS = 10
SEATS_FROM = 100
COOKIE_MAX = 200  # characters; ours are shorter


# Written anew each time it would be a quarter of a hit and of the scorekeeper's page.
SEEN = PreparedSelect(
    lambda since, number, key: (
        Scorekeeper.objects.select_related("user")
        .filter(Q(seen_at__gt=since) | Q(number=number), game_set=key)
        .order_by("-seen_at")[:SCOREKEEPERS_MAX]
    )
)


def number(request: Request, code: str) -> int | None:
    """Return this browser's number at a table, or None. No query."""
    if hasattr(request, "scorekeeper"):
        return request.scorekeeper
    cookie = request.COOKIES.get(COOKIE + code, "")
    return _signed_number(code, cookie) if len(cookie) <= COOKIE_MAX else None


@lru_cache(maxsize=4096)
def _signed_number(code: str, cookie: str) -> int | None:
    """Return the number in a cookie; it is the same with each tap, and slow to check."""
    bare = HttpRequest()
    bare.COOKIES[COOKIE + code] = cookie
    try:
        return int(bare.get_signed_cookie(COOKIE + code, salt=code) or "")
    except (ValueError, BadSignature):
        return None


@dataclass(frozen=True)
class OtherScorekeepers:
    """The other scorekeepers of a table by number; ``here`` are those with an open page."""

    others: Mapping[int, Scorekeeper]

    def writer(self, number: int | None, game_set: GameSet) -> str:
        """Return who of the others, or which player's own phone, has a number; else ""."""
        return str(self.others.get(number or 0) or _seats(game_set).get(number or 0, ""))

    @property
    def here(self) -> list[Scorekeeper]:
        now = timezone.now()  # abs(), since a clock may jump back
        return [other for other in self.others.values() if abs(now - other.seen_at) < HERE]


def other_scorekeepers(request: Request, game_set: GameSet) -> OtherScorekeepers:
    """One query; two if this browser is a scorekeeper that was not seen for a while."""
    now, user, own_number = timezone.now(), _user(request), number(request, game_set.code) or 0
    seen = SEEN.all(now - TODAY, own_number, game_set.pk)
    others = {scorekeeper.number: scorekeeper for scorekeeper in seen}
    own = others.pop(own_number, None)
    if own and (abs(now - own.seen_at) > ASKS / 2 or own.user != user):
        Scorekeeper.objects.filter(pk=own.pk).update(seen_at=now, user=user)
    return OtherScorekeepers(others)


def get_or_assign_number(request: Request, game_set: GameSet) -> int:
    """No query if it has one. ``set_number_cookie`` sends a new number to the browser.

    :raises TableIsBusy: if too many others are numbered at the same moment.
    """
    own = number(request, game_set.code)
    if own is not None:
        return own
    for _ in range(ATTEMPTS):  # another browser may get the same number at the same moment
        with suppress(IntegrityError), transaction.atomic():
            taken = list(game_set.scorekeepers.order_by("seen_at", "number"))
            if len(taken) < SCOREKEEPERS_MAX:
                free = max((scorekeeper.number for scorekeeper in taken), default=0) + 1
            else:  # that of the one not seen for longest
                free = taken[0].number
                taken[0].delete()
            user = _user(request)
            game_set.scorekeepers.create(number=free, user=user, seen_at=timezone.now())
            request.scorekeeper = free
            return free
    raise TableIsBusy()


def _user(request: Request) -> Any:
    return request.user if request.user.is_authenticated else None


def set_number_cookie(request: Request, response: HttpResponseBase, code: str) -> None:
    response.set_signed_cookie(
        COOKIE + code,
        str(request.scorekeeper),
        salt=code,
        path=reverse("score", args=[code]),
        max_age=COOKIE_AGE,
        httponly=True,
        samesite="Lax",
        secure=settings.HTTPS or request.is_secure(),
    )


def names(game_set: GameSet, written: Iterable[int | None] = ()) -> dict[int, str]:
    """Players' own phones are named, too, if their numbers have ``written``. One query."""
    scorekeepers = game_set.scorekeepers.select_related("user")
    seats, numbers = _seats(game_set), set(written)
    named = {scorekeeper.number: str(scorekeeper) for scorekeeper in scorekeepers}
    return named | {number: name for number, name in seats.items() if number in numbers}


def _seats(game_set: GameSet) -> dict[int, str]:
    return {number_of_seat(seat): f"{name}’s phone" for seat, name in game_set.names.items()}


def number_of_seat(seat: int) -> int:
    return SEATS_FROM + seat
