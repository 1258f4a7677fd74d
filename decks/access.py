"""Who may do what with a deck: anybody with its link sees it, who holds its key changes it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from coalition_site import keys

from .models import Deck

COOKIE = "deck-"  # and the deck's code


def held(request: HttpRequest) -> dict[str, str]:
    """Return the secrets of decks that this browser holds, by the deck's code."""
    return keys.held(request, COOKIE)


def may_change(request: HttpRequest, deck: Deck) -> bool:
    """Say whether the visitor holds the deck's key."""
    return opens(held(request).get(deck.code, ""), deck)


def opens(key: str, deck: Deck) -> bool:
    """Say whether a secret is the deck's."""
    return keys.opens(key, deck.key_hash)


def hand_over(request: HttpRequest, response: HttpResponse, code: str, key: str) -> None:
    """Give the browser the key of a deck."""
    keys.hand_over(request, response, COOKIE, code, key)
