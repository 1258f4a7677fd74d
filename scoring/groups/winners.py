"""The winners of seasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import F, Sum

from ..models import Playgroup, Season, Tally
from .leaderboard import Row, Wanted, rank_rows, ranked_by

SUMMED = ("sets", "games", "victory_points", "games_won")


@dataclass(frozen=True)
class Finish:
    """A season with all who share its first rank."""

    season: Season
    first: Sequence[Row]
    is_over: bool
    is_played: bool


def finishes(group: Playgroup, seasons: Iterable[Season], today: date) -> list[Finish]:
    """Return the winners of each season, as its leaderboard ranks them. One query."""
    by = ranked_by(group.format)
    rows: dict[int, list[Row]] = {season.pk: [] for season in seasons}
    for sums in _sums(group):
        summed = {name: sums[name] for name in SUMMED}
        rows[sums["pk"]].append(Row(sums["player_id"], sums["name_of"], **summed))
    return [
        Finish(
            season,
            first_ranked(rows[season.pk], by=by),
            season.ends_on < today,
            bool(rows[season.pk]),
        )
        for season in seasons
    ]


def first_ranked(rows: Iterable[Row], *, by: str) -> list[Row]:
    """Return the rows that share the first rank."""
    return [row for row in rank_rows(rows, by=by) if row.rank == 1]


def _sums(group: Playgroup) -> Iterable[Any]:
    """Return the sums of each player but guests in each season."""
    tally = "playgroup__players__tallies__"
    counted = {
        "playgroup__players__is_guest": False,
        f"{tally}span": Tally.Span.DAY,
        f"{tally}starts_on__gte": F("starts_on"),
        f"{tally}starts_on__lte": F("ends_on"),
        f"{tally}ruleset__in": Wanted(format=group.format).rulesets,
    }
    return (
        Season.objects.filter(playgroup=group, **counted)
        .values("pk", player_id=F(f"{tally}player"), name_of=F("playgroup__players__name"))
        .annotate(**{name: Sum(f"{tally}{name}") for name in SUMMED})
        .order_by("pk")
    )
