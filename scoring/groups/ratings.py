"""Ratings for tables of several players, by the ranks of finished sets (openskill)."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from itertools import groupby

from django.db.models import OuterRef, QuerySet, Subquery
from openskill.models import PlackettLuce, PlackettLuceRating

from ..models import GameSet, Player, SetResult
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


def rate_from(at: datetime, game_set: GameSet) -> None:
    """Rate the sets of a playgroup anew that were finished at a time or later.

    Ratings of each format are of their own: only sets of the format of ``game_set`` count.
    """
    keys = format_keys(game_set.ruleset)
    rated = SetResult.objects.filter(
        game_set__playgroup=game_set.playgroup_id, game_set__ruleset__in=keys
    )
    tail = list(rated.filter(finished_at__gte=at).order_by("finished_at", "game_set", "rank"))
    now = _before(at, {one.player_id for one in tail}, rated)
    changed = []
    for _, results in groupby(tail, key=lambda one: one.game_set_id):
        sat = list(results)
        teams = [[now.get(one.player_id) or MODEL.rating()] for one in sat]
        for one, (rating,) in zip(
            sat, MODEL.rate(teams, ranks=[float(one.rank) for one in sat]), strict=True
        ):
            now[one.player_id] = rating
            if (one.mu, one.sigma) != (rating.mu, rating.sigma):
                one.mu, one.sigma = rating.mu, rating.sigma
                changed.append(one)
    SetResult.objects.bulk_update(changed, ["mu", "sigma"], batch_size=BATCH)


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
