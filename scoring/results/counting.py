"""Counting a playgroup's results: whose they are, by day and month, and what they do to ratings.

The only writer of results and tallies. A change touches the days that it is about, no others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Count, F, Q, Sum
from django.db.models.functions import Trunc

from ..models import GameSet, Player, Playgroup, Seat, SetResult, Tally
from ..models.tallies import SUMS
from . import ratings

Span = Tally.Span
PlayerDay = tuple[int, date]

OF_RESULTS = {
    "sets": Count("pk"),
    "sets_won": Count("pk", filter=Q(rank=1)),
    "games": Sum("games_played"),
}


@transaction.atomic
def replace(game_set: GameSet, results: Sequence[SetResult]) -> None:
    """Put a set's results in the place of those it had, and count them in its playgroup."""
    if game_set.playgroup_id is None:
        SetResult.objects.filter(game_set=game_set).delete()
        SetResult.objects.bulk_create(results)
        return
    hold(game_set.playgroup_id)
    before = list(SetResult.objects.filter(game_set=game_set))
    SetResult.objects.filter(game_set=game_set).delete()
    _give_to_players(game_set, results)
    if _outcome(results) == _outcome(before):
        _keep_ratings(results, before)
    SetResult.objects.bulk_create(results)
    count(_days(before) | _days(results))
    if _outcome(results) != _outcome(before):
        since = min(one.finished_at for one in (*before, *results))
        ratings.rate_from(since, game_set.playgroup_id, ratings.format_keys(game_set.ruleset))


def hold(playgroup_id: int) -> None:
    """Keep others from counting in the playgroup until this transaction ends."""
    Playgroup.objects.select_for_update(no_key=True).get(pk=playgroup_id)


def _give_to_players(game_set: GameSet, results: Iterable[SetResult]) -> None:
    """Say whose results these are, and on which day of the playgroup they count."""
    players = Player.objects.filter(playgroup=game_set.playgroup_id)
    merged = dict(players.values_list("pk", "merged_into"))
    seats = dict(Seat.objects.filter(game_set=game_set).values_list("pk", "player"))
    zone = ZoneInfo(game_set.playgroup.zone) if game_set.playgroup else None
    for result in results:
        result.player_id = root(seats[result.seat_id], merged)
        result.played_on = result.finished_at.astimezone(zone).date()


def root(player: int, merged: dict[int, int | None]) -> int:
    """Return who has the results of a player that may be merged into another.

    Of a circle, which the database refuses, that is the first who came to the playgroup: a tap that
    ends a set must not wait for whoever puts it right.

    >>> root(1, {1: 2, 2: 3, 3: None}), root(4, {2: 3, 3: 2, 4: 3})
    (3, 2)
    """
    passed = [player]
    while into := merged[passed[-1]]:
        if into in passed:
            return min(passed[passed.index(into) :])
        passed.append(into)
    return passed[-1]


def _outcome(results: Iterable[SetResult]) -> set[tuple[object, ...]]:
    """Return what of a set's results ratings depend on."""
    return {(one.player_id, one.rank, one.finished_at) for one in results}


def _keep_ratings(results: Iterable[SetResult], before: Iterable[SetResult]) -> None:
    by_player = {one.player_id: one for one in before}
    for result in results:
        known = by_player[result.player_id]
        result.mu, result.sigma = known.mu, known.sigma


def _days(results: Iterable[SetResult]) -> set[PlayerDay]:
    return {(one.player_id, one.played_on) for one in results if one.player_id and one.played_on}


def count(touched: Collection[PlayerDay]) -> None:
    """Tally the results of some players on some days anew, with those of their months and years."""
    players = {player for player, _ in touched}
    days = {day for _, day in touched}
    months = {day.replace(day=1) for day in days}
    years = {month.replace(month=1) for month in months}
    _put(Span.DAY, days, players, by_day(players, days))
    _put(Span.MONTH, months, players, summed(Span.DAY, Span.MONTH, players, months))
    _put(Span.YEAR, years, players, summed(Span.MONTH, Span.YEAR, players, years))


def by_day(players: Collection[int], days: Collection[date] | None = None) -> Iterable[Tally]:
    """Yield the tallies of days, all days without ``days``, not saved. One query."""
    found = SetResult.objects.filter(player__in=players)
    if days is not None:
        found = found.filter(played_on__in=days)
    sums = OF_RESULTS | {name: Sum(name) for name in SUMS if name not in OF_RESULTS}
    rows = found.values("player_id", "size", start=F("played_on"), rules=F("game_set__ruleset"))
    return _tallies(Span.DAY, rows.annotate(**sums))


def summed(
    of: Span, to: Span, players: Collection[int], starts: Collection[date] | None = None
) -> Iterable[Tally]:
    """Yield the tallies of longer spans from those of shorter ones, not saved. One query."""
    found = Tally.objects.filter(player__in=players, span=of)
    found = found.annotate(start=Trunc("starts_on", to))
    if starts is not None:
        found = found.filter(start__in=starts)
    rows = found.values("player_id", "size", "start", rules=F("ruleset"))
    return _tallies(to, rows.annotate(**{name: Sum(name) for name in SUMS}))


def _tallies(span: Span, rows: Iterable[dict[str, Any]]) -> Iterator[Tally]:
    for row in rows:
        yield Tally(
            player_id=row["player_id"],
            span=span,
            starts_on=row["start"],
            ruleset=row["rules"],
            size=row["size"],
            **{name: row[name] for name in SUMS},
        )


def _put(
    span: Span, starts: Collection[date], players: Collection[int], tallies: Iterable[Tally]
) -> None:
    Tally.objects.filter(player__in=players, span=span, starts_on__in=starts).delete()
    Tally.objects.bulk_create(tallies)
