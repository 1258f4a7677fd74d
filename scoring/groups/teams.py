"""How teams did: whole teams as they sat, and pairs of teammates, in formats played in teams.

Tallies have one row for each pair and each team of three, and the size of their team. For a season
its results are added up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from coalition_site.lib.prepared import PreparedSelect
from coalition_site.lib.texts import sort_key

from ..models import Player, Playgroup, Season, SetResult, TeamTally
from ..results import totals
from ..rules.formats import RULESETS
from .leaderboard import LISTED, share

ROWS_MAX = 100  # in a table
PLAYED_IN_TEAMS = [ruleset for ruleset in RULESETS.values() if ruleset.has_teams]


@dataclass
class Team:
    """Players who sat together, as keys and names, with how many games they played and won."""

    players: Sequence[tuple[int, str]]
    games: int = 0
    won: int = 0
    rank: int | None = None

    @property
    def won_share(self) -> float:
        return share(self.won, self.games)


@dataclass(frozen=True)
class Teams:
    """The ranked whole teams, and the ranked pairs of teammates in teams of any size."""

    whole: Sequence[Team]
    pairs: Sequence[Team]


def teams(group: Playgroup, season: Season | None = None) -> Teams:
    """Return how a playgroup's teams did on all days, or in a season; guests are left out.

    One query; two for a season.
    """
    whole: dict[tuple[int, ...], Team] = {}
    pairs: dict[tuple[int, ...], Team] = {}
    for size, team in _in_season(group, season) if season else _added_up(group):
        if len(team.players) == size:
            _add(whole, team)
        if len(team.players) == 2:
            _add(pairs, team)
    return Teams(ranked(whole.values()), ranked(pairs.values()))


def _add(teams: dict[tuple[int, ...], Team], part: Team) -> None:
    """Add games to those of the same players."""
    team = teams.setdefault(tuple(key for key, _ in part.players), Team(part.players))
    team.games += part.games
    team.won += part.won


def ranked(teams: Iterable[Team]) -> list[Team]:
    """Return teams by the share of games won, those with too few games last, without a rank.

    Equal shares have the same rank, and the more games go first.
    """
    ordered = sorted(
        teams,
        key=lambda team: (
            team.games < LISTED,
            -team.won_share,
            -team.games,
            [sort_key(name) for _, name in team.players],
        ),
    )
    before: Team | None = None
    for place, team in enumerate(ordered, 1):
        if team.games < LISTED:
            break
        is_level = before is not None and before.won_share == team.won_share
        team.rank = before.rank if before and is_level else place
        before = team
    return ordered[:ROWS_MAX]


def _added_up(group: Playgroup) -> Iterator[tuple[int, Team]]:
    """Yield the players of a team who were counted together, and how many the team had.

    One query. A team of three has three pairs, and two who are a whole team in one game may be a
    part in another.
    """
    for size, games, won, *who in TOGETHER.all(group.pk):
        keys, names, guests = who[::3], who[1::3], who[2::3]
        if not any(guests):
            named = [(key, name) for key, name in zip(keys, names, strict=True) if key]
            yield size, Team(sorted(named, key=lambda mate: sort_key(mate[1])), games, won)


def _in_season(group: Playgroup, season: Season) -> Iterator[tuple[int, Team]]:
    """Yield the same of a season. Two queries."""
    names = dict(Player.objects.filter(playgroup=group, is_guest=False).values_list("pk", "name"))
    results = SetResult.objects.filter(
        player__playgroup=group,
        played_on__range=(season.starts_on, season.ends_on),
        game_set__ruleset__in=[ruleset.key for ruleset in PLAYED_IN_TEAMS],
    )
    summed: totals.Totals = {}
    totals.add(summed, totals.read(results), kinds=[TeamTally])
    for (_, (*who, _, size)), sums in summed.items():
        mates = [key for key in who if key]
        if names.keys() >= set(mates):
            named = sorted(((key, names[key]) for key in mates), key=lambda mate: sort_key(mate[1]))
            yield size, Team(named, sums["games"], sums["games_won"])


MATES = ("player", "mate", "third")
TOGETHER = PreparedSelect(
    lambda group: TeamTally.objects.filter(player__playgroup=group).values_list(
        *("size", "games", "games_won"),
        *(f"{mate}{what}" for mate in MATES for what in ("_id", "__name", "__is_guest")),
    )
)
