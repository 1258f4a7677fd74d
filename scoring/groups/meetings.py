"""Players head to head: how each did in the sets in which both sat at the table.

The sums come from tallies of meetings, of which there is one for two players and a ruleset.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from django.db.models import Case, FilteredRelation, Q, QuerySet, When

from coalition_site.lib.prepared import Parameter, PreparedSelect
from coalition_site.lib.texts import sort_key

from ..models import Meeting, Player, Playgroup, SetResult
from ..results.totals import OF_MEETING
from ..rules.formats import FORMATS, RULESETS, scores
from .leaderboard import share
from .teams import PLAYED_IN_TEAMS

ENOUGH = 3  # sets against a player, who is then to be listed as an opponent
OPPONENTS_MAX = 5  # the best, and as many of the worst

Sums = list[int]


@dataclass(frozen=True)
class Opponent:
    """Somebody against whom a player sat at the table.

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


@dataclass
class Duel:
    """The sums of two opponents’ sets; ``games`` are those that gave VP."""

    sets: int = 0
    ahead: int = 0
    behind: int = 0
    points: int = 0
    games: int = 0
    others_points: int = 0
    others_games: int = 0

    def add(self, sums: Sequence[int], ruleset: str) -> None:
        """Add the sums of a ruleset, in the order of ``OF_MEETING``."""
        for name, value in zip(OF_MEETING, sums, strict=True):
            if RULESETS[ruleset].cap or name in ("sets", "ahead", "behind"):
                setattr(self, name, getattr(self, name) + value)

    def lead(self, in_points: bool) -> int:
        """Return how many VP more the player had, or in how many sets more it was ahead."""
        return self.points - self.others_points if in_points else self.ahead - self.behind

    @property
    def level(self) -> int:
        return self.sets - self.ahead - self.behind

    @property
    def per_game(self) -> float:
        return share(self.points, self.games)

    @property
    def others_per_game(self) -> float:
        return share(self.others_points, self.others_games)


def against(player: Player, other: Player) -> QuerySet[SetResult]:
    """Return the results of a player in the sets that another played, but not in the same team."""
    theirs = SetResult.objects.filter(player=other)
    met = theirs.alias(own=FilteredRelation("game_set__results")).filter(own__player=player)
    # A value for each result: an excluded subquery would read all that they played together.
    as_team = Case(When(_is_of_one_team("own"), then=True), default=False)
    return met.alias(as_team=as_team).filter(as_team=False)


def _is_of_one_team(other: str) -> Q:
    """Return the condition that a result, and another by the name of a relation, are of a team."""
    return reduce(
        or_,
        (
            Q(game_set__ruleset=ruleset.key, size=players)
            & Q(**{"seat__number__in": team, f"{other}__seat__number__in": team})
            for ruleset in PLAYED_IN_TEAMS
            for players in filter(ruleset.allows, range(1, ruleset.players_max + 1))
            for team in ruleset.teams(players)
        ),
    )


def opponents(player: Player, format: str) -> list[Opponent]:
    """Return everybody whom a player met often enough, the easiest to beat first.

    Without VP the difference is in sets. Guests are left out. One query.
    """
    met: dict[int, tuple[str, Duel]] = {}
    keys = {ruleset.key for ruleset in FORMATS[format]}
    for one, name, is_guest, other, others_name, other_is_guest, ruleset, *sums in MET.all(
        player.pk, player.pk
    ):
        is_first = one == player.pk
        if ruleset in keys and not (other_is_guest if is_first else is_guest):
            key, called = (other, others_name) if is_first else (one, name)
            _, duel = met.setdefault(key, (called, Duel()))
            duel.add(sums if is_first else turned(sums), ruleset)
    often_met = (
        Opponent(key, name, duel.sets, duel.ahead, duel.behind, duel.lead(scores(format)))
        for key, (name, duel) in met.items()
        if duel.sets >= ENOUGH
    )
    return sorted(often_met, key=lambda opponent: (-opponent.by_set, sort_key(opponent.name)))


def turned(sums: Sequence[int]) -> Sums:
    """Return the sums of a meeting as the other player sees them.

    >>> turned([5, 3, 1, 60, 15, 40, 14])
    [5, 1, 3, 40, 14, 60, 15]
    """
    sets, ahead, behind, points, games, others_points, others_games = sums
    return [sets, behind, ahead, others_points, others_games, points, games]


def _met(player: Parameter, same: Parameter) -> QuerySet[Any, tuple[Any, ...]]:
    sides = ("player_id", "player__name", "player__is_guest")
    others = ("other_id", "other__name", "other__is_guest")
    theirs = Meeting.objects.filter(Q(player=player) | Q(other=same))
    return theirs.values_list(*sides, *others, "ruleset", *OF_MEETING)


MET = PreparedSelect(_met)


def best(opponents: Sequence[Opponent]) -> list[Opponent]:
    """Return the opponents over whom a player leads, by the widest lead."""
    return [opponent for opponent in opponents if opponent.difference > 0][:OPPONENTS_MAX]


def worst(opponents: Sequence[Opponent]) -> list[Opponent]:
    """Return the opponents who lead over a player, by the widest lead."""
    return [opponent for opponent in reversed(opponents) if opponent.difference < 0][:OPPONENTS_MAX]


def duel(player: Player, other: Player) -> Duel:
    """Return how two players did against each other. One query."""
    pair, sums = sorted((player.pk, other.pk)), Duel()
    for ruleset, *row in DUEL.all(*pair):
        sums.add(row if pair[0] == player.pk else turned(row), ruleset)
    return sums


DUEL = PreparedSelect(
    lambda player, other: Meeting.objects.filter(player=player, other=other).values_list(
        "ruleset", *OF_MEETING
    )
)


class Met(NamedTuple):
    """Two players of a playgroup who met, and in how many sets the first was ahead and behind."""

    one: int
    other: int
    ruleset: str
    sets: int
    ahead: int
    behind: int


def of_group(group: Playgroup) -> list[Met]:
    """Return all meetings of a playgroup, guests' aside. One query."""
    return [Met(*row) for row in MEETINGS.all(group.pk)]


MEETINGS = PreparedSelect(
    lambda group: Meeting.objects.filter(
        player__playgroup=group, player__is_guest=False, other__is_guest=False
    ).values_list("player_id", "other_id", "ruleset", "sets", "ahead", "behind")
)
