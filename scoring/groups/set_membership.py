"""Which playgroup a set belongs to: taking it into one, and out of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from ..models import Playgroup, Seat
from ..play import decks, recording
from ..play.errors import GroupRefused
from ..play.queries import Table
from ..play.seating import house_of, seated
from ..results import counting


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
            raise GroupRefused(f"It was {done} meanwhile. Reload the page.")
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
