"""Ratings for tables of several players, by the ranks of finished sets (openskill)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby

from django.db.models import OuterRef, QuerySet, Subquery
from openskill.models import PlackettLuce, PlackettLuceRating

from ..models import Player, Playgroup, SetResult
from ..rules.formats import FORMATS, RULESETS

MODEL = PlackettLuce()
START, SCALE = 1500, 24  # what a rating is shown as: a newcomer's, and points for one of mu
PROVISIONAL = 5  # sets until a rating is taken for one
BATCH = 200


def shown(mu: float) -> int:
    """Return a rating as people read it.

    >>> shown(25.0), shown(27.5)
    (1500, 1560)
    """
    return round(START + (mu - MODEL.mu) * SCALE)


def uncertainty(sigma: float) -> int:
    """Return how far a rating may be off, two standard deviations.

    >>> uncertainty(2.5)
    120
    """
    return round(2 * sigma * SCALE)


def rate_from(at: datetime, playgroup: int, rulesets: Collection[str]) -> None:
    """Rate the sets of a playgroup anew that were finished at a time or later.

    Each format has ratings of its own: ``rulesets`` are the keys of all of one.
    """
    rated = results_of(playgroup, rulesets)
    tail = list(rated.filter(finished_at__gte=at))
    now = _before(at, {one.player_id for one in tail}, rated)
    changed = []
    for one, rating in _rated(tail, now):
        if (one.mu, one.sigma) != (rating.mu, rating.sigma):
            one.mu, one.sigma = rating.mu, rating.sigma
            changed.append(one)
    SetResult.objects.bulk_update(changed, ["mu", "sigma"], batch_size=BATCH)


def _rated(
    results: Iterable[SetResult], now: dict[int, PlackettLuceRating]
) -> Iterator[tuple[SetResult, PlackettLuceRating]]:
    """Yield results, those of a set one after the other, with the ratings that they lead to."""
    for _, of_set in groupby(results, key=lambda one: one.game_set_id):
        teams = _teams(list(of_set))
        before = [[now.get(one.player_id) or MODEL.rating() for one in team] for team in teams]
        rated = MODEL.rate(before, ranks=[float(team[0].rank) for team in teams])
        for team, ratings in zip(teams, rated, strict=True):
            for one, rating in zip(team, ratings, strict=True):
                now[one.player_id] = rating
                yield one, rating


def _teams(sat: Sequence[SetResult]) -> list[list[SetResult]]:
    """Return the results of a set by teams, in order of rank; who plays alone is one."""
    ruleset = RULESETS[sat[0].game_set.ruleset]
    of_seat = {one.seat.number: one for one in sat}
    teams = [[of_seat[seat] for seat in team] for team in ruleset.teams(len(sat))]
    return sorted(teams, key=lambda team: sat.index(team[0]))


def wrong(playgroup: Playgroup, format: str) -> list[SetResult]:
    """Return the results of a playgroup whose ratings are not what the sets give. One query."""
    found = results_of(playgroup.pk, [ruleset.key for ruleset in FORMATS[format]])
    return [
        one for one, rating in _rated(found, {}) if (one.mu, one.sigma) != (rating.mu, rating.sigma)
    ]


def results_of(playgroup: int, rulesets: Collection[str]) -> QuerySet[SetResult]:
    """Return a playgroup's results in the order in which they count for ratings."""
    found = SetResult.objects.filter(game_set__playgroup=playgroup, game_set__ruleset__in=rulesets)
    ordered = found.order_by("finished_at", "game_set", "rank", "pk")
    return ordered.select_related("game_set", "seat")


def format_keys(ruleset: str) -> list[str]:
    """Return the keys of all rulesets of a ruleset's format."""
    rules = RULESETS[ruleset]
    return [one.key for one in next(of for of in FORMATS.values() if rules in of)]


def _before(
    at: datetime, players: Collection[int | None], rated: QuerySet[SetResult]
) -> dict[int, PlackettLuceRating]:
    """Return the ratings that players had before a time. One query."""
    earlier = rated.filter(player=OuterRef("pk"), finished_at__lt=at).order_by(
        "-finished_at", "-game_set"
    )
    found = Player.objects.filter(pk__in=players).values_list(
        "pk", Subquery(earlier.values("mu")[:1]), Subquery(earlier.values("sigma")[:1])
    )
    return {key: MODEL.rating(mu, sigma) for key, mu, sigma in found if mu is not None}
