"""Seasons with who won them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import F, Sum

from ..models import Player, Playgroup, Season, Tally
from .leaderboard import Row, Wanted, mark, ranked

SUMMED = ("sets", "games", "victory_points", "games_won")


@dataclass(frozen=True)
class Finish:
    """A season with those who have its first rank, which equal ones share."""

    season: Season
    first: Sequence[Row]
    is_over: bool
    is_played: bool


def finishes(group: Playgroup, seasons: Iterable[Season], today: date) -> list[Finish]:
    """Return who won each season, as its leaderboard has it. One query."""
    by = mark(group.format)
    rows: dict[int, list[Row]] = {season.pk: [] for season in seasons}
    for said in _sums(group):
        player = Player(pk=said["player_id"], name=said["name_of"])
        rows[said["pk"]].append(Row(player, said))
    return [
        Finish(season, first(rows[season.pk], by=by), season.ends_on < today, bool(rows[season.pk]))
        for season in seasons
    ]


def first(rows: Iterable[Row], *, by: str) -> list[Row]:
    """Return those with the first rank."""
    return [row for row in ranked(rows, by=by) if row.rank == 1]


def _sums(group: Playgroup) -> Iterable[dict[str, Any]]:
    """Return what everybody did in each season, guests left out."""
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
