"""Ratings for tables of several players, by the ranks of finished sets (openskill)."""

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from itertools import groupby
from typing import NamedTuple

from django.db import connection
from django.db.models import OuterRef, QuerySet, Subquery
from openskill.models import PlackettLuce, PlackettLuceRating

from ..models import Player, Playgroup, SetResult
from ..rules.formats import RULESETS, keys_of

MODEL = PlackettLuce()
START, SCALE = 1500, 24  # a newcomer's rating as it is shown, and the points per unit of mu
PROVISIONAL = 10  # sets until a rating is not in doubt any more


def shown(mu: float) -> int:
    """
    >>> shown(25.0), shown(27.5)
    (1500, 1560)
    """
    return round(START + (mu - MODEL.mu) * SCALE)


def uncertainty(sigma: float) -> int:
    """Return by how much a rating may be off: two standard deviations.

    >>> uncertainty(2.5)
    120
    """
    return round(2 * sigma * SCALE)


class Rated(NamedTuple):
    key: int
    player: int
    rank: int
    mu: float | None
    sigma: float | None
    seat: int
    game_set: int
    ruleset: str
    code: str

    def has(self, rating: PlackettLuceRating) -> bool:
        return (self.mu, self.sigma) == (rating.mu, rating.sigma)


def rate_from(at: datetime, playgroup: int, rulesets: Collection[str]) -> None:
    """Each format has its own ratings: ``rulesets`` are the keys of all rulesets of a format. Each
    rating follows from those before it, so whatever is later changes too: three statements."""
    rated = results_of(playgroup, rulesets)
    # The index of sets by time has those of a playgroup together.
    tail = read_results(rated.filter(finished_at__gte=at, game_set__finished_at__gte=at))
    earlier = rated.filter(player=OuterRef("pk"), finished_at__lt=at)
    earlier = earlier.order_by("-finished_at", "-game_set")
    before = Player.objects.filter(pk__in={result.player for result in tail}).values_list(
        "pk", Subquery(earlier.values("mu")[:1]), Subquery(earlier.values("sigma")[:1])
    )
    now = {key: MODEL.rating(mu, sigma) for key, mu, sigma in before if mu is not None}
    changed = [
        (rating.mu, rating.sigma, result.key)
        for result, rating in _rated(tail, now)
        if not result.has(rating)
    ]
    if changed:
        with connection.cursor() as cursor:
            cursor.executemany(UPDATE, changed)


# Django's own updates in bulk take thirty times as long, and whoever corrects an old set waits.
UPDATE = f"UPDATE {SetResult._meta.db_table} SET mu = %s, sigma = %s WHERE id = %s"


def read_results(results: QuerySet[SetResult]) -> list[Rated]:
    columns = ("pk", "player", "rank", "mu", "sigma", "seat__number")
    of_set = ("game_set", "game_set__ruleset", "game_set__code")
    return [Rated(*row) for row in results.values_list(*columns, *of_set)]


def _rated(
    results: Iterable[Rated], now: dict[int, PlackettLuceRating]
) -> Iterator[tuple[Rated, PlackettLuceRating]]:
    """Yield ordered results with the new ratings; ``now`` has players' ratings, and is updated."""
    # Results come ordered by set, so that groupby yields each set once.
    for _, group in groupby(results, key=lambda result: result.game_set):
        of_set = list(group)
        by_seat = {result.seat: result for result in of_set}
        sides = RULESETS[of_set[0].ruleset].teams(len(of_set))
        teams = [[by_seat[seat] for seat in side] for side in sides]
        teams.sort(key=lambda team: of_set.index(team[0]))
        before = [[now.get(result.player) or MODEL.rating() for result in team] for team in teams]
        rated = MODEL.rate(before, ranks=[float(team[0].rank) for team in teams])
        for team, ratings in zip(teams, rated, strict=True):
            for result, rating in zip(team, ratings, strict=True):
                now[result.player] = rating
                yield result, rating


def wrong(playgroup: Playgroup, format: str) -> list[Rated]:
    results = read_results(results_of(playgroup.pk, keys_of(format)))
    return [result for result, rating in _rated(results, {}) if not result.has(rating)]


def results_of(playgroup: int, rulesets: Collection[str]) -> QuerySet[SetResult]:
    results = SetResult.objects.filter(
        game_set__playgroup=playgroup, game_set__ruleset__in=rulesets
    )
    return results.order_by("finished_at", "game_set", "rank", "pk")
