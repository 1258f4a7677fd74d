"""Merging players who are the same person, and separating them again."""

from collections.abc import Collection
from typing import Any

from django.db import transaction

from coalition_site.lib.dates import day

from ...models import GameSet, Place, Player, Round, Seat, SetResult
from ...record import counting, ratings, streaks
from ...record.errors import GroupRefused
from ...record.seating import merged_into
from ...rules.formats import FORMATS


def preview(player: Player, into: Player) -> dict[str, Any]:
    """Return how many sets a merge would move, finished ones of them, and the other's own."""
    merged = merged_into(player.playgroup_id)
    _check_mergeable(player, into, merged)
    own = Seat.objects.filter(player__in=same_players(counting.root(into.pk, merged), merged))
    return {
        "moved": Seat.objects.filter(player__in=same_players(player.pk, merged)).count(),
        "finished": SetResult.objects.filter(player=player).count(),
        "own": own.count(),
    }


@transaction.atomic
def merge(player: Player, into: Player) -> None:
    counting.lock_group(player.playgroup_id)
    player.refresh_from_db()
    merged = merged_into(player.playgroup_id)  # as it was before
    _check_mergeable(player, into, merged)
    player.merged_into = into
    player.save(update_fields=["merged_into"])
    _move_results(same_players(player.pk, merged), player.pk, counting.root(into.pk, merged))


@transaction.atomic
def separate(player: Player) -> None:
    counting.lock_group(player.playgroup_id)
    player.refresh_from_db()
    if player.merged_into_id is None:
        raise GroupRefused(f"{player.name} is not merged into anybody.")
    merged = merged_into(player.playgroup_id)  # as it was before
    player.merged_into = None
    player.save(update_fields=["merged_into"])
    players, root = same_players(player.pk, merged), counting.root(player.pk, merged)
    others = set(same_players(root, merged)).difference(players)
    # Rounds of evenings to which both came may have been paired while they were one person.
    came = Round.objects.filter(evening__rounds__places__player__in=players)
    came = came.filter(evening__rounds__places__player__in=others)
    came.update(repeats=None, fewest=None, spread=None)
    _move_results(players, root, player.pk)


def same_players(root: int, merged: dict[int, int | None]) -> list[int]:
    """Return a player and all who are merged into it, directly or through others.

    >>> same_players(2, {1: 2, 2: None, 3: 1, 4: None})
    [1, 2, 3]
    """
    players = {root}
    while more := {player for player, into in merged.items() if into in players} - players:
        players |= more
    return sorted(players)


def person_of(player: Player) -> list[int]:
    """Return the player into whom this one is merged, and all who are merged into that one."""
    merged = merged_into(player.playgroup_id)
    return same_players(counting.root(player.pk, merged), merged)


def _check_mergeable(player: Player, into: Player, merged: dict[int, int | None]) -> None:
    if into.playgroup_id != player.playgroup_id:
        raise GroupRefused(
            "They belong to two playgroups. Only players of the same playgroup can be merged."
        )
    if into.pk == player.pk:
        raise GroupRefused(f"{player.name} can’t be merged into the same player.")
    if merged[player.pk]:
        raise GroupRefused(f"{player.name} is merged already. Undo that first.")
    root = counting.root(into.pk, merged)
    if root == player.pk:
        raise GroupRefused(f"{into.name} is merged into {player.name} already. Undo that first.")
    these, those = same_players(player.pk, merged), same_players(root, merged)
    owned = Player.objects.exclude(user=None)
    if all(owned.filter(pk__in=side).exists() for side in (these, those)):
        raise GroupRefused(
            f"{player.name} and {into.name} have an account each, so they are two people. "
            f"If they are not, remove the account from one of them first."
        )
    _check_apart(player, into, these, those)


def _check_apart(
    player: Player, into: Player, these: Collection[int], those: Collection[int]
) -> None:
    sets = GameSet.objects.filter(seats__player__in=these).order_by("created_at")
    shared = sets.filter(pk__in=Seat.objects.filter(player__in=those).values("game_set")).first()
    if shared:
        results = SetResult.objects.filter(game_set=shared).values_list("played_on", flat=True)
        on = day(results.first() or shared.created_at.astimezone(player.playgroup.time_zone).date())
        raise GroupRefused(
            f"{player.name} and {into.name} sat at the same table in the set of {on}, so they "
            f"are two people. If that is wrong, correct who sat there first."
        )
    began = Round.objects.filter(begun_at__isnull=False, places__player__in=these)
    both = began.filter(pk__in=Place.objects.filter(player__in=those).values("round")).first()
    if both:
        raise GroupRefused(
            f"{player.name} and {into.name} both had a place in round {both.number} of "
            f"{both.evening.name}, so they are two people."
        )


def _move_results(players: Collection[int], before: int, after: int) -> None:
    moved = SetResult.objects.filter(player=before, seat__player__in=players)
    results = list(moved.select_related("game_set"))
    SetResult.objects.filter(pk__in=[result.pk for result in results]).update(player=after)
    days = {result.played_on for result in results if result.played_on}
    counting.count_days({(player, day) for day in days for player in (before, after)})
    for format, rulesets in FORMATS.items():
        keys = [ruleset.key for ruleset in rulesets]
        ends = [result.finished_at for result in results if result.game_set.ruleset in keys]
        group = results[0].game_set.playgroup_id if results else None
        if ends and group:
            ratings.rate_from(min(ends), group, keys)
            streaks.count({before, after}, format, since=min(ends))
