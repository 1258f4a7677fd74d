"""Who may do what: one function for each question, and the scorekeeper's keys.

Whoever opens a set's secret scorekeeper link gets its key in a cookie. For a set of a playgroup the
key works until a day after the end, so that a last tap can be put right; after that only the
playgroup's scorekeepers and owners can change the set.
"""

from datetime import timedelta
from typing import Any, cast
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from coalition_site.lib import keys as browser_keys
from coalition_site.lib.keys import key_for as key_for
from coalition_site.lib.keys import key_hash as key_hash
from coalition_site.lib.keys import new_key as new_key

from .models import Evening, Game, GameSet, Membership, Playgroup, Seat
from .models.people import Role, Visibility
from .models.record import Phones
from .rules.move import Move

COOKIE = "key-"  # followed by the set's code
SEAT_COOKIE = "seat-"  # likewise
OPEN_AFTER = timedelta(days=1)


def keys(request: HttpRequest) -> dict[str, str]:
    return browser_keys.in_browser(request, COOKIE)


def tables_in_browser(request: HttpRequest) -> set[str]:
    return {*keys(request), *browser_keys.in_browser(request, SEAT_COOKIE)}


def may_watch(request: HttpRequest, game_set: GameSet) -> bool:
    """Return whether the visitor may see a set: everybody may, unless its playgroup is private,
    or it is a table to try, which only its browser sees."""
    if game_set.trial_until:
        return _has_key(request, game_set)
    group = game_set.playgroup
    return (
        group is None
        or may_see(request, group)
        or _has_key(request, game_set)
        or (not _is_closed(game_set) and seat_of(request, game_set) is not None)
    )


def seat_of(request: HttpRequest, game_set: GameSet) -> Seat | None:
    """Return the seat that the visitor has the link of, if it still works."""
    own = browser_keys.in_browser(request, SEAT_COOKIE).get(game_set.code, "")
    seats = [seat for seat in seats_in_browser(request) if seat.game_set_id == game_set.pk]
    # A browser may have the links of two who sat at a table before: its own cookie decides.
    return max(seats, key=lambda seat: seat.link.key_hash == key_hash(own), default=None)


def seats_in_browser(request: HttpRequest) -> list[Seat]:
    """Return the seats that this browser has links of, the latest table's last. A query if it has
    any, the first time in a request."""
    remembered: list[Seat] | None = getattr(request, "seats_in_browser", None)
    if remembered is None:
        keys = browser_keys.in_browser(request, SEAT_COOKIE)
        seats = Seat.objects.filter(link__key_hash__in=[*map(key_hash, keys.values())])
        linked = seats.select_related("link", "game_set").order_by("game_set_id")
        cache: Any = request
        cache.seats_in_browser = remembered = list(linked) if keys else []
    return remembered


def acting_seat(request: HttpRequest, game_set: GameSet) -> Seat | None:
    """Return the seat at which the visitor may seal, look, reveal, vote and confirm: the seat that
    the visitor has the link of, until the set's links expire. A query with a key."""
    return None if _is_closed(game_set) else seat_of(request, game_set)


def may_report(seat: Seat, game: Game, move: Move) -> bool:
    """Return whether whoever acts at a seat may record a move in a game: one of the player's own,
    where the table trusts players' phones or the format always leaves it to players."""
    rules, phones = seat.game_set.rules, seat.game_set.phones
    is_trusted = phones == Phones.TRUSTED or type(move) in rules.always_own
    return is_trusted and rules.is_own(game.current_state, move, seat.number)


def may_propose(seat: Seat, game: Game, move: Move) -> bool:
    """Return whether whoever acts at a seat may propose a move to the scorekeeper."""
    rules, phones = seat.game_set.rules, seat.game_set.phones
    is_proposed = phones == Phones.PROPOSE and type(move) not in rules.always_own
    return is_proposed and rules.is_own(game.current_state, move, seat.number)


def may_bring(request: HttpRequest, seat: Seat) -> bool:
    """Return whether the visitor may bring a deck to a seat: whoever keeps the score, whoever sits
    there by the account of its player, and whoever has the seat link."""
    account = seat.player.user_id if seat.player else None
    if account is not None and account == request.user.pk:
        return True
    return may_score(request, seat.game_set) or seat_of(request, seat.game_set) == seat


def seat_with_key(game_set: GameSet, key: str) -> Seat | None:
    return Seat.objects.filter(game_set=game_set, link__key_hash=key_hash(key)).first()


def join_key(game_set: GameSet) -> str:
    """Return the secret of the link by which players take free seats, "" where nobody can. It
    follows from the scorekeeper's: with a new one of those, the old one opens nothing."""
    if not game_set.key_hash or game_set.is_trial or game_set.finished_at:
        return ""
    return key_for(game_set.key_hash, game_set.code, "join")


def may_join(game_set: GameSet, key: str) -> bool:
    right = join_key(game_set)
    return bool(right) and constant_time_compare(key, right)


def coming_key(evening: Evening) -> str:
    """Return the secret of the link by which people say that they come, "" where nobody can."""
    if evening.invitation is None or evening.ended_at:
        return ""
    return key_for(UUID(int=evening.seed), "coming", str(evening.pk), str(evening.invitation))


def may_say_they_come(evening: Evening, key: str) -> bool:
    right = coming_key(evening)
    return bool(right) and constant_time_compare(key, right)


def is_for_members(game_set: GameSet) -> bool:
    return game_set.playgroup is not None and game_set.playgroup.is_private


def is_open_to_all_of(game_set: GameSet, other: GameSet) -> bool:
    """Return whether everybody who may see ``other`` may see the set as well, keys aside."""
    return not is_for_members(game_set) or game_set.playgroup_id == other.playgroup_id


def visible_group(request: HttpRequest, game_set: GameSet) -> Playgroup | None:
    """Return the playgroup of a set if the visitor may see it; a key of the set is not enough."""
    group = game_set.playgroup
    return group if group and may_see(request, group) else None


def may_score(request: HttpRequest, game_set: GameSet) -> bool:
    """Return whether the visitor may score a set: by a key that still works, or as a scorekeeper
    of its playgroup."""
    if _has_key(request, game_set):
        return True
    return game_set.playgroup is not None and may_score_for(request, game_set.playgroup)


def may_play_again(request: HttpRequest, game_set: GameSet) -> bool:
    """Return whether the visitor may seat a set's people again."""
    if game_set.draft_id is not None:  # played again by the draft, with its decks
        return False
    group = game_set.playgroup
    return may_score_for(request, group) if group else _has_key(request, game_set)


def _has_key(request: HttpRequest, game_set: GameSet) -> bool:
    key = request.COOKIES.get(COOKIE + game_set.code, "")
    return browser_keys.opens(key, game_set.key_hash) and not _is_closed(game_set)


def _is_closed(game_set: GameSet) -> bool:
    ended = game_set.finished_at
    # A quick table has no owners who could still correct it, so its key never expires.
    return (
        game_set.playgroup_id is not None
        and ended is not None
        and ended + OPEN_AFTER < timezone.now()
    )


def may_see(request: HttpRequest, group: Playgroup) -> bool:
    return not group.is_private or belongs(request, group)


def may_find(request: HttpRequest, group: Playgroup) -> bool:
    """Return whether the visitor may find a playgroup in lists, without its link."""
    return is_listed(group) or belongs(request, group)


def is_listed(group: Playgroup | None) -> bool:
    """Return whether a playgroup and its sets are listed; a quick table never is."""
    return group is not None and group.visibility == Visibility.PUBLIC


def belongs(request: HttpRequest, group: Playgroup) -> bool:
    return role(request, group) is not None


def may_score_for(request: HttpRequest, group: Playgroup) -> bool:
    return role(request, group) in (Role.OWNER, Role.SCOREKEEPER)


def may_run(request: HttpRequest, group: Playgroup) -> bool:
    """Return whether the visitor may change a playgroup, its people, sets and seasons."""
    return role(request, group) == Role.OWNER


def may_replay(request: HttpRequest, group: Playgroup) -> bool:
    """Return whether the visitor may see a playgroup's board without the sets of some decks."""
    # It is for those who decide on bans.
    is_editor = request.user.has_perm("decks.change_banentry")
    return may_run(request, group) or (is_editor and may_find(request, group))


def may_take(request: HttpRequest, game_set: GameSet, group: Playgroup) -> bool:
    """Return whether the visitor may move a set into a playgroup, or change who sat there."""
    # A set of a playgroup is moved by an owner of that playgroup; its scorekeepers may change who
    # sat there until the set is finished.
    current = game_set.playgroup
    if game_set.is_trial:
        return False
    if current is None:
        may_move = _has_key(request, game_set)
    else:
        may_move = may_run(request, current) or (current == group and not game_set.finished_at)
    return may_move and may_score_for(request, group)


def role(request: HttpRequest, group: Playgroup) -> str | None:
    if request.user.is_superuser:
        return Role.OWNER
    if hasattr(group, "visitors_role"):  # a query for the group has brought it along
        return group.visitors_role
    cache: Any = request  # for this request only
    if not hasattr(request, "visitors_roles"):
        memberships = Membership.objects.filter(user=request.user.pk)
        cache.visitors_roles = dict(memberships.values_list("playgroup", "role"))
    return cast(str | None, cache.visitors_roles.get(group.pk))


def opens(key: str, game_set: GameSet) -> bool:
    """Return whether a key is the set's; no key is, once scoring was closed for good."""
    return browser_keys.opens(key, game_set.key_hash)


def hand_over(request: HttpRequest, response: HttpResponse, code: str, key: str) -> None:
    browser_keys.hand_over(request, response, COOKIE, code, key)


def hand_over_seat(request: HttpRequest, response: HttpResponse, code: str, key: str) -> None:
    browser_keys.hand_over(request, response, SEAT_COOKIE, code, key)
