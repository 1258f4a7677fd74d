"""Who may do what: one function per question, and the scorekeeper's keys.

Whoever opens a set's secret scorekeeper link gets its secret as a cookie. A set of a playgroup it
opens until a day after the end, which is there to put a last tap right; from then on only the role
of an account does.
"""

from __future__ import annotations

from datetime import timedelta

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from coalition_site.lib import keys as held_keys
from coalition_site.lib.keys import key_for, key_hash, new_key

from .models import GameSet, Membership, Playgroup
from .models.people import Role, Visibility

__all__ = [
    "belongs",
    "group_shown",
    "hand_over",
    "is_for_members",
    "is_listed",
    "is_open_to_all_of",
    "key_for",
    "key_hash",
    "keys",
    "may_find",
    "may_run",
    "may_score",
    "may_score_for",
    "may_see",
    "may_take",
    "may_watch",
    "new_key",
    "opens",
]

COOKIE = "key-"  # and the set's code
OPEN_AFTER = timedelta(days=1)


def keys(request: HttpRequest) -> dict[str, str]:
    """Return the secrets this browser holds by the set's code, the latest last."""
    return held_keys.in_browser(request, COOKIE)


def may_watch(request: HttpRequest, game_set: GameSet) -> bool:
    """Say whether the visitor may see a set: whoever has its link, if its playgroup is not
    private."""
    group = game_set.playgroup
    return group is None or may_see(request, group) or _holds_key(request, game_set)


def is_for_members(game_set: GameSet) -> bool:
    """Say whether a set's link is for the members of its playgroup only."""
    return game_set.playgroup is not None and game_set.playgroup.is_private


def is_open_to_all_of(game_set: GameSet, other: GameSet) -> bool:
    """Say whether all who may see one set may see this one, too, keys aside."""
    return not is_for_members(game_set) or game_set.playgroup_id == other.playgroup_id


def group_shown(request: HttpRequest, game_set: GameSet) -> Playgroup | None:
    """Return the playgroup of a set, if the visitor may see it: a key opens the set alone."""
    group = game_set.playgroup
    return group if group and may_see(request, group) else None


def may_score(request: HttpRequest, game_set: GameSet) -> bool:
    """Return whether the visitor holds a key that still opens the set, or keeps score for its
    group."""
    if _holds_key(request, game_set):
        return True
    return game_set.playgroup is not None and may_score_for(request, game_set.playgroup)


def _holds_key(request: HttpRequest, game_set: GameSet) -> bool:
    if not opens(keys(request).get(game_set.code, ""), game_set):
        return False
    ended = game_set.finished_at
    is_closed = ended is not None and ended + OPEN_AFTER < timezone.now()
    return game_set.playgroup_id is None or not is_closed


def may_see(request: HttpRequest, group: Playgroup) -> bool:
    """Say whether the visitor may see a playgroup: a private one is for its members."""
    return not group.is_private or belongs(request, group)


def may_find(request: HttpRequest, group: Playgroup) -> bool:
    """Say whether the visitor may come upon a playgroup without having its link."""
    return is_listed(group) or belongs(request, group)


def is_listed(group: Playgroup | None) -> bool:
    """Return whether anybody may come upon a playgroup and its sets; upon a quick table nobody."""
    return group is not None and group.visibility == Visibility.PUBLIC


def belongs(request: HttpRequest, group: Playgroup) -> bool:
    """Say whether the visitor is a member of a playgroup."""
    return role(request, group) is not None


def may_score_for(request: HttpRequest, group: Playgroup) -> bool:
    """Say whether the visitor may start and score tables of a playgroup."""
    return role(request, group) in (Role.OWNER, Role.SCOREKEEPER)


def may_run(request: HttpRequest, group: Playgroup) -> bool:
    """Say whether the visitor may change a playgroup, its people, sets and seasons."""
    return role(request, group) == Role.OWNER


def may_take(request: HttpRequest, game_set: GameSet, group: Playgroup) -> bool:
    """Say whether the visitor may take a set into a playgroup, and say who sat there.

    A quick table needs its key. Once it is in a playgroup, only who runs that one may move it;
    who keeps score there may say who sat there until the set is finished.
    """
    now = game_set.playgroup
    if now is None:
        may_touch = _holds_key(request, game_set)
    else:
        may_touch = may_run(request, now) or (now == group and not game_set.finished_at)
    return may_touch and may_score_for(request, group)


def role(request: HttpRequest, group: Playgroup) -> str | None:
    """Return the visitor's role in a playgroup. One query, the first time a request asks."""
    if request.user.is_superuser:
        return Role.OWNER
    if hasattr(group, "visitors_role"):
        return group.visitors_role
    if not hasattr(request, "visitors_roles"):
        found = Membership.objects.filter(user=request.user.pk)
        request.visitors_roles = dict(found.values_list("playgroup", "role"))
    return request.visitors_roles.get(group.pk)


def opens(key: str, game_set: GameSet) -> bool:
    """Say whether a secret is the set's; none is once the link was revoked."""
    return held_keys.opens(key, game_set.key_hash)


def hand_over(request: HttpRequest, response: HttpResponse, code: str, key: str) -> None:
    """Give the browser the secret of a set, beside the latest that it holds."""
    held_keys.hand_over(request, response, COOKIE, code, key)
