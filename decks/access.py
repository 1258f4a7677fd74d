"""Who may do what with a deck: whoever has its link sees it.

A deck that belongs to an account is changed by that account alone, on every browser. Any other deck
is changed by whoever has its key.

A playgroup's ban list is visible to whoever may see the playgroup, and changed by its owners; a
format's by the editors of ban lists.
"""

from typing import Any, cast

from django.conf import settings
from django.db.models import Q
from django.http import HttpRequest, HttpResponse

from coalition_site.lib import keys

from . import queries, record
from .models import BanList, Deck

COOKIE = "deck-"  # followed by the deck's code
IN_HAND = "building"


def browser_keys(request: HttpRequest) -> dict[str, str]:
    return keys.in_browser(request, COOKIE)


def may_change(request: HttpRequest, deck: Deck) -> bool:
    if deck.owner_id is not None:
        return deck.owner_id == request.user.pk
    return opens(browser_keys(request).get(deck.code, ""), deck)


def may_take_in(request: HttpRequest, deck: Deck) -> bool:
    is_free = deck.owner_id is None and request.user.is_authenticated
    return is_free and may_change(request, deck)


def opens(key: str, deck: Deck) -> bool:
    """Return whether a key opens a deck: nothing opens an account's."""
    return deck.owner_id is None and keys.opens(key, deck.key_hash)


def own_decks(request: HttpRequest) -> list[Deck]:
    wanted = Q(code__in=list(browser_keys(request)))
    if request.user.is_authenticated:
        wanted |= Q(owner=request.user)
    decks = Deck.objects.filter(wanted).order_by("-created_at", "-pk")
    return [deck for deck in decks if may_change(request, deck)]


def may_see_list(request: HttpRequest, ban_list: BanList) -> bool:
    group = getattr(ban_list, "group", None)  # a format's list has no playgroup
    return group is None or record.may_see(request, group)


def may_edit_list(request: HttpRequest, ban_list: BanList) -> bool:
    group = getattr(ban_list, "group", None)
    if group is not None:
        return record.may_run(request, group)
    if ban_list.base_id:  # of nobody's playgroup
        return bool(request.user.is_superuser)
    return request.user.has_perm("decks.change_banentry")


def may_see_imports(request: HttpRequest) -> bool:
    return request.user.has_perm("decks.change_banentry")


def may_find_list(request: HttpRequest, ban_list: BanList) -> bool:
    group = getattr(ban_list, "group", None)
    return group is None or record.may_find(request, group)


def is_listed(ban_list: BanList) -> bool:
    group = getattr(ban_list, "group", None)
    return group is None or record.is_listed(group)


def house_lists(request: HttpRequest) -> list[BanList]:
    """Return the playgroups' lists that may be offered to the visitor. Two queries at most."""
    houses = BanList.objects.exclude(base=None).select_related("group")
    return [ban_list for ban_list in houses if may_find_list(request, ban_list)]


def hand_over(request: HttpRequest, response: HttpResponse, code: str, key: str) -> None:
    keys.hand_over(request, response, COOKIE, code, key)


def take_in_hand(request: HttpRequest, response: HttpResponse, deck: Deck) -> None:
    """Make a deck the one that the browser adds cards to, until it is closed."""
    is_secure = settings.HTTPS or request.is_secure()
    response.set_cookie(IN_HAND, deck.code, httponly=True, samesite="Lax", secure=is_secure)


def deck_in_hand(request: HttpRequest) -> Deck | None:
    """Return the deck that the browser adds cards to, with its latest ``ruleset``. One query."""
    cache: Any = request  # for this request only
    if not hasattr(request, "deck_in_hand"):
        deck = queries.deck_with_ruleset(request.COOKIES.get(IN_HAND, ""))
        cache.deck_in_hand = deck if deck and may_change(request, deck) else None
    return cast(Deck | None, cache.deck_in_hand)
