"""How teams did in formats played in teams: pairs of teammates, and larger teams as they sat."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from django.db.models import Case, IntegerField, Q, When

from coalition_site.lib.texts import sort_key

from ...models import Playgroup, Season, SetResult
from ...rules.formats import RULESETS
from ...rules.ranks import ranked
from ..board.leaderboard import LISTED, share

ROWS_MAX = 100  # in a table
PLAYED_IN_TEAMS = [ruleset for ruleset in RULESETS.values() if ruleset.has_teams]
# Each team that there can be: the condition that a result is of it, and its seats.
TEAMS = [
    (Q(game_set__ruleset=ruleset.key, size=players, seat__number__in=team), team)
    for ruleset in PLAYED_IN_TEAMS
    for players in filter(ruleset.allows, range(1, ruleset.players_max + 1))
    for team in ruleset.teams(players)
]
# The first seat of a result's team.
TEAM = Case(
    *(When(of_team, then=team[0]) for of_team, team in TEAMS),
    default="seat__number",
    output_field=IntegerField(),
)


@dataclass
class Team:
    players: Sequence[tuple[int, str]]
    games: int = 0
    won: int = 0
    rank: int | None = None

    @property
    def won_share(self) -> float:
        return share(self.won, self.games)


class Teams(NamedTuple):
    pairs: list[Team]
    larger: list[Team]


def teams(group: Playgroup, season: Season | None = None) -> Teams:
    """Return how a playgroup's teams did on all days, or in a season; guests are left out."""
    # Two queries.
    results = SetResult.objects.filter(
        game_set__playgroup=group, game_set__ruleset__in=[one.key for one in PLAYED_IN_TEAMS]
    )
    if season:
        results = results.filter(played_on__range=(season.starts_on, season.ends_on))
    names = dict(group.players.filter(is_guest=False).values_list("pk", "name"))
    sat: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
    columns = ("game_set", "team", "player", "games_played", "games_won")
    for game_set, team, *played in results.annotate(team=TEAM).values_list(*columns):
        sat.setdefault((game_set, team), []).append(tuple(played))
    counted: dict[tuple[int, ...], Team] = {}
    for rows in sat.values():
        together = sorted(player for player, _, _ in rows)
        _, games, won = rows[0]
        for size in {2, len(together)}:
            for mates in combinations(together, size):
                if names.keys() >= set(mates):
                    row = counted.setdefault(mates, Team([(key, names[key]) for key in mates]))
                    row.games, row.won = row.games + games, row.won + won
    pairs = [team for team in counted.values() if len(team.players) == 2]
    larger = [team for team in counted.values() if len(team.players) > 2]
    return Teams(_ranked(pairs), _ranked(larger))


def _ranked(teams: Iterable[Team]) -> list[Team]:
    """Return teams by the share of games won, then by games; those with too few last, unranked."""
    for team in teams:
        team.players = sorted(team.players, key=lambda mate: sort_key(mate[1]))
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
