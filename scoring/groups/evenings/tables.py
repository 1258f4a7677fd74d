"""The sets of an evening's tables, when they are moved or corrected like any other set."""

from __future__ import annotations

from collections.abc import Sequence

from ...models import Attendee, GameSet, Place, Player, Round, RoundTable
from ...play.errors import GroupRefused
from .queries import BYE


def check_stays(game_set: GameSet) -> None:
    """Refuse to take the set of an evening's table to another playgroup, or out of its own.

    :raises GroupRefused: if it is one.
    """
    table = RoundTable.objects.filter(game_set=game_set).select_related("round__evening").first()
    if table:
        raise GroupRefused(
            f"This is table {table.number} of round {table.round.number} of "
            f"{table.round.evening.name}: it stays in the playgroup of its evening."
        )


def follow_seats(game_set: GameSet, players: Sequence[Player]) -> None:
    """Seat other people in an evening's round, after it was corrected who sat at one of its tables.

    :raises GroupRefused: if one of them has a place in that round already.
    """
    table = RoundTable.objects.filter(game_set=game_set).select_related("round").first()
    if table is None:
        return
    places = table.round.places.filter(table=table.number).order_by("position")
    changed = [
        (place, player)
        for place, player in zip(places, players, strict=True)
        if place.player_id != player.pk
    ]
    elsewhere = table.round.places.exclude(pk__in=[place.pk for place, _ in changed])
    for _, player in changed:
        if elsewhere.filter(player=player).exclude(table=BYE).exists():
            raise GroupRefused(f"{player.name} sat at another table of this round.")
    elsewhere.filter(player__in=[player for _, player in changed], table=BYE).delete()
    free = [place.pk for place, _ in changed]
    table.round.places.filter(pk__in=free).delete()
    Place.objects.bulk_create(
        Place(round=table.round, player=player, table=place.table, position=place.position)
        for place, player in changed
    )
    for _, player in changed:
        Attendee.objects.get_or_create(evening=table.round.evening, player=player)
    if changed:
        _note_changed_since(table.round)


def _note_changed_since(round: Round) -> None:
    """Note that a round and all after it aren't as drawn: whom people had met counted there."""
    later = Round.objects.filter(evening=round.evening_id, number__gte=round.number)
    later.update(repeats=None, fewest=None, spread=None)
