"""Who may do what: one function per question, and the scorekeeper's keys.

Whoever opens a set's secret scorekeeper link gets its secret as a cookie. The database knows the
secret's hash only; a random secret of 128 bits needs no slow hash.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

from .models import GameSet

COOKIE = "key-"  # and the set's code: one each, since two tabs may be given one at once
KEYS_MAX = 24
_KEY = re.compile(r"[\w-]+", re.ASCII)
COOKIE_AGE = 400 * 24 * 60 * 60  # seconds; browsers keep no cookie longer


def new_key() -> str:
    """Return a new secret for a scorekeeper link."""
    return secrets.token_urlsafe(16)


def key_for(tap_id: UUID, *said: str) -> str:
    """Return the secret that a tap brings about, also when the same is sent again.

    The same tap with something else ``said`` (back in the browser, other names) gives another.
    """
    value = json.dumps([str(tap_id), *said])
    return salted_hmac("scoring.key", value, algorithm="sha256").hexdigest()[:32]


def key_hash(key: str) -> str:
    """Return what the database keeps of a secret."""
    return hashlib.sha256(key.encode()).hexdigest()


def keys(request: HttpRequest) -> dict[str, str]:
    """Return the secrets this browser holds by the set's code, the latest last."""
    held = {
        name.removeprefix(COOKIE): key
        for name, key in request.COOKIES.items()
        if name.startswith(COOKIE) and _KEY.fullmatch(key)
    }
    return dict(list(held.items())[-KEYS_MAX:])


def may_watch(request: HttpRequest, game_set: GameSet) -> bool:
    """Say whether the visitor may see a set: anybody who has its public link may."""
    return True


def may_score(request: HttpRequest, game_set: GameSet) -> bool:
    """Say whether the visitor holds the set's scorekeeper link."""
    return opens(keys(request).get(game_set.code, ""), game_set)


def opens(key: str, game_set: GameSet) -> bool:
    """Say whether a secret is the set's; none is once the link was revoked."""
    return game_set.key_hash is not None and constant_time_compare(key_hash(key), game_set.key_hash)


def hand_over(request: HttpRequest, response: HttpResponse, code: str, key: str) -> None:
    """Give the browser the secret of a set, beside the latest that it holds."""
    others = [known for known in keys(request) if known != code]  # browsers send the oldest first
    for known in others[: len(others) + 1 - KEYS_MAX]:
        response.delete_cookie(COOKIE + known, samesite="Lax")
    response.set_cookie(
        COOKIE + code,
        key,
        max_age=COOKIE_AGE,
        httponly=True,
        samesite="Lax",
        secure=settings.HTTPS or request.is_secure(),
    )
