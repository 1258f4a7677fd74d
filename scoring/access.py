"""Who may do what: one function per question, and the scorekeeper's keys.

Whoever opens a set's secret scorekeeper link gets its secret as a cookie.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from coalition_site import keys as held_keys
from coalition_site.keys import key_for, key_hash, new_key

from .models import GameSet

__all__ = [
    "hand_over",
    "key_for",
    "key_hash",
    "keys",
    "may_score",
    "may_watch",
    "new_key",
    "opens",
]

COOKIE = "key-"  # and the set's code


def keys(request: HttpRequest) -> dict[str, str]:
    """Return the secrets this browser holds by the set's code, the latest last."""
    return held_keys.held(request, COOKIE)


def may_watch(request: HttpRequest, game_set: GameSet) -> bool:
    """Say whether the visitor may see a set: anybody who has its public link may."""
    return True


def may_score(request: HttpRequest, game_set: GameSet) -> bool:
    """Say whether the visitor holds the set's scorekeeper link."""
    return opens(keys(request).get(game_set.code, ""), game_set)


def opens(key: str, game_set: GameSet) -> bool:
    """Say whether a secret is the set's; none is once the link was revoked."""
    return held_keys.opens(key, game_set.key_hash)


def hand_over(request: HttpRequest, response: HttpResponse, code: str, key: str) -> None:
    """Give the browser the secret of a set, beside the latest that it holds."""
    held_keys.hand_over(request, response, COOKIE, code, key)
