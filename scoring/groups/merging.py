"""Merging players who are the same person, and separating them again."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.db import transaction

from decks.bans.commands import day

from ..models import GameSet, Player, Seat, SetResult
from ..play.errors import GroupRefused
from ..play.seating import merged_into
from ..results import counting, ratings
from ..rules.formats import FORMATS


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
    merged = merged_into(player.playgroup_id)
    _check_mergeable(player, into, merged)
    own = Seat.objects.filter(player__in=same_players(counting.root(into.pk, merged), merged))
    return Merging(
        player,
        into,
        moved=Seat.objects.filter(player__in=same_players(player.pk, merged)).count(),
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
        merged = merged_into(player.playgroup_id)  # as it was before
        _check_mergeable(player, into, merged)
        player.merged_into = into
        player.save(update_fields=["merged_into"])
        _move_results(same_players(player.pk, merged), player.pk, counting.root(into.pk, merged))


def separate(player: Player) -> None:
    """Take a merge back: the results of the player, and of who is merged into it, are its own.

    :raises GroupRefused: if the player is not merged.
    """
    with transaction.atomic():
        counting.hold(player.playgroup_id)
        player.refresh_from_db()
        if player.merged_into_id is None:
            raise GroupRefused(f"{player.name} is not merged into anybody.")
        was = root_of(player)
        player.merged_into = None
        player.save(update_fields=["merged_into"])
        _move_results(same_players(player.pk, merged_into(player.playgroup_id)), was, player.pk)


def root_of(player: Player) -> int:
    return counting.root(player.pk, merged_into(player.playgroup_id))


def same_players(root: int, merged: dict[int, int | None]) -> list[int]:
    """Return a player and all who are merged into it, one through the other.

    >>> same_players(2, {1: 2, 2: None, 3: 1, 4: None})
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
    these, those = same_players(player.pk, merged), same_players(root, merged)
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
