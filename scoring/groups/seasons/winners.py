"""The winners of seasons."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Q

from coalition_site.lib.texts import sort_key

from ...models import Playgroup, Season, SeasonPlace
from ...rules.formats import scores
from ..board.leaderboard import Filters, Row, leaderboard
from ..queries import today
from .closing import is_over, table_of
from .rows import kept_row


def finishes(group: Playgroup, seasons: Sequence[Season]) -> list[dict[str, Any]]:
    """Return the winners of each season: of its final table, or as it stands."""
    # A query, and two for each season without a final table: the one that goes on, as a rule.
    rows: dict[int, list[Row]] = {season.pk: [] for season in seasons}
    for season in seasons:
        if not table_of(season) and season.starts_on <= today(group):
            days = Filters(format=group.format, first=season.starts_on, last=season.ends_on)
            rows[season.pk] = leaderboard(group, days).rows
    # Of final tables: who came first, and who is without a rank.
    places = SeasonPlace.objects.filter(Q(rank=1) | Q(rank=None), table__season__playgroup=group)
    placed = places.select_related("table", "player").order_by("pk")
    for place in sorted(placed, key=lambda place: sort_key(place.player.name)):
        rows[place.table.season_id].append(kept_row(place))
    return [
        {
            "season": season,
            "first": first_ranked(rows[season.pk]),
            "is_over": is_over(season),
            "is_played": bool(rows[season.pk]),
            "scores": scores(table.format if (table := table_of(season)) else group.format),
        }
        for season in seasons
    ]


def first_ranked(rows: Iterable[Any]) -> list[Any]:
    return [row for row in rows if row.rank == 1]
