"""Cancelling an evening on which nothing was played."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from ...models import Evening, Game, GameSet
from ...play import recording
from ...play.errors import GroupRefused
from ...results import counting, news
from .queries import EveningRows

PLAYED = "A game was started on this evening, so it can’t be cancelled. End it instead."
CHANGED = "A round was begun meanwhile. Reload the page."


def is_unplayed(rows: EveningRows) -> bool:
    """Return whether no game was started at any table."""
    return not any(table.game_set.finished_at for table in rows.tables) and not any(
        rows.games.values()
    )


@transaction.atomic
def cancel_evening(evening: Evening) -> None:
    """Delete an evening; tables that were seated stay in the playgroup, and as private as it is.

    :raises GroupRefused: if a game was started.
    """
    seated = _lock_tables(evening)
    counting.lock_group(evening.playgroup_id)
    if seated != _tables(evening):
        raise GroupRefused(CHANGED)
    if Game.objects.filter(game_set__in=seated, taken_back=False).exists():
        raise GroupRefused(PLAYED)
    news.withdraw(evening)
    # Triggers tell open pages of an update; once the row is gone, they can't find its playgroup.
    Evening.objects.filter(pk=evening.pk).update(ended_at=timezone.now())
    evening.delete()


def _lock_tables(evening: Evening) -> list[GameSet]:
    """Lock the sets of an evening: nobody starts a game meanwhile, and sets come before groups."""
    seated = _tables(evening)
    for game_set in seated:
        recording.lock(game_set)
    return seated


def _tables(evening: Evening) -> list[GameSet]:
    return list(GameSet.objects.filter(round_table__round__evening=evening).order_by("pk"))
