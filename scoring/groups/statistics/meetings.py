"""Players head to head: how each did in the sets in which both sat at the table as opponents."""

from collections import Counter
from collections.abc import Sequence
from functools import reduce
from itertools import combinations
from operator import add, or_
from typing import Any, NamedTuple

from django.db.models import Case, Count, F, FilteredRelation, Q, QuerySet, Sum, When

from coalition_site.lib.texts import sort_key

from ...models import Player, Playgroup, SetResult, Tally
from ...rules.formats import RULESETS, has_teams, keys_of, scores
from ..board.leaderboard import share
from .teams import TEAM, TEAMS

ENOUGH = 3  # sets against a player, to list it as an opponent; and of a player, to come first
CLEAR = 0.2  # of the shared sets: a lead from here on is clear

# What pairs of results add up to; ``other`` is the opponent's.
AHEAD, BEHIND = Q(rank__lt=F("other__rank")), Q(rank__gt=F("other__rank"))
SCORING = [ruleset.key for ruleset in RULESETS.values() if ruleset.cap]
SCORED = Q(game_set__ruleset__in=SCORING)


def paired(
    results: QuerySet[SetResult], *, in_teams: bool = True, **others: object
) -> QuerySet[SetResult]:
    """Select results once for each ``other`` result of the set, but for those of teammates.

    ``others`` are conditions of the other result. Without ``in_teams`` nothing of formats that are
    played in teams may be among the results.
    """
    # One filter: each call of it would join the results of the set once more.
    pairs = results.alias(other=FilteredRelation("game_set__results")).filter(
        Q(other__player__lt=F("player")) | Q(other__player__gt=F("player")),
        **{f"other__{name}": value for name, value in others.items()},
    )
    if not in_teams:
        return pairs
    # A value for each pair: an excluded subquery would read all that they played together.
    mates = reduce(or_, (of_team & Q(other__seat__number__in=team) for of_team, team in TEAMS))
    as_team = Case(When(mates, then=True), default=False)
    return pairs.alias(as_team=as_team).filter(as_team=False)


# --- a player's opponents ---
class Opponent(NamedTuple):
    """``ahead`` counts the sets in which the player ranked above the opponent, ``difference`` how
    many VP more the player had in all shared sets, or without VP in how many more it was ahead."""

    player_id: int
    name: str
    sets: int
    ahead: int
    difference: int

    @property
    def by_set(self) -> float:
        return share(self.difference, self.sets)


def opponents(player: Player, format: str) -> list[Opponent]:
    # Guests are left out. One query.
    own = SetResult.objects.filter(player=player, game_set__ruleset__in=keys_of(format))
    listed: QuerySet[Any, Any] = paired(own, in_teams=has_teams(format), player__is_guest=False)
    met = listed.values("other__player", "other__player__name")
    ahead, behind = Count("pk", filter=AHEAD), Count("pk", filter=BEHIND)
    points = Sum(F("victory_points") - F("other__victory_points"))
    lead = points if scores(format) else ahead - behind
    often_met = met.annotate(sets=Count("pk"), ahead=ahead, lead=lead).filter(sets__gte=ENOUGH)
    rows = often_met.values_list("other__player", "other__player__name", "sets", "ahead", "lead")
    return sorted(
        (Opponent(*row) for row in rows),
        key=lambda opponent: (-opponent.by_set, sort_key(opponent.name)),
    )


# --- two players ---
def against(player: Player, other: Player) -> QuerySet[SetResult]:
    return paired(SetResult.objects.filter(player=player), player=other)


def duel(met: QuerySet[SetResult]) -> dict[str, Any]:
    """Return the sums of two opponents’ sets; ``games`` are those that gave VP."""
    sums = met.aggregate(
        sets=Count("pk"),
        ahead=Count("pk", filter=AHEAD),
        behind=Count("pk", filter=BEHIND),
        points=Sum("victory_points", filter=SCORED, default=0),
        games=Sum("games_played", filter=SCORED, default=0),
        others_points=Sum("other__victory_points", filter=SCORED, default=0),
        others_games=Sum("other__games_played", filter=SCORED, default=0),
    )
    return sums | {
        "level": sums["sets"] - sums["ahead"] - sums["behind"],
        "per_game": share(sums["points"], sums["games"]),
        "others_per_game": share(sums["others_points"], sums["others_games"]),
    }


# --- everybody against everybody ---
class Cell(NamedTuple):
    other: int
    sets: int
    ahead: int
    behind: int

    @property
    def lead(self) -> int:
        return self.ahead - self.behind

    @property
    def look(self) -> str:
        if not self.lead:
            return ""
        side = "up" if self.lead > 0 else "down"
        return f"{side} clear" if abs(self.lead) >= CLEAR * self.sets else side


def formats_met(group: Playgroup) -> list[str]:
    tallies = Tally.objects.filter(
        player__playgroup=group, player__is_guest=False, span=Tally.Span.YEAR
    )
    met: Counter[str] = Counter()
    summed = tallies.values("ruleset", "size").annotate(all=Sum("sets"))
    for key, size, sets in summed.values_list("ruleset", "size", "all"):
        ruleset = RULESETS[key]
        met[ruleset.format] += sets * (size - len(ruleset.teams(size)[0]))
    return [format for format, _ in met.most_common()]


def grid(group: Playgroup, players: Sequence[Player], format: str) -> list[dict[str, Any]]:
    """Return the rows of those players who met any of them in a format: the largest share of leads
    first, and those with few sets last. One query."""
    # ``all`` are all others together: each of them counts in each set that was shared. In ``cells``
    # None stands where two never met.
    listed = {player.pk: player for player in players}
    played, sets, ahead = count_meetings(group, set(listed), format)
    cells = {
        (one, other): Cell(other, count, ahead[one, other], ahead[other, one])
        for (one, other), count in sets.items()
    }
    totals: dict[int, Cell] = {}
    for (one, _), cell in cells.items():
        _, *before = totals.get(one, Cell(0, 0, 0, 0))
        totals[one] = Cell(0, *map(add, before, cell[1:]))
    order = sorted(
        totals,
        key=lambda key: (
            played[key] < ENOUGH,
            -share(totals[key].lead, totals[key].sets),
            sort_key(listed[key].name),
        ),
    )
    return [
        {
            "player": listed[one],
            "all": totals[one],
            "cells": [cells.get((one, other)) for other in order],
        }
        for one in order
    ]


def count_meetings(
    group: Playgroup, players: set[int], format: str
) -> tuple[Counter[int], Counter[tuple[int, int]], Counter[tuple[int, int]]]:
    """Return how many sets each player played, in how many of them each two were opponents, and
    how often ahead. One query."""
    results = SetResult.objects.filter(
        game_set__playgroup=group, game_set__ruleset__in=keys_of(format)
    )
    side = TEAM if has_teams(format) else F("player")
    tables: dict[int, list[list[int]]] = {}
    for game_set, *sat in results.values_list("game_set", "player", "rank", side):
        if sat[0] in players:
            tables.setdefault(game_set, []).append(sat)
    played = Counter(player for table in tables.values() for player, _, _ in table)
    sets, ahead = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for table in tables.values():
        for (one, rank, own_team), (other, others_rank, team) in combinations(table, 2):
            if own_team != team:
                sets[one, other] += 1
                if rank != others_rank:
                    ahead[(one, other) if rank < others_rank else (other, one)] += 1
    for (one, other), count in list(sets.items()):
        sets[other, one] += count
    return played, sets, ahead
