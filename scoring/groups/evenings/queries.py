"""Reading evenings: their people, rounds and tables."""

from __future__ import annotations

from collections import Counter

from ...models import Evening, Place, Player, Playgroup, Round
from ...play.seating import merged_into
from ...results.counting import root
from ...rules.pods import Tables

BYE = 0


def evenings(group: Playgroup) -> list[Evening]:
    """Return a playgroup's evenings, the latest first. One query."""
    return list(group.evenings.all())


def find_evening(group: Playgroup, number: int) -> Evening | None:
    """Return an evening by its number. One query."""
    return group.evenings.filter(number=number).first()


def rounds(evening: Evening) -> list[Round]:
    """Return an evening's rounds with their places, tables and sets. Four queries."""
    return list(
        evening.rounds.prefetch_related("places__player", "tables__game_set").order_by("number")
    )


def same_person(player: Player) -> Player:
    """Return the player who has the results of ``player``. Two queries if it is merged."""
    if player.merged_into_id is None:
        return player
    return Player.objects.get(pk=root(player.pk, merged_into(player.playgroup_id)))


def seating(round: Round) -> dict[int, list[Player]]:
    """Return who sits at each table of a round, in turn order of the first game. One query."""
    tables: dict[int, list[Player]] = {}
    for place in round.places.select_related("player"):
        if place.table != BYE:
            tables.setdefault(place.table, []).append(place.player)
    return tables


def earlier_tables(evening: Evening) -> list[Tables]:
    """Return who sat at which table in the rounds that have begun, by key. One query."""
    by_round: dict[int, dict[int, list[int]]] = {}
    places = Place.objects.filter(round__evening=evening, round__begun_at__isnull=False)
    for number, table, player in places.exclude(table=BYE).values_list(
        "round__number", "table", "player"
    ):
        by_round.setdefault(number, {}).setdefault(table, []).append(player)
    return [list(by_round[number].values()) for number in sorted(by_round)]


def byes(evening: Evening) -> Counter[int]:
    """Return how often each player had a bye in a round that has begun. One query."""
    begun = Place.objects.filter(round__evening=evening, round__begun_at__isnull=False)
    return Counter(begun.filter(table=BYE).values_list("player", flat=True))
