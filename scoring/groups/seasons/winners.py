"""The winners of seasons."""

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import F, Q, Sum

from coalition_site.lib.texts import sort_key

from ...models import Playgroup, Season, SeasonPlace
from ...rules.formats import scores
from ..board import tally_spans
from ..board.leaderboard import Filters, Row, rank_rows, ranked_by
from ..queries import today
from .closing import is_over, table_of
from .rows import kept_row

SUMMED = ("sets", "games", "victory_points", "games_won", "outlasted")


def finishes(group: Playgroup, seasons: Sequence[Season]) -> list[dict[str, Any]]:
    """Return the winners of each season: of its final table, or as it stands. Two queries."""
    # The seasons are loaded with their tables and the playgroup.
    rows: dict[int, list[Row]] = {season.pk: [] for season in seasons}
    for sums in _sums(group, [season for season in seasons if not table_of(season)]):
        summed = {name: sums[name] for name in SUMMED}
        rows[sums["pk"]].append(Row(sums["player_id"], sums["name_of"], **summed))
    for key, listed in rows.items():
        rows[key] = rank_rows(listed, by=ranked_by(group.format))
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


def _sums(group: Playgroup, seasons: Sequence[Season]) -> Iterable[Any]:
    if not seasons:
        return []
    tally = "playgroup__players__tallies__"
    now = today(group)
    parts = [
        (season.pk, *part)
        for season in seasons
        for part in tally_spans.of_days(season.starts_on, min(season.ends_on, now))
    ]
    of_parts = (
        Q(**{"pk": key, f"{tally}span": span, f"{tally}starts_on__range": days})
        for key, span, *days in parts
    )
    counted = {
        "playgroup__players__is_guest": False,
        f"{tally}ruleset__in": Filters(format=group.format).rulesets,
        # What follows from the parts, which PostgreSQL finds no index for.
        f"{tally}span__in": {span for _, span, _, _ in parts},
        f"{tally}starts_on__range": (
            min(part[2] for part in parts),
            max(part[3] for part in parts),
        ),
    }
    return (
        Season.objects.filter(reduce(or_, of_parts), **counted)
        .values("pk", player_id=F(f"{tally}player"), name_of=F("playgroup__players__name"))
        .annotate(**{name: Sum(f"{tally}{name}") for name in SUMMED})
        .order_by("pk")
    )
