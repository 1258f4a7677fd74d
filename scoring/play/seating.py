"""Who sits at a playgroup's table: its players by name, and whose ban list judges their decks."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import IntegrityError, transaction
from django.db.models import Value
from django.db.models.functions import Lower

from decks.models import BanList

from ..models import GameSet, Player, Playgroup, Seat
from ..results import counting
from ..rules.formats import FORMATS, RULESETS
from . import dice
from .errors import GroupRefused

SEATING = 0  # stands for the number of a game, from 1, where the seats are rolled for


def seat_players(group: Playgroup, names: Sequence[str]) -> list[Player]:
    """Return a table's players by name; create players for unknown names.

    :raises GroupRefused: if two of them are the same person.
    """
    counting.lock_group(group.pk)
    players = [get_or_add_player(group, name) for name in names]
    roots = _roots(group, players)
    by_root: dict[int, str] = {}
    for root, name in zip(roots, names, strict=True):
        if root in by_root:
            raise GroupRefused(
                f"{by_root[root]} and {name} are the same player in {group.name}. "
                f"Choose another name for one of them."
            )
        by_root[root] = name
    return players


def _roots(group: Playgroup, players: Sequence[Player]) -> list[int]:
    merged = merged_into(group.pk)
    return [counting.root(player.pk, merged) for player in players]


def names_again(game_set: GameSet) -> list[str]:
    """Return the names under which a set's people sit down again, in order of their seats.

    Those of a playgroup go by what their player is called now, after renaming and merging.
    """
    group = game_set.playgroup
    if group is None:
        return list(game_set.names.values())
    seats = Seat.objects.filter(game_set=game_set).order_by("number").select_related("player")
    names = dict(Player.objects.filter(playgroup=group).values_list("pk", "name"))
    return [names[root] for root in _roots(group, [seat.player for seat in seats if seat.player])]


def drawn(names: Sequence[str], seed: int) -> list[str]:
    """Return names in seats drawn by dice from a set's seed.

    >>> drawn(["Ann", "Bo", "Cy"], 2)
    ['Bo', 'Cy', 'Ann']
    """
    rolled = dice.roll(seed, SEATING, range(len(names)))
    return [names[seat] for seat in dice.highest_first(rolled)]


def get_or_add_player(group: Playgroup, name: str) -> Player:
    """Return the player of a name, created if there is none."""
    return find_player(group, name) or add_player(group, name)


def find_player(group: Playgroup, name: str) -> Player | None:
    """Return the player of a name, whatever its capitals. One query."""
    low = Lower(Value(name))  # the database's own, as in the constraint
    return group.players.alias(low=Lower("name")).filter(low=low).first()


def add_player(group: Playgroup, name: str, *, is_guest: bool = False) -> Player:
    """Add a player without an account.

    :raises GroupRefused: if the name is taken.
    """
    try:
        with transaction.atomic():
            counting.lock_group(group.pk)
            return Player.objects.create(playgroup=group, name=name, is_guest=is_guest)
    except IntegrityError as error:
        raise name_taken(name) from error


def name_taken(name: str) -> GroupRefused:
    return GroupRefused(f"There is a player called {name} already. Choose another name.")


def merged_into(playgroup: int) -> dict[int, int | None]:
    """Return into which player each player of a playgroup is merged, or None. One query."""
    return dict(Player.objects.filter(playgroup=playgroup).values_list("pk", "merged_into"))


def house_of(group: Playgroup, ruleset: str) -> BanList | None:
    """Return a playgroup's own ban list for sets of a ruleset; None means the format's."""
    house = group.house
    return house if house and RULESETS[ruleset] in FORMATS.get(house.format, ()) else None
