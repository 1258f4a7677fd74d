"""Who may do what with a deck: anybody with its link sees it, who holds its key changes it.

A playgroup's ban list is for those who may see the playgroup.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from coalition_site.lib import keys

from . import queries, record
from .models import BanList, Deck

COOKIE = "deck-"  # and the deck's code


def held(request: HttpRequest) -> dict[str, str]:
    """Return the secrets of decks that this browser holds, by the deck's code."""
    return keys.in_browser(request, COOKIE)


def may_change(request: HttpRequest, deck: Deck) -> bool:
    """Say whether the visitor holds the deck's key."""
    return opens(held(request).get(deck.code, ""), deck)


def opens(key: str, deck: Deck) -> bool:
    """Say whether a secret is the deck's."""
    return keys.opens(key, deck.key_hash)


def may_see_list(request: HttpRequest, ban_list: BanList) -> bool:
    """Say whether the visitor may see a ban list: that of a private playgroup is its members'."""
    group = getattr(ban_list, "group", None)
    return group is None or record.may_see(request, group)


def may_find_list(request: HttpRequest, ban_list: BanList) -> bool:
    """Say whether the visitor may come upon a ban list without having its link."""
    group = getattr(ban_list, "group", None)
    return group is None or record.may_find(request, group)


def is_listed(ban_list: BanList) -> bool:
    """Return whether anybody may come upon a ban list: a format's, or a public playgroup's."""
    group = getattr(ban_list, "group", None)
    return group is None or record.is_listed(group)


def houses(request: HttpRequest) -> list[BanList]:
    """Return the lists of playgroups that the visitor may come upon. Two queries at most."""
    return [one for one in queries.houses() if may_find_list(request, one)]


def hand_over(request: HttpRequest, response: HttpResponse, code: str, key: str) -> None:
    """Give the browser the key of a deck."""
    keys.hand_over(request, response, COOKIE, code, key)
