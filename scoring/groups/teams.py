"""How teams did: whole teams as they sat, and pairs of teammates, in formats played in teams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from django.db.models import Case, IntegerField, Q, When

from coalition_site.lib.texts import sort_key

from ..models import Playgroup, Season, SetResult
from ..rules.formats import RULESETS
from ..rules.ranks import ranked
from .leaderboard import LISTED, share

ROWS_MAX = 100  # in a table
PLAYED_IN_TEAMS = [ruleset for ruleset in RULESETS.values() if ruleset.has_teams]
# Each team that there can be: the condition that a result is of it, and its seats.
TEAMS = [
    (Q(game_set__ruleset=ruleset.key, size=players, seat__number__in=team), team)
    for ruleset in PLAYED_IN_TEAMS
    for players in filter(ruleset.allows, range(1, ruleset.players_max + 1))
    for team in ruleset.teams(players)
]
Together = tuple[int, ...]  # the keys of players, in order
# The first seat of a result's team.
TEAM = Case(
    *(When(of_team, then=team[0]) for of_team, team in TEAMS),
    default="seat__number",
    output_field=IntegerField(),
)


@dataclass
class Team:
    """Players who sat together, as keys and names, with how many games they played and won."""

    players: Sequence[tuple[int, str]]
    games: int
    won: int
    rank: int | None = None

    @property
    def won_share(self) -> float:
        return share(self.won, self.games)


class Teams(NamedTuple):
    """The ranked whole teams, and the ranked pairs of teammates in teams of any size."""

    whole: list[Team]
    pairs: list[Team]


def teams(group: Playgroup, season: Season | None = None) -> Teams:
    """Return how a playgroup's teams did on all days, or in a season; guests are left out.

    Two queries.
    """
    results = SetResult.objects.filter(
        game_set__playgroup=group, game_set__ruleset__in=[one.key for one in PLAYED_IN_TEAMS]
    )
    if season:
        results = results.filter(played_on__range=(season.starts_on, season.ends_on))
    sat: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
    columns = ("game_set", "team", "player", "games_played", "games_won")
    for game_set, team, *played in results.annotate(team=TEAM).values_list(*columns):
        sat.setdefault((game_set, team), []).append(tuple(played))
    games, won = Counter[Together](), Counter[Together]()
    for mates in sat.values():
        together = tuple(sorted(player for player, _, _ in mates))
        games[together] += mates[0][1]
        won[together] += mates[0][2]
    names = dict(group.players.filter(is_guest=False).values_list("pk", "name"))
    return Teams(_ranked(names, games, won), _ranked(names, _by_pair(games), _by_pair(won)))


def _by_pair(of_teams: Counter[Together]) -> Counter[Together]:
    pairs = Counter[Together]()
    for together, count in of_teams.items():
        for pair in combinations(together, 2):
            pairs[pair] += count
    return pairs


def _ranked(names: dict[int, str], games: Counter[Together], won: Counter[Together]) -> list[Team]:
    """Return teams by the share of games won, those with too few games last, without a rank.

    Equal shares have the same rank, and the more games go first.
    """
    teams = (
        Team(
            sorted(((key, names[key]) for key in together), key=lambda mate: sort_key(mate[1])),
            games[together],
            won[together],
        )
        for together in games
        if names.keys() >= set(together)
    )
    ordered = sorted(
        teams,
        key=lambda team: (
            team.games < LISTED,
            -team.won_share,
            -team.games,
            [sort_key(name) for _, name in team.players],
        ),
    )
    listed = [team for team in ordered if team.games >= LISTED]
    ranks = ranked({place: team.won_share for place, team in enumerate(listed)})
    for place, team in enumerate(listed):
        team.rank = ranks[place]
    return ordered[:ROWS_MAX]
