"""Reading results: sets that were played, opponents, and what heroes and types did.

Summed up in the database: what is read does not grow with the sets.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Prefetch, Q, QuerySet, Sum

from ..models import Player, Playgroup, SetResult, Tally
from ..models.tallies import SUMS
from ..rules.formats import FORMATS, RULESETS, scores
from .leaderboard import Row, share

PAGE = 30  # sets at a time
COURSE = 60  # latest sets whose ratings are drawn
ENOUGH = 3  # shared sets from which opponents are compared
OPPONENTS_MAX = 5  # the best, and as many of the worst
LINES_MAX = 100  # heroes or types in a table

OF_RESULTS = {
    "sets": Count("pk"),
    "sets_won": Count("pk", filter=Q(rank=1)),
    "games": Sum("games_played", default=0),
    "victory_points": Sum("victory_points", default=0),
}


@dataclass(frozen=True)
class Line:
    """What a hero, a type or a player did, in a line of a table."""

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
    """Some results, the latest first. ``more`` is the number of the page after, None at the end."""

    number: int
    results: Sequence[SetResult]
    more: int | None


@dataclass(frozen=True)
class Opponent:
    """Somebody whom a player met; ``ahead`` counts the sets that the player finished before them,
    ``difference`` is how many VP more the player had in all of them together."""

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
    """Two players' shared sets in sums; ``games`` are those that gave VP."""

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


def of_group(group: Playgroup) -> QuerySet[SetResult]:
    """Return all results of a playgroup."""
    return SetResult.objects.filter(player__playgroup=group)


def page(results: QuerySet[SetResult], number: int, of: Collection[Player] = ()) -> Page:
    """Return a page of sets with the results of their players, or of some. Two queries."""
    beside = SetResult.objects.select_related("player").order_by("rank", "seat__number")
    if of:
        beside = beside.filter(player__in=of)
    start = (number - 1) * PAGE
    found = results.select_related("game_set").order_by("-finished_at", "-game_set", "rank", "pk")
    found = found.prefetch_related(Prefetch("game_set__results", beside, to_attr="told"))
    read = list(found[start : start + PAGE + 1])
    return Page(number, read[:PAGE], number + 1 if len(read) > PAGE else None)


def sums(player: Player) -> dict[str, Row]:
    """Return what all sets of a player sum up to, by format. One query."""
    years = Tally.objects.filter(player=player, span=Tally.Span.YEAR).values("ruleset")
    rows: dict[str, Row] = {}
    for said in years.annotate(**{name: Sum(name) for name in SUMS}):
        row = rows.setdefault(RULESETS[said["ruleset"]].format, Row(player))
        for name in SUMS:
            row.sums[name] += said[name]
    return rows


def course(player: Player, format: str) -> list[SetResult]:
    """Return the latest sets of a player that count for the rating, the oldest first. One query."""
    rated = of_format(SetResult.objects.filter(player=player), format)
    return list(rated.order_by("-finished_at", "-game_set")[:COURSE])[::-1]


def of_format(results: QuerySet[SetResult], format: str) -> QuerySet[SetResult]:
    """Return those of the results that are of a format's sets."""
    return results.filter(game_set__ruleset__in=[one.key for one in FORMATS[format]])


def totals(results: QuerySet[SetResult]) -> Line:
    """Return what results sum up to. One query."""
    return Line(**results.aggregate(**OF_RESULTS))


def led(results: QuerySet[SetResult], by: str) -> list[Line]:
    """Return what each hero or coalition type did, the most played first. One query."""
    found = results.exclude(**{by: ""}).values(name=F(by)).annotate(**OF_RESULTS)
    return _lines(found.order_by("-sets", "name")[:LINES_MAX])


def by_player(results: QuerySet[SetResult]) -> list[Line]:
    """Return what each player did, guests left out, the most sets first. One query."""
    listed = results.filter(player__is_guest=False)
    found = listed.values("player_id", name=F("player__name")).annotate(**OF_RESULTS)
    return _lines(found.order_by("-sets", "name"))


def _lines(found: Iterable[dict[str, Any]]) -> list[Line]:
    return [Line(**one) for one in found]


def met(player: Player) -> QuerySet[SetResult]:
    """Return the results of others in the sets of a player; ``OWN`` leads to the player's own."""
    return SetResult.objects.filter(game_set__results__player=player).exclude(player=player)


OWN = "game_set__results__"
SCORED = Q(game_set__ruleset__in=[one.key for one in RULESETS.values() if one.cap])
AHEAD = Count("pk", filter=Q(rank__gt=F(f"{OWN}rank")))
BEHIND = Count("pk", filter=Q(rank__lt=F(f"{OWN}rank")))


def opponents(player: Player, format: str) -> list[Opponent]:
    """Return everybody whom a player met often enough, the best to play against first.

    Without VP the difference is in sets. Guests are left out. One query.
    """
    found = of_format(met(player), format).filter(player__is_guest=False)
    by_points = Sum(F(f"{OWN}victory_points") - F("victory_points"))
    found = found.values("player_id", name=F("player__name")).annotate(
        sets=Count("pk"),
        ahead=AHEAD,
        behind=BEHIND,
        difference=by_points if scores(format) else AHEAD - BEHIND,
    )
    often = [Opponent(**one) for one in found.filter(sets__gte=ENOUGH)]
    return sorted(often, key=lambda one: (-one.by_set, one.name))


def best(found: Sequence[Opponent]) -> list[Opponent]:
    """Return the opponents over whom a player leads, by the widest lead."""
    return [one for one in found if one.difference > 0][:OPPONENTS_MAX]


def worst(found: Sequence[Opponent]) -> list[Opponent]:
    """Return the opponents who lead over a player, by the widest lead."""
    return [one for one in reversed(found) if one.difference < 0][:OPPONENTS_MAX]


def meeting(player: Player, other: Player) -> Meeting:
    """Return how two players did in the sets that they shared. One query."""
    found = met(player).filter(player=other).values("player_id")
    summed = found.annotate(
        sets=Count("pk"),
        ahead=AHEAD,
        behind=BEHIND,
        points=Sum(f"{OWN}victory_points"),
        games=Sum(f"{OWN}games_played", filter=SCORED, default=0),
        others_points=Sum("victory_points"),
        others_games=Sum("games_played", filter=SCORED, default=0),
    ).values("sets", "ahead", "behind", "points", "games", "others_points", "others_games")
    return Meeting(**next(iter(summed), {}))
