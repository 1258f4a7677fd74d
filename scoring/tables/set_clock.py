"""The clock of a whole set, from the start of its first game, and its notes near the end."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone

from ..models import Game, GameSet

USUAL = 120  # minutes
LAST = 20  # minutes, before which the first note comes


def set_clock(game_set: GameSet, played: Sequence[Game]) -> dict[str, Any] | None:
    """Return the clock of a set with one while it is played, else None."""
    # ``played`` may be the latest game only, in an answer to a tap: the page then keeps the clock
    # that it shows.
    if not played or game_set.finished_at:
        return None
    first, minutes = played[0], game_set.minutes
    if first.number > 1:
        return {"since": None}
    due = due_note(minutes, timezone.now() - first.started_at)
    return {"since": first.started_at, "minutes": minutes, "last": LAST, "due": due}


def due_note(minutes: int, lasted: timedelta) -> int | None:
    """Return at which minute the note to show now came, of those near the end.

    >>> [due_note(120, timedelta(minutes=minutes)) for minutes in (99, 100, 119, 120)]
    [None, 100, 100, 120]
    """
    come = [at for at in (minutes - LAST, minutes) if timedelta(minutes=at) <= lasted]
    return come[-1] if come else None
