"""Closing seasons: the final table of a season that is over is stored, and stays as it was.

``close_seasons`` closes seasons each night, and an owner may do so at once. Until then pages show a
season that is over as its sets give it.
"""

from datetime import datetime, time, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from coalition_site.lib.dates import day

from ...models import Game, Season, SeasonPlace, SeasonTable
from ...record import counting
from ...record.errors import GroupRefused
from ..queries import today
from . import rows as season_rows

DAY = timedelta(days=1)


def is_over(season: Season) -> bool:
    return season.ends_on < today(season.playgroup)


def table_of(season: Season) -> SeasonTable | None:
    return getattr(season, "table", None)


def is_played(season: Season) -> bool:
    """Return whether a set that began in a season that is over is still being played."""
    # A table that is a day past the season's last was left, and is not waited for.
    end = datetime.combine(season.ends_on + DAY, time.min, season.playgroup.time_zone)
    running = Q(game_set__playgroup=season.playgroup, game_set__finished_at=None)
    began = Q(number=1, taken_back=False, started_at__range=(timezone.now() - DAY, end))
    return Game.objects.filter(running, began).exists()


def close_ended() -> int:
    seasons = Season.objects.filter(table=None).select_related("playgroup").order_by("pk")
    return sum(close(season) is not None for season in seasons if is_over(season))


@transaction.atomic
def close(season: Season) -> SeasonTable | None:
    """Store a season's final table as it stands now, unless there is one; return it. None is
    stored while the season goes on, or if it is gone."""
    now = _lock(season)
    if now is None or not is_over(now) or is_played(now):
        return None
    return table_of(now) or _store(now)


@transaction.atomic
def close_again(season: Season) -> None:
    """Store a season's final table as it would be now, in place of the one there is."""
    now = _lock(season)
    if now is None:
        raise GroupRefused("The season is not there any more.")
    if not is_over(now):
        raise GroupRefused(
            f"The season lasts until {day(now.ends_on)}. It closes by itself after that day."
        )
    if is_played(now):
        raise GroupRefused("A set that began in the season is still being played. Finish it first.")
    SeasonTable.objects.filter(season=now).delete()
    _store(now)


def _lock(season: Season) -> Season | None:
    """Lock a season's playgroup, and return the season as it is by then, if it is there."""
    counting.lock_group(season.playgroup_id)
    return Season.objects.filter(pk=season.pk).select_related("playgroup", "table").first()


def _store(season: Season) -> SeasonTable:
    format = season.playgroup.format
    table = SeasonTable.objects.create(season=season, closed_at=timezone.now(), format=format)
    rows = season_rows.rows_now(season, format)
    SeasonPlace.objects.bulk_create(season_rows.places(table, rows))
    return table
