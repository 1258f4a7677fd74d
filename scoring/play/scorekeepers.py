"""Who keeps a set's score: each browser that does has a number there, in a signed cookie.

It gets the number with what it posts first: whoever only looks at the pad leaves no row. Two who
keep the score together see that the other is there, and whose tap changed the board.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.signing import BadSignature
from django.db import IntegrityError, transaction
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone

from coalition_site.lib.keys import COOKIE_AGE
from coalition_site.lib.requests import Request

from ..models import GameSet, Scorekeeper
from ..rules.errors import TableIsBusy

COOKIE = "scorekeeper-"  # and the set's code
ASKS = timedelta(seconds=15)  # an open page asks at least that often
HERE = 3 * ASKS  # who was not seen for longer has left
SCOREKEEPERS_MAX = 50  # of a set
ATTEMPTS = 10


def number(request: Request, code: str) -> int | None:
    """Return the number of this browser at a table, None before it has one. No query."""
    if hasattr(request, "scorekeeper"):
        return request.scorekeeper
    try:
        return int(request.get_signed_cookie(COOKIE + code, salt=code))
    except (KeyError, ValueError, BadSignature):
        return None


@dataclass(frozen=True)
class Company:
    """The others at a table by their numbers; ``here`` are those who keep the score now."""

    others: Mapping[int, Scorekeeper]

    @property
    def here(self) -> list[Scorekeeper]:
        now = timezone.now()  # a clock may jump back: what lies ahead is as far off as the past
        return [one for one in self.others.values() if abs(now - one.seen_at) < HERE]


def company(request: Request, game_set: GameSet) -> Company:
    """Return who else keeps a table's score. One query; two where this browser keeps it, too, and
    was not seen for a while."""
    now, user = timezone.now(), _user(request)
    others = {one.number: one for one in game_set.scorekeepers.select_related("user")}
    own = others.pop(number(request, game_set.code) or 0, None)
    if own and (abs(now - own.seen_at) > ASKS / 2 or own.user != user):
        Scorekeeper.objects.filter(pk=own.pk).update(seen_at=now, user=user)
    return Company(others)


def numbered(request: Request, game_set: GameSet) -> int:
    """Return the number of this browser at a table; it gets one if it has none.

    No query where it has one. ``keep_number`` lets the browser keep it.

    :raises TableIsBusy: if too many others are numbered at the same moment.
    """
    own = number(request, game_set.code)
    if own is None:
        own = request.scorekeeper = _give_number(game_set, _user(request))
    return own


def _user(request: Request) -> Any:
    return request.user if request.user.is_authenticated else None


def _give_number(game_set: GameSet, user: Any) -> int:
    """Number a browser that is new at a table; another may be numbered at the same moment."""
    for _ in range(ATTEMPTS):
        try:
            with transaction.atomic():
                number = _free_number(game_set)
                game_set.scorekeepers.create(number=number, user=user, seen_at=timezone.now())
                return number
        except IntegrityError:
            continue
    raise TableIsBusy()


def _free_number(game_set: GameSet) -> int:
    """Return the next number; once all are given, that of whoever was not seen for longest, who
    loses it."""
    taken = list(game_set.scorekeepers.order_by("seen_at", "number"))
    if len(taken) < SCOREKEEPERS_MAX:
        return max((one.number for one in taken), default=0) + 1
    taken[0].delete()
    return taken[0].number


def keep_number(request: Request, response: HttpResponse, code: str) -> None:
    """Let the browser keep the number that it got with this request, for the table's own pages."""
    if hasattr(request, "scorekeeper"):
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


def names(game_set: GameSet) -> dict[int, str]:
    """Return what the scorekeepers of a set are called, by their numbers. One query."""
    return {one.number: str(one) for one in game_set.scorekeepers.select_related("user")}
