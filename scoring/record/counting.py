"""Counting a playgroup's results: whose they are, tallies, ratings, streaks, and facts of sets.

The only writer of results, tallies and facts, with ``ratings`` and ``streaks``. A change touches
only the days that it concerns.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, tzinfo
from typing import Any

from django.db import transaction
from django.db.models import Count, F, Q, QuerySet, Sum
from django.db.models.functions import Trunc

from ..models import GameSet, Player, Playgroup, Seat, SetFacts, SetResult, Tally
from ..models.results import WON
from ..models.tallies import SUMS
from ..rules.formats import keys_of
from ..setlog.codec import read_state
from . import news, ratings, streaks

Span = Tally.Span
PlayerDay = tuple[int, date]

# Where a seat or a result has the start of its set, whose day the set counts on, and its first
# game's state, which has the day of a result that was entered.
BEGAN_AT, STATE = "game_set__games__started_at", "game_set__games__state"
FIRST_GAME = Q(game_set__games__number=1, game_set__games__taken_back=False)

OF_RESULTS = {
    "sets": Count("pk"),
    "sets_won": Count("pk", filter=WON),
    "games": Sum("games_played"),
}
OF_RESULTS |= {name: Sum(name, default=0) for name in SUMS if name not in OF_RESULTS}


@transaction.atomic
def replace(game_set: GameSet, results: Sequence[SetResult], facts: SetFacts | None) -> None:
    """A set without results has no facts."""
    if game_set.playgroup_id is None:
        _store(game_set, results, facts)
        return
    zone = lock_group(game_set.playgroup_id).time_zone  # which may have changed since it was read
    before = list(SetResult.objects.filter(game_set=game_set))
    _assign_players(game_set, results, zone)
    # Rating again would go through all later sets, so an unchanged outcome keeps its ratings.
    is_same = _outcome(results) == _outcome(before)
    if is_same:
        by_player = {result.player_id: result for result in before}
        for result in results:
            former = by_player[result.player_id]
            result.mu, result.sigma, result.streak = former.mu, former.sigma, former.streak
    _store(game_set, results, facts)
    if _published(results) != _published(before):
        news.announce(game_set, is_correction=bool(before))
    count_days(_days(before) | _days(results))
    if not is_same:
        ends = [result.finished_at for result in (*before, *results)]
        format = game_set.rules.format
        ratings.rate_from(min(ends), game_set.playgroup_id, keys_of(format))
        players = {result.player_id for result in (*before, *results) if result.player_id}
        streaks.count(players, format, since=min(ends))


def _store(game_set: GameSet, results: Sequence[SetResult], facts: SetFacts | None) -> None:
    SetResult.objects.filter(game_set=game_set).delete()
    SetResult.objects.bulk_create(results)
    if facts is None:
        SetFacts.objects.filter(game_set=game_set).delete()
        return
    facts.playgroup_id = game_set.playgroup_id
    facts.played_on = results[0].played_on
    facts.streak = max((r.streak for r in results if r.streak is not None), default=None)
    SetFacts.objects.bulk_create(
        [facts],
        update_conflicts=True,
        unique_fields=["game_set"],
        update_fields=[field.name for field in facts._meta.fields if not field.primary_key],
    )


def lock_group(playgroup_id: int) -> Playgroup:
    """Lock a playgroup until this transaction ends: meanwhile, others count nothing in it."""
    return Playgroup.objects.select_for_update(no_key=True).get(pk=playgroup_id)


def _assign_players(game_set: GameSet, results: Iterable[SetResult], zone: tzinfo) -> None:
    players = Player.objects.filter(playgroup=game_set.playgroup_id)
    merged = dict(players.values_list("pk", "merged_into"))
    seats = Seat.objects.filter(FIRST_GAME, game_set=game_set)
    sat = {pk: of for pk, *of in seats.values_list("pk", "player", BEGAN_AT, STATE)}
    for result in results:
        player, began_at, state = sat[result.seat_id]
        result.player_id = root(player, merged)
        result.played_on = _day(began_at, state, zone)


def _day(began_at: datetime, state: dict[str, Any], zone: tzinfo) -> date:
    entered = read_state(state).entered_for
    return date.fromisoformat(entered) if entered else began_at.astimezone(zone).date()


def misdated(group: Playgroup) -> Iterator[SetResult]:
    """Each has the right day and is not saved: an older version took the day a set ended."""
    results = SetResult.objects.filter(FIRST_GAME, player__playgroup=group)
    results = results.annotate(began_at=F(BEGAN_AT), state=F(STATE))
    for result in results.only("game_set", "player", "played_on").iterator():
        day = result.played_on
        with suppress(OverflowError):  # the first release imported any time of the calendar
            day = _day(result.began_at, result.state, group.time_zone)
        if result.played_on != day:
            result.played_on = day
            yield result


def recount_days(group: Playgroup) -> set[tuple[date, date]]:
    """Return from which days to which any sets have moved, whatever the zone was before."""
    counted = SetResult.objects.filter(player__playgroup=group)
    before = {result.pk: result for result in counted.only("player", "played_on")}
    moved = list(misdated(group))
    SetResult.objects.bulk_update(moved, ["played_on"], batch_size=streaks.BATCH)
    count_days(_days(before[result.pk] for result in moved) | _days(moved))
    streaks.repair_facts(group)
    days = {(before[result.pk].played_on, result.played_on) for result in moved}
    return {(old, new) for old, new in days if old and new}


def root(player: int, merged: dict[int, int | None]) -> int:
    """Return the player who has the results of a player that may be merged into another.

    In a circle, which the database refuses, that is the player who was added first: a tap that
    ends a set must not fail because of it.

    >>> root(1, {1: 2, 2: 3, 3: None}), root(4, {2: 3, 3: 2, 4: 3})
    (3, 2)
    """
    passed = [player]
    while into := merged[passed[-1]]:
        if into in passed:
            return min(passed[passed.index(into) :])
        passed.append(into)
    return passed[-1]


def _published(results: Iterable[SetResult]) -> set[tuple[object, ...]]:
    return {
        (result.player_id, result.rank, result.victory_points, result.games_won)
        for result in results
    }


def _outcome(results: Iterable[SetResult]) -> set[tuple[object, ...]]:
    """Return the part of a set's results that ratings and streaks depend on."""
    # Seats make the teams: after a draw others may sit together, and all ranks stay.
    return {
        (result.player_id, result.seat_id, result.rank, result.is_won, result.finished_at)
        for result in results
    }


def _days(results: Iterable[SetResult]) -> set[PlayerDay]:
    return {
        (result.player_id, result.played_on)
        for result in results
        if result.player_id and result.played_on
    }


def count_days(touched: Collection[PlayerDay]) -> None:
    players = {player for player, _ in touched}
    days = {day for _, day in touched}
    months = {day.replace(day=1) for day in days}
    years = {month.replace(month=1) for month in months}
    # In this order: months are summed from days, and years from months.
    _replace_tallies(Span.DAY, days, players, by_day(players, days))
    _replace_tallies(Span.MONTH, months, players, summed(Span.DAY, Span.MONTH, players, months))
    _replace_tallies(Span.YEAR, years, players, summed(Span.MONTH, Span.YEAR, players, years))


def by_day(players: Collection[int], days: Collection[date] | None = None) -> Iterable[Tally]:
    """Yield unsaved tallies of some days; of all if ``days`` is None. One query."""
    results = SetResult.objects.filter(player__in=players)
    if days is not None:
        results = results.filter(played_on__in=days)
    rows = results.values("player_id", "size", start=F("played_on"), rules=F("game_set__ruleset"))
    return _tallies(Span.DAY, rows.annotate(**OF_RESULTS))


def by_player(results: QuerySet[SetResult]) -> dict[int, list[int]]:
    """Return what some results sum up to, in the order of SUMS, by player. One query."""
    rows = results.values("player_id").annotate(**OF_RESULTS).values_list("player_id", *SUMS)
    return {player: sums for player, *sums in rows}


def summed(
    of: Span, to: Span, players: Collection[int], starts: Collection[date] | None = None
) -> Iterable[Tally]:
    """Yield unsaved tallies of longer spans, summed from shorter ones. One query."""
    tallies = Tally.objects.filter(player__in=players, span=of)
    tallies = tallies.annotate(start=Trunc("starts_on", to))
    if starts is not None:
        tallies = tallies.filter(start__in=starts)
    rows = tallies.values("player_id", "size", "start", rules=F("ruleset"))
    return _tallies(to, rows.annotate(**{name: Sum(name) for name in SUMS}))


def _tallies(span: Span, rows: Iterable[Mapping[str, Any]]) -> Iterator[Tally]:
    for row in rows:
        yield Tally(
            player_id=row["player_id"],
            span=span,
            starts_on=row["start"],
            ruleset=row["rules"],
            size=row["size"],
            **{name: row[name] for name in SUMS},
        )


def _replace_tallies(
    span: Span, starts: Collection[date], players: Collection[int], tallies: Iterable[Tally]
) -> None:
    Tally.objects.filter(player__in=players, span=span, starts_on__in=starts).delete()
    Tally.objects.bulk_create(tallies)
