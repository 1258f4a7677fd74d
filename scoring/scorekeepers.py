"""Who keeps a set's score: each browser that does has a number there, in a signed cookie.

Two who keep it together see that the other is there, and whose tap changed the board.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.signing import BadSignature
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone

from coalition_site.keys import COOKIE_AGE
from coalition_site.requests import Request

from .models import GameSet, Scorekeeper
from .rules.errors import TableIsBusy

COOKIE = "scorekeeper-"  # and the set's code
ASKS = timedelta(seconds=15)  # an open page asks at least that often
HERE = 3 * ASKS  # who was not seen for longer has left
ATTEMPTS = 10


def number(request: Request, code: str) -> int | None:
    """Return the number of this browser at a table, None before it has one. No query."""
    try:
        return int(request.get_signed_cookie(COOKIE + code, salt=code))
    except (KeyError, ValueError, BadSignature):
        return None


@dataclass(frozen=True)
class Company:
    """The number of this browser at a table, and the others there by theirs; ``here`` are those
    who keep the score now."""

    own: int
    others: Mapping[int, Scorekeeper]

    @property
    def here(self) -> list[Scorekeeper]:
        now = timezone.now()  # a clock may jump back: what lies ahead is as far off as the past
        return [one for one in self.others.values() if abs(now - one.seen_at) < HERE]


def arrive(request: Request, game_set: GameSet) -> Company:
    """Return who keeps a table's score, this browser among them.

    One query; a second one where it was not seen for a while, three more where it is new.
    """
    now, user = timezone.now(), request.user if request.user.is_authenticated else None
    known = {one.number: one for one in game_set.scorekeepers.select_related("user")}
    own = known.get(number(request, game_set.code) or 0)
    if own is None:
        own = _number_next(game_set, user, now)
    elif abs(now - own.seen_at) > ASKS / 2 or own.user != user:
        Scorekeeper.objects.filter(pk=own.pk).update(seen_at=now, user=user)
    known.pop(own.number, None)
    return Company(own.number, known)


def _number_next(game_set: GameSet, user: Any, now: datetime) -> Scorekeeper:
    """Number a browser that is new at a table; another may be numbered at the same moment."""
    for _ in range(ATTEMPTS):
        last = game_set.scorekeepers.aggregate(last=Max("number"))["last"] or 0
        try:
            with transaction.atomic():
                return game_set.scorekeepers.create(number=last + 1, user=user, seen_at=now)
        except IntegrityError:
            continue
    raise TableIsBusy()


def keep_number(request: Request, response: HttpResponse, code: str, own: int) -> None:
    """Let the browser keep its number, for the table's own pages."""
    if number(request, code) != own:
        response.set_signed_cookie(
            COOKIE + code,
            str(own),
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
