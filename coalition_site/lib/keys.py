"""Codes of public links, and the secret keys in a browser's cookies.

Each key has its own cookie, since two tabs may receive keys at once. The database stores only a
hash; a random secret of 128 bits needs no slow one.
"""

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
COOKIE_AGE = 400 * 24 * 60 * 60  # seconds; browsers allow no more
_KEY = re.compile(r"[\w-]+", re.ASCII)


def new_key() -> str:
    return secrets.token_urlsafe(16)


def new_code() -> str:
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


def key_for(origin: UUID | str, *values: str) -> str:
    """Return the secret that a tap creates, by its id: the same secret when the tap is sent again;
    or the secret that follows from another one."""
    # The same tap with other values (going back in the browser, changing names) gives another.
    value = json.dumps([str(origin), *values])
    return salted_hmac("scoring.key", value, algorithm="sha256").hexdigest()[:32]


def code_for(tap_id: UUID, *values: str) -> str:
    number = int(key_for(tap_id, "code", *values), 16)
    return "".join(
        CODE_ALPHABET[number // len(CODE_ALPHABET) ** place % len(CODE_ALPHABET)]
        for place in range(CODE_LENGTH)
    )


def key_hash(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def opens(key: str, hashed: str | None) -> bool:
    return hashed is not None and constant_time_compare(key_hash(key), hashed)


def in_browser(request: HttpRequest, kind: str) -> dict[str, str]:
    """Return the keys of a kind in this browser's cookies by code, the latest last."""
    keys = {
        name.removeprefix(kind): key
        for name, key in request.COOKIES.items()
        if name.startswith(kind) and _KEY.fullmatch(key)
    }
    return dict(list(keys.items())[-KEYS_MAX:])


def hand_over(request: HttpRequest, response: HttpResponse, kind: str, code: str, key: str) -> None:
    """Give the browser a key, and drop its oldest keys beyond ``KEYS_MAX``."""
    others = [other for other in in_browser(request, kind) if other != code]  # oldest first
    for old in others[: len(others) + 1 - KEYS_MAX]:
        response.delete_cookie(kind + old, samesite="Lax")
    response.set_cookie(
        kind + code,
        key,
        max_age=COOKIE_AGE,
        httponly=True,
        samesite="Lax",
        secure=settings.HTTPS or request.is_secure(),
    )
