"""What people do with playgroups: who plays in them, who is who, and which sets are theirs.

What is refused has written nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Value
from django.db.models.functions import Lower
from django.utils import timezone

from coalition_site.lib.keys import new_code
from decks.bans.commands import day
from decks.models import BanList

from ..models import Claim, GameSet, Membership, Player, Playgroup, Seat, SetResult
from ..models.people import Role
from ..play import decks, recording
from ..play.errors import GroupRefused
from ..play.queries import Table
from ..results import counting, ratings
from ..rules.formats import FORMATS, RULESETS


def found(
    name: str,
    owner: User | None,
    *,
    visibility: str,
    ruleset: str,
    zone: str = "UTC",
    code: str | None = None,
) -> Playgroup:
    """Make a playgroup with its owner; without one, only superusers can change it.

    A ``code`` that the owner's playgroup has already gives that one again.
    """
    now = timezone.now()
    try:
        with transaction.atomic():
            group = Playgroup.objects.create(
                code=code or new_code(),
                name=name,
                visibility=visibility,
                ruleset=ruleset,
                zone=zone,
                created_at=now,
            )
            if owner:
                Membership.objects.create(
                    playgroup=group, user=owner, role=Role.OWNER, joined_at=now
                )
    except IntegrityError:
        known = Playgroup.objects.filter(code=code, memberships__user=owner).first()
        if code is None or owner is None or known is None:
            raise
        return known
    return group


# --- players ---
def player_called(group: Playgroup, name: str) -> Player:
    """Return the player of a name, whom there is from now on if there was none."""
    return find_player(group, name) or add_player(group, name)


def find_player(group: Playgroup, name: str) -> Player | None:
    """Return the player of a name, with capitals or without. One query."""
    low = Lower(Value(name))  # of the database, as in the constraint
    return group.players.alias(low=Lower("name")).filter(low=low).first()


def add_player(group: Playgroup, name: str, *, is_guest: bool = False) -> Player:
    """Add a player without an account.

    :raises GroupRefused: if the name is taken.
    """
    try:
        with transaction.atomic():
            counting.hold(group.pk)
            return Player.objects.create(playgroup=group, name=name, is_guest=is_guest)
    except IntegrityError as error:
        raise _name_taken(name) from error


def change_player(player: Player, name: str, *, is_guest: bool) -> None:
    """Change a player's name, and whether lists leave the player out.

    :raises GroupRefused: if the name is taken.
    """
    try:
        with transaction.atomic():
            counting.hold(player.playgroup_id)
            Player.objects.filter(pk=player.pk).update(name=name, is_guest=is_guest)
    except IntegrityError as error:
        raise _name_taken(name) from error


def _name_taken(name: str) -> GroupRefused:
    return GroupRefused(f"There is a player called {name} already. Choose another name.")


# --- whose account a player is ---
def claim(player: Player, user: User, *, confirmed: bool = False) -> None:
    """Say that a player is an account's own; with ``confirmed`` it is from now on.

    Whatever else the account claimed in the playgroup, it claims no more.

    :raises GroupRefused: if the player has an account, or the account a player.
    """
    with transaction.atomic():
        counting.hold(player.playgroup_id)
        _check_unclaimed(player, user)
        others = Claim.objects.filter(player__playgroup=player.playgroup_id, user=user)
        others.exclude(player=player).delete()
        Claim.objects.get_or_create(
            player=player, user=user, defaults={"claimed_at": timezone.now()}
        )
        if confirmed:
            _give_account(player, user)


def _check_unclaimed(player: Player, user: User) -> None:
    merged = _merged(player.playgroup_id)
    same = _same(counting.root(player.pk, merged), merged)
    has = Player.objects.filter(pk__in=same).exclude(user=None).first()
    if has and has.user_id != user.pk:
        raise GroupRefused(
            f"{player.name} is somebody else’s already. An owner can take that account off first."
        )
    own = Player.objects.filter(playgroup=player.playgroup_id, user=user).first()
    if own and own.pk in same:
        raise GroupRefused(f"{player.name} is {user} already.")
    if own:
        raise GroupRefused(
            f"{user} is {own.name} here. If {player.name} is the same person, merge the two."
        )


def _give_account(player: Player, user: User) -> None:
    Player.objects.filter(pk=player.pk).update(user=user)
    Claim.objects.filter(player=player).delete()


def confirm(claimed: Claim) -> None:
    """Let a player be the account's that claims it; others who claim the player do so no more.

    :raises GroupRefused: if that was taken back, or somebody else was confirmed.
    """
    with transaction.atomic():
        counting.hold(claimed.player.playgroup_id)
        if not Claim.objects.filter(pk=claimed.pk).exists():
            raise GroupRefused("That claim is not there any more. Load the page anew.")
        _check_unclaimed(claimed.player, claimed.user)
        _give_account(claimed.player, claimed.user)


def decline(claimed: Claim) -> None:
    """Let a claim be void."""
    Claim.objects.filter(pk=claimed.pk).delete()


def release(player: Player) -> None:
    """Take the account off a player, who keeps all results."""
    with transaction.atomic():
        counting.hold(player.playgroup_id)
        same = _same(_root(player), _merged(player.playgroup_id))
        Player.objects.filter(pk__in=same).update(user=None)


# --- merging players ---
@dataclass(frozen=True)
class Merging:
    """What a merge does: the sets of each side, and how many of them are finished."""

    player: Player
    into: Player
    moved: int
    finished: int
    own: int


def preview(player: Player, into: Player) -> Merging:
    """Return what a merge would do. It changes nothing.

    :raises GroupRefused: if it can't be.
    """
    merged = _merged(player.playgroup_id)
    _check_mergeable(player, into, merged)
    own = Seat.objects.filter(player__in=_same(counting.root(into.pk, merged), merged))
    return Merging(
        player,
        into,
        moved=Seat.objects.filter(player__in=_same(player.pk, merged)).count(),
        finished=SetResult.objects.filter(player=player).count(),
        own=own.count(),
    )


def merge(player: Player, into: Player) -> None:
    """Let all results of a player be those of another, who is the same person.

    :raises GroupRefused: if they can't be the same.
    """
    with transaction.atomic():
        counting.hold(player.playgroup_id)
        player.refresh_from_db()
        merged = _merged(player.playgroup_id)  # as it was before
        _check_mergeable(player, into, merged)
        player.merged_into = into
        player.save(update_fields=["merged_into"])
        _move_results(_same(player.pk, merged), player.pk, counting.root(into.pk, merged))


def separate(player: Player) -> None:
    """Take a merge back: the results of the player, and of who is merged into it, are its own.

    :raises GroupRefused: if the player is not merged.
    """
    with transaction.atomic():
        counting.hold(player.playgroup_id)
        player.refresh_from_db()
        if player.merged_into_id is None:
            raise GroupRefused(f"{player.name} is not merged into anybody.")
        was = _root(player)
        player.merged_into = None
        player.save(update_fields=["merged_into"])
        _move_results(_same(player.pk, _merged(player.playgroup_id)), was, player.pk)


def _merged(playgroup: int) -> dict[int, int | None]:
    """Return into whom each player of a playgroup is merged. One query."""
    return dict(Player.objects.filter(playgroup=playgroup).values_list("pk", "merged_into"))


def _root(player: Player) -> int:
    return counting.root(player.pk, _merged(player.playgroup_id))


def _same(root: int, merged: dict[int, int | None]) -> list[int]:
    """Return a player and all who are merged into it, one through the other.

    >>> _same(2, {1: 2, 2: None, 3: 1, 4: None})
    [1, 2, 3]
    """
    found = {root}
    while more := {one for one, into in merged.items() if into in found} - found:
        found |= more
    return sorted(found)


def _check_mergeable(player: Player, into: Player, merged: dict[int, int | None]) -> None:
    if into.playgroup_id != player.playgroup_id:
        raise GroupRefused("They are of two playgroups. Only players of one can be merged.")
    if into.pk == player.pk:
        raise GroupRefused(f"{player.name} can’t be merged into the same player.")
    if merged[player.pk]:
        raise GroupRefused(f"{player.name} is merged already. Take that back first.")
    root = counting.root(into.pk, merged)
    if root == player.pk:
        raise GroupRefused(
            f"{into.name} is merged into {player.name} already. Take that back first."
        )
    these, those = _same(player.pk, merged), _same(root, merged)
    _check_accounts(player, into, these, those)
    _check_apart(player, into, these, those)


def _check_accounts(
    player: Player, into: Player, these: Collection[int], those: Collection[int]
) -> None:
    has = [
        Player.objects.filter(pk__in=side).exclude(user=None).exists() for side in (these, those)
    ]
    if all(has):
        raise GroupRefused(
            f"{player.name} and {into.name} have an account each, so they are two people. "
            f"If they are not, take the account off one of them first."
        )


def _check_apart(
    player: Player, into: Player, these: Collection[int], those: Collection[int]
) -> None:
    sets = GameSet.objects.filter(seats__player__in=these).order_by("created_at")
    shared = sets.filter(pk__in=Seat.objects.filter(player__in=those).values("game_set")).first()
    if shared:
        zone = ZoneInfo(player.playgroup.zone)
        on = day((shared.finished_at or shared.created_at).astimezone(zone).date())
        raise GroupRefused(
            f"{player.name} and {into.name} sat at the same table in the set of {on}, so they "
            f"are two people. If that is wrong, correct who sat there first."
        )


def _move_results(players: Collection[int], was: int, now: int) -> None:
    """Let the results of some players' seats, which were one player's, be another's; count anew."""
    moved = SetResult.objects.filter(player=was, seat__player__in=players)
    found = list(moved.select_related("game_set"))
    SetResult.objects.filter(pk__in=[one.pk for one in found]).update(player=now)
    counting.count({(player, one.played_on) for one in found for player in (was, now)})
    for rulesets in FORMATS.values():
        keys = [ruleset.key for ruleset in rulesets]
        ends = [one.finished_at for one in found if one.game_set.ruleset in keys]
        if ends:
            ratings.rate_from(min(ends), found[0].game_set.playgroup_id, keys)


# --- sets ---
def seated(group: Playgroup, names: Sequence[str]) -> list[Player]:
    """Return the players of a table by their names; who is new is one from now on.

    :raises GroupRefused: if two of them are the same person.
    """
    counting.hold(group.pk)
    players = [player_called(group, name) for name in names]
    merged = _merged(group.pk)
    by_root: dict[int, str] = {}
    for player, name in zip(players, names, strict=True):
        root = counting.root(player.pk, merged)
        if root in by_root:
            raise GroupRefused(
                f"{by_root[root]} and {name} are the same player in {group.name}. "
                f"Choose another name for one of them."
            )
        by_root[root] = name
    return players


def house_of(group: Playgroup, ruleset: str) -> BanList | None:
    """Return the ban list of a playgroup's own for sets of a ruleset, None: the format's."""
    house = group.house
    return house if house and RULESETS[ruleset] in FORMATS.get(house.format, ()) else None


def take(table: Table, group: Playgroup, names: Mapping[int, str] | None = None) -> None:
    """Take a set into a playgroup; each seat is the player of its name, or of that in ``names``.

    A set that is in a playgroup already moves from there with its results.

    :raises GroupRefused: if two of the seats are the same person, or it moved meanwhile.
    :raises IllegalDeck: if a deck is brought that the playgroup's list refuses.
    """
    with _held_where_seen(table):
        _leave(table, group)
        seats = list(Seat.objects.filter(game_set=table.game_set).order_by("number"))
        called = [(names or {}).get(seat.number) or seat.name for seat in seats]
        for seat, player in zip(seats, seated(group, called), strict=True):
            seat.player = player
        Seat.objects.bulk_update(seats, ["player"])
        _put(table, group)


def take_out(table: Table) -> None:
    """Let a set be a quick table again, of no playgroup.

    :raises GroupRefused: if it moved meanwhile.
    :raises IllegalDeck: if a deck is brought that the format's list refuses.
    """
    with _held_where_seen(table):
        _leave(table)
        _put(table, None)


@contextmanager
def _held_where_seen(table: Table) -> Iterator[None]:
    """Hold a set that is still in the playgroup in which the table has it.

    Who may move it was asked of that one.
    """
    seen = table.game_set.playgroup
    with recording.held(table):
        now = table.game_set.playgroup
        if now != seen:
            # Without names: who moves it may not see where it went.
            into = "another playgroup" if seen else "a playgroup"
            done = f"taken into {into}" if now else "taken out of its playgroup"
            raise GroupRefused(f"It was {done} meanwhile. Load the page anew.")
        yield


def _leave(table: Table, to: Playgroup | None = None) -> None:
    """Take the results of a set out of the count, and the players off its seats."""
    touched = {table.game_set.playgroup_id, to.pk if to else None} - {None}
    for key in sorted(touched):  # always in this order: two locks in two orders deadlock
        counting.hold(key)
    counting.replace(table.game_set, [])
    Seat.objects.filter(game_set=table.game_set).update(player=None)


def _put(table: Table, group: Playgroup | None) -> None:
    """Let a set be of a playgroup or of none; until it is finished, that one's list judges it."""
    game_set, house = table.game_set, house_of(group, table.game_set.ruleset) if group else None
    if house != game_set.house and not game_set.finished_at:
        decks.judge_anew(table, house)
    game_set.playgroup, game_set.house = group, house
    game_set.save(update_fields=["playgroup", "house"])
    recording.settle(table)
