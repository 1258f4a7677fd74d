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

from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

from .models import GameSet

COOKIE = "keys"
KEYS_MAX = 12
_PAIR = re.compile(r"([\w-]+)~([\w-]+)", re.ASCII)
COOKIE_AGE = 400 * 24 * 60 * 60  # seconds; browsers keep no cookie longer


def new_key() -> str:
    """Return a new secret for a scorekeeper link."""
    return secrets.token_urlsafe(16)


def key_for(tap_id: UUID, *said: str) -> str:
    """Return the secret that starting a table gives, also when the same is sent again.

    The same tap with something else ``said`` (back in the browser, other names) is another table.
    """
    value = json.dumps([str(tap_id), *said])
    return salted_hmac("scoring.key", value, algorithm="sha256").hexdigest()[:32]


def key_hash(key: str) -> str:
    """Return what the database keeps of a secret."""
    return hashlib.sha256(key.encode()).hexdigest()


def keys(request: HttpRequest) -> dict[str, str]:
    """Return the secrets this browser holds by the set's code, the latest first."""
    pairs = request.COOKIES.get(COOKIE, "").split("!")[:KEYS_MAX]
    return dict(found.groups() for pair in pairs if (found := _PAIR.fullmatch(pair)))


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
    """Give the browser the secret of a set, beside those it holds."""
    held = {code: key} | {known: kept for known, kept in keys(request).items() if known != code}
    value = "!".join(f"{known}~{kept}" for known, kept in list(held.items())[:KEYS_MAX])
    response.set_cookie(
        COOKIE,
        value,
        max_age=COOKIE_AGE,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )
