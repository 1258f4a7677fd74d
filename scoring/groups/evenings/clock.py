"""The clock of a round, which is paused, extended and stopped; those of its tables follow."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import models, transaction
from django.utils import timezone

from ...models import Evening, GameSet, Round
from ...models.evenings import MINUTES_MAX
from ...record import commands as table_commands
from ...record.errors import GroupRefused
from . import commands

STEP = timedelta(minutes=5)
FIELDS = ("clock_added", "paused_at", "clock_stopped")  # of a round


class Change(models.TextChoices):
    """Each second one undoes the one before it."""

    PAUSE = "pause", "Pause the clock"
    RESUME = "resume", "Let the clock go on"
    LONGER = "longer", "5 minutes more"
    SHORTER = "shorter", "5 minutes less"
    STOP = "stop", "Stop the clock"
    START = "start", "Show the clock again"


@dataclass(frozen=True, slots=True)
class Clock:
    """``left`` is what is left as long as it is paused."""

    end: datetime
    left: timedelta | None

    @property
    def left_text(self) -> str:
        """
        >>> Clock(datetime.max, timedelta(minutes=61, seconds=5)).left_text
        '61:05'
        """
        minutes, seconds = divmod(max(int(self.left.total_seconds()), 0) if self.left else 0, 60)
        return f"{minutes}:{seconds:02}"


def clock_of(evening: Evening, round: Round) -> Clock | None:
    if not round.begun_at or not evening.minutes or round.clock_stopped:
        return None
    end = round.begun_at + _length(evening, round)
    return Clock(end, end - round.paused_at if round.paused_at else None)


def offered(clock: Clock | None) -> list[Change]:
    if clock is None:
        return [Change.START]
    pause = Change.PAUSE if clock.left is None else Change.RESUME
    return [pause, Change.LONGER, Change.SHORTER, Change.STOP]


def _length(evening: Evening, round: Round) -> timedelta:
    return timedelta(minutes=evening.minutes or 0, seconds=round.clock_added)


@transaction.atomic
def change_clock(
    round: Round, change: Change, *, added: int | None = None, at: datetime | None = None
) -> None:
    # ``added`` is what had been added when somebody asked: five minutes asked for twice are five.
    evening, now = round.evening, at or timezone.now()
    commands.lock_tables(GameSet.objects.filter(round_table__round=round), evening)
    commands.check_goes_on(evening)
    round.refresh_from_db(fields=["begun_at", *FIELDS])
    if not round.begun_at or not evening.minutes:
        raise GroupRefused("This round has no clock.")
    if change in (Change.LONGER, Change.SHORTER):
        if added is not None and added != round.clock_added:
            return
        round.clock_added += int(STEP.total_seconds()) * (1 if change == Change.LONGER else -1)
        if not STEP <= _length(evening, round) <= timedelta(minutes=MINUTES_MAX):
            raise GroupRefused(f"A round takes 5 to {MINUTES_MAX} minutes.")
    elif change == Change.PAUSE:
        round.paused_at = round.paused_at or now
    elif change == Change.RESUME and round.paused_at:
        round.clock_added += int((now - round.paused_at).total_seconds())
        round.paused_at = None
    elif change in (Change.STOP, Change.START):
        round.clock_stopped = change == Change.STOP
    round.save(update_fields=FIELDS)
    follow(round)


def follow(round: Round) -> None:
    """:raises GroupRefused: if its clock was shortened by more than it would have now."""
    evening = round.evening
    clock = clock_of(evening, round)
    minutes = int(_length(evening, round) / timedelta(minutes=1))
    for table in round.tables.filter(game_set__finished_at=None).select_related("game_set"):
        if evening.minutes and minutes < 1:
            less = -(round.clock_added // 60)  # rounded up
            raise GroupRefused(
                f"Round {round.number} was shortened by {less} minutes, so it needs {less + 1} at "
                "least. Choose more minutes, or give it time back first."
            )
        runs = clock is not None and clock.left is None
        table_commands.set_clock(table.game_set, min(minutes, MINUTES_MAX) if runs else 0)
