"""The clock of a whole set, from the start of its first game, and its notes near the end."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from django.utils import timezone

from ..models import Game, GameSet

USUAL = 120  # minutes
LAST = 20  # minutes, before which the first note comes


class Note(NamedTuple):
    """What is said after so many minutes; it is visible from the latest of them that is due."""

    minute: int
    text: str
    is_due: bool


def set_clock(game_set: GameSet, played: Sequence[Game]) -> dict[str, Any] | None:
    """Return the clock of a set with one while it is played, else None.

    ``played`` may be the latest game only, in an answer to a tap: the page then keeps the clock
    that it shows.
    """
    if not played or game_set.finished_at:
        return None
    first = played[0]
    since = first.started_at if first.number == 1 else None
    shown = notes(game_set.minutes, timezone.now() - since) if since else []
    return {"since": since, "notes": shown}


def notes(minutes: int, lasted: timedelta) -> list[Note]:
    """Return the notes of a set that should take so many minutes.

    >>> [(note.minute, note.is_due) for note in notes(120, timedelta(minutes=119))]
    [(100, True), (120, False)]
    >>> [(note.minute, note.is_due) for note in notes(120, timedelta(minutes=120))]
    [(100, False), (120, True)]
    """
    texts = {
        minutes - LAST: f"{LAST} of the set’s {minutes} minutes are left.",
        minutes: f"The set’s {minutes} minutes are over. It can be ended after this game.",
    }
    due = max((minute for minute in texts if timedelta(minutes=minute) <= lasted), default=None)
    return [Note(minute, text, minute == due) for minute, text in texts.items()]
