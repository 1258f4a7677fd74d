"""Codes of public links, and the secret keys that a browser holds.

Each key has a cookie of its own, since two tabs may be given one at once.

The database knows a key's hash only; a random secret of 128 bits needs no slow hash.
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

CODE_ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"  # nothing that is misread aloud
CODE_LENGTH = 8
KEYS_MAX = 24
COOKIE_AGE = 400 * 24 * 60 * 60  # seconds; browsers keep no cookie longer
_KEY = re.compile(r"[\w-]+", re.ASCII)


def new_key() -> str:
    """Return a new secret."""
    return secrets.token_urlsafe(16)


def new_code() -> str:
    """Return a new code for a public link."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


def key_for(tap_id: UUID, *said: str) -> str:
    """Return the secret that a tap brings about, also when the same is sent again.

    The same tap with something else ``said`` (back in the browser, other names) gives another.
    """
    value = json.dumps([str(tap_id), *said])
    return salted_hmac("scoring.key", value, algorithm="sha256").hexdigest()[:32]


def code_for(tap_id: UUID, *said: str) -> str:
    """Return the code that a tap brings about, also when the same is sent again."""
    number = int(key_for(tap_id, "code", *said), 16)
    return "".join(
        CODE_ALPHABET[number // len(CODE_ALPHABET) ** place % len(CODE_ALPHABET)]
        for place in range(CODE_LENGTH)
    )


def key_hash(key: str) -> str:
    """Return what the database keeps of a secret."""
    return hashlib.sha256(key.encode()).hexdigest()


def opens(key: str, hashed: str | None) -> bool:
    """Say whether a secret is the one whose hash is kept; none is where that is None."""
    return hashed is not None and constant_time_compare(key_hash(key), hashed)


def held(request: HttpRequest, kind: str) -> dict[str, str]:
    """Return the secrets of a kind that this browser holds, by code, the latest last."""
    found = {
        name.removeprefix(kind): key
        for name, key in request.COOKIES.items()
        if name.startswith(kind) and _KEY.fullmatch(key)
    }
    return dict(list(found.items())[-KEYS_MAX:])


def hand_over(request: HttpRequest, response: HttpResponse, kind: str, code: str, key: str) -> None:
    """Give the browser a secret, beside the latest that it holds."""
    others = [known for known in held(request, kind) if known != code]  # sent oldest first
    for known in others[: len(others) + 1 - KEYS_MAX]:
        response.delete_cookie(kind + known, samesite="Lax")
    response.set_cookie(
        kind + code,
        key,
        max_age=COOKIE_AGE,
        httponly=True,
        samesite="Lax",
        secure=settings.HTTPS or request.is_secure(),
    )
