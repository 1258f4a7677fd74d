"""Statistics of results: sets played, opponents, and how heroes and coalition types did.

The database sums them up: the number of rows read does not grow with the sets.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import starmap
from typing import Any

from django.db.models import Count, F, Prefetch, Q, QuerySet, Sum

from coalition_site.lib.prepared import Parameter, PreparedSelect

from ..models import Player, Playgroup, SetResult, Tally
from ..models.tallies import SUMS
from ..rules.formats import FORMATS, RULESETS, scores
from .latest import Past
from .leaderboard import Row, share

PAGE = 30  # sets at a time
RATINGS_MAX = 60  # latest sets whose ratings are drawn
ENOUGH = 3  # shared sets that a player needs to be listed as an opponent
OPPONENTS_MAX = 5  # the best, and as many of the worst
ROWS_MAX = 100  # heroes or types in a table

OF_RESULTS = {
    "sets": Count("pk"),
    "sets_won": Count("pk", filter=Q(rank=1)),
    "games": Sum("games_played", default=0),
    "victory_points": Sum("victory_points", default=0),
}

# A select whose rows are tuples of sums, and of what they are of.
Summed = QuerySet[Any, tuple[Any, ...]]


@dataclass(frozen=True)
class Totals:
    """What the results of a hero, a coalition type or a player sum up to."""

    sets: int
    sets_won: int
    games: int
    victory_points: int
    name: str = ""
    player_id: int | None = None

    @property
    def per_game(self) -> float:
        return share(self.victory_points, self.games)


@dataclass(frozen=True)
class Page:
    """Some results, the latest first. ``more`` is the number of the next page, None at the end."""

    number: int
    results: Sequence[SetResult]
    more: int | None


@dataclass(frozen=True)
class Opponent:
    """Somebody whom a player met at the table.

    ``ahead`` counts the sets in which the player ranked above the opponent, ``difference`` is how
    many VP more the player had in all shared sets.
    """

    player_id: int
    name: str
    sets: int
    ahead: int
    behind: int
    difference: int

    @property
    def by_set(self) -> float:
        return share(self.difference, self.sets)


@dataclass(frozen=True)
class Meeting:
    """The sums of two players' shared sets; ``games`` are those that gave VP."""

    sets: int = 0
    ahead: int = 0
    behind: int = 0
    points: int = 0
    games: int = 0
    others_points: int = 0
    others_games: int = 0

    @property
    def level(self) -> int:
        return self.sets - self.ahead - self.behind

    @property
    def per_game(self) -> float:
        return share(self.points, self.games)

    @property
    def others_per_game(self) -> float:
        return share(self.others_points, self.others_games)


def group_results(group: Playgroup) -> QuerySet[SetResult]:
    """Return all results of a playgroup."""
    return SetResult.objects.filter(player__playgroup=group)


def page(results: QuerySet[SetResult], number: int, players: Collection[Player] = ()) -> Page:
    """Return a page of results; each set has all its results, or those of some players, in
    ``shown_results``. Two queries."""
    of_set = SetResult.objects.select_related("player").order_by("rank", "seat__number")
    if players:
        of_set = of_set.filter(player__in=players)
    start = (number - 1) * PAGE
    ordered = results.select_related("game_set").order_by("-finished_at", "-game_set", "rank", "pk")
    complete = ordered.prefetch_related(
        Prefetch("game_set__results", of_set, to_attr="shown_results")
    )
    rows = list(complete[start : start + PAGE + 1])
    return Page(number, rows[:PAGE], number + 1 if len(rows) > PAGE else None)


def sums_by_format(player: Player) -> dict[str, Row]:
    """Return the sums of all sets of a player, by format. One query."""
    rows: dict[str, Row] = {}
    for ruleset, *sums in BY_RULESET.all(player.pk):
        row = rows.setdefault(RULESETS[ruleset].format, Row(player.pk, player.name))
        for name, value in zip(SUMS, sums, strict=True):
            setattr(row, name, getattr(row, name) + value)
    return rows


def _by_ruleset(player: Parameter) -> Summed:
    years: QuerySet[Any, Any] = Tally.objects.filter(player=player, span=Tally.Span.YEAR)
    summed: Summed = years.values("ruleset").annotate(**{name: Sum(name) for name in SUMS})
    return summed.values_list("ruleset", *SUMS)


BY_RULESET = PreparedSelect(_by_ruleset)


def rated_results(player: Player, format: str) -> list[Past]:
    """Return the latest sets of a player that count for the rating, the oldest first. One query."""
    return [Past(*values) for values in _rated(format).all(player.pk)][::-1]


@cache
def _rated(format: str) -> PreparedSelect[tuple[Any, ...]]:
    results = of_format(SetResult.objects.all(), format).order_by("-finished_at", "-game_set")
    return PreparedSelect(
        lambda player: results.filter(player=player).values_list(*Past._fields)[:RATINGS_MAX]
    )


def of_format(results: QuerySet[SetResult], format: str) -> QuerySet[SetResult]:
    """Return the results of a format's sets only."""
    return results.filter(game_set__ruleset__in=[ruleset.key for ruleset in FORMATS[format]])


def totals(results: QuerySet[SetResult]) -> Totals:
    """Return the sums of some results. One query."""
    return Totals(**results.aggregate(**OF_RESULTS))


def totals_by(results: QuerySet[SetResult], field: str) -> list[Totals]:
    """Return the sums for each "hero" or "coalition_type", the most played first. One query."""
    return [Totals(*row) for row in _totals_by(results, field)]


def players_totals_by(player: Player, field: str) -> list[Totals]:
    """Return the same for the results of a player. One query."""
    return [Totals(*row) for row in _totals_of_player_by(field).all(player.pk)]


@cache
def _totals_of_player_by(field: str) -> PreparedSelect[tuple[Any, ...]]:
    return PreparedSelect(lambda player: _totals_by(SetResult.objects.filter(player=player), field))


def _totals_by(results: QuerySet[SetResult], field: str) -> Summed:
    grouped: QuerySet[Any, Any] = results.exclude(**{field: ""}).values(field)
    summed: Summed = grouped.annotate(**OF_RESULTS).order_by("-sets", field)
    return summed.values_list(*OF_RESULTS, field)[:ROWS_MAX]


def totals_by_player(results: QuerySet[SetResult]) -> list[Totals]:
    """Return the sums for each player but guests, the most sets first. One query."""
    listed = results.filter(player__is_guest=False)
    named: QuerySet[Any, Any] = listed.values("player_id", name=F("player__name"))
    grouped: QuerySet[Any, Any] = named.annotate(**OF_RESULTS)
    return [Totals(**row) for row in grouped.order_by("-sets", "name")]


def results_of_others(player: Player | Parameter) -> QuerySet[SetResult]:
    """Return the results of others in the sets of a player; ``OWN`` leads to the player's own."""
    return SetResult.objects.filter(game_set__results__player=player).exclude(player=player)


# From an opponent's result, lookups with this prefix lead to the player's own in the same set.
OWN = "game_set__results__"
SCORED = Q(game_set__ruleset__in=[ruleset.key for ruleset in RULESETS.values() if ruleset.cap])
AHEAD = Count("pk", filter=Q(rank__gt=F(f"{OWN}rank")))
BEHIND = Count("pk", filter=Q(rank__lt=F(f"{OWN}rank")))


def opponents(player: Player, format: str) -> list[Opponent]:
    """Return everybody whom a player met often enough, the easiest to beat first.

    Without VP the difference is in sets. Guests are left out. One query.
    """
    often_met = starmap(Opponent, _often_met(format).all(player.pk))
    return sorted(often_met, key=lambda opponent: (-opponent.by_set, opponent.name))


@cache
def _often_met(format: str) -> PreparedSelect[tuple[Any, ...]]:
    by_points = Sum(F(f"{OWN}victory_points") - F("victory_points"))
    sums = {
        "sets": Count("pk"),
        "ahead": AHEAD,
        "behind": BEHIND,
        "difference": by_points if scores(format) else AHEAD - BEHIND,
    }

    def build(player: Parameter) -> Summed:
        others = of_format(results_of_others(player), format).filter(player__is_guest=False)
        by_opponent: QuerySet[Any, Any] = others.values("player_id", "player__name")
        often_met: Summed = by_opponent.annotate(**sums).filter(sets__gte=ENOUGH)
        return often_met.values_list("player_id", "player__name", *sums)

    return PreparedSelect(build)


def best(opponents: Sequence[Opponent]) -> list[Opponent]:
    """Return the opponents over whom a player leads, by the widest lead."""
    return [opponent for opponent in opponents if opponent.difference > 0][:OPPONENTS_MAX]


def worst(opponents: Sequence[Opponent]) -> list[Opponent]:
    """Return the opponents who lead over a player, by the widest lead."""
    return [opponent for opponent in reversed(opponents) if opponent.difference < 0][:OPPONENTS_MAX]


def meeting(player: Player, other: Player) -> Meeting:
    """Return how two players did in the sets that they shared. One query."""
    return Meeting(*(MEETING.only(player.pk, other.pk) or ()))


OF_MEETING = {
    "sets": Count("pk"),
    "ahead": AHEAD,
    "behind": BEHIND,
    "points": Sum(f"{OWN}victory_points"),
    "games": Sum(f"{OWN}games_played", filter=SCORED, default=0),
    "others_points": Sum("victory_points"),
    "others_games": Sum("games_played", filter=SCORED, default=0),
}


def _meeting(player: Parameter, other: Parameter) -> Summed:
    shared: QuerySet[Any, Any] = results_of_others(player).filter(player=other).values("player_id")
    summed: Summed = shared.annotate(**OF_MEETING)
    return summed.values_list(*OF_MEETING)


MEETING = PreparedSelect(_meeting)
