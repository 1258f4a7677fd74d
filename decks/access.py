"""Who may do what with a deck: whoever has its link sees it, whoever has its key changes it.

A playgroup's ban list is visible to whoever may see the playgroup, and changed by its owners; a
format's by the editors of ban lists.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from coalition_site.lib import keys

from . import queries, record
from .models import BanList, Deck

COOKIE = "deck-"  # followed by the deck's code


def browser_keys(request: HttpRequest) -> dict[str, str]:
    """Return the deck keys in this browser's cookies, by the decks' codes."""
    return keys.in_browser(request, COOKIE)


def may_change(request: HttpRequest, deck: Deck) -> bool:
    """Return whether the visitor's browser has the deck's key."""
    return opens(browser_keys(request).get(deck.code, ""), deck)


def opens(key: str, deck: Deck) -> bool:
    """Return whether a key is the deck's."""
    return keys.opens(key, deck.key_hash)


def may_see_list(request: HttpRequest, ban_list: BanList) -> bool:
    """Return whether the visitor may see a ban list; a private playgroup's is for its members."""
    group = getattr(ban_list, "group", None)  # a format's list has no playgroup
    return group is None or record.may_see(request, group)


def may_edit_list(request: HttpRequest, ban_list: BanList) -> bool:
    """Return whether the visitor may draft and publish announcements of a ban list.

    A list of nobody's playgroup is the administrators'.
    """
    group = getattr(ban_list, "group", None)
    if group is not None:
        return record.may_run(request, group)
    if ban_list.base_id:
        return bool(request.user.is_superuser)
    return request.user.has_perm("decks.change_banentry")


def may_find_list(request: HttpRequest, ban_list: BanList) -> bool:
    """Return whether a ban list may be offered to the visitor, who may not have its link."""
    group = getattr(ban_list, "group", None)
    return group is None or record.may_find(request, group)


def is_listed(ban_list: BanList) -> bool:
    """Return whether a ban list may be offered to anybody: a format's or a public playgroup's."""
    group = getattr(ban_list, "group", None)
    return group is None or record.is_listed(group)


def house_lists(request: HttpRequest) -> list[BanList]:
    """Return the playgroups' lists that may be offered to the visitor. Two queries at most."""
    return [ban_list for ban_list in queries.house_lists() if may_find_list(request, ban_list)]


def hand_over(request: HttpRequest, response: HttpResponse, code: str, key: str) -> None:
    """Store a deck's key in the visitor's browser."""
    keys.hand_over(request, response, COOKIE, code, key)
