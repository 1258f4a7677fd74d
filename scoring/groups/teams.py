"""How teams did: whole teams as they sat, and pairs of teammates, in formats played in teams.

The database sums them up, one row for each pair and each team.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import itemgetter, or_
from typing import Any

from django.db.models import Count, F, FilteredRelation, Q, QuerySet, Sum

from ..models import Playgroup, SetResult
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


def teams(group: Playgroup) -> Teams:
    """Return how a playgroup's teams did; guests are left out. A query for each size of team."""
    whole: dict[tuple[int, ...], Team] = {}
    pairs: dict[tuple[int, ...], Team] = {}
    sizes = sorted({len(team) for _, _, team in _seatings()})
    for size in sizes:
        for of_whole, team in _summed(group, size):
            if of_whole:
                _add(whole, team)
            if size == 2:
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
            [name for _, name in team.players],
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


def _seatings() -> Iterator[tuple[str, int, tuple[int, ...]]]:
    """Yield each team's seats, with the ruleset and the number of players."""
    for ruleset in PLAYED_IN_TEAMS:
        for players in filter(ruleset.allows, range(1, ruleset.players_max + 1)):
            for team in ruleset.teams(players):
                yield ruleset.key, players, team


def _summed(group: Playgroup, size: int) -> Iterator[tuple[bool, Team]]:
    """Yield so many players who sat in one team, and whether they were the whole team. One query.

    A team of three has three pairs, and those who are whole in one game may be a part in another.
    """
    lengths = {(key, players): len(team) for key, players, team in _seatings()}
    mates = [f"mate{number}" for number in range(1, size)]
    whose = [f"{of}player{what}" for of in prefixes(mates) for what in ("_id", "__name")]
    together = _together(group, mates)
    rows: QuerySet[Any, Any] = together.values_list(*whose, "game_set__ruleset", "size")
    summed = rows.annotate(games=Count("pk"), won=Sum("games_won")).order_by()
    for *who, ruleset, players, games, won in summed:
        names = sorted(zip(who[::2], who[1::2], strict=True), key=itemgetter(1))
        team = Team(names, games, won)
        yield lengths[ruleset, players] == size, team


def _together(group: Playgroup, mates: Sequence[str]) -> QuerySet[SetResult]:
    """Select results, each with those of ``mates`` in the same team, players in order of keys."""
    results = SetResult.objects.filter(player__playgroup=group, player__is_guest=False)
    relations = {mate: FilteredRelation("game_set__results") for mate in mates}
    in_order = {
        f"{mate}__player__gt": F(f"{before}player")
        for before, mate in zip(prefixes(mates), mates, strict=False)
    }
    listed = {f"{mate}__player__is_guest": False for mate in mates}
    # One filter: another would join each mate once more.
    return results.annotate(**relations).filter(same_team(mates), **in_order, **listed)


def prefixes(others: Sequence[str]) -> list[str]:
    """Return the prefixes of lookups in a result, and in those by the names of relations to it."""
    return ["", *(f"{other}__" for other in others)]


def same_team(others: Sequence[str]) -> Q:
    """Return the condition that results, by the names of relations to them, are of one team."""
    return reduce(
        or_,
        (
            Q(game_set__ruleset=ruleset, size=players)
            & Q(**{f"{prefix}seat__number__in": team for prefix in prefixes(others)})
            for ruleset, players, team in _seatings()
        ),
    )
