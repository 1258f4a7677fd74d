"""Everybody against everybody: who finished ahead of whom, as the rows of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from operator import add
from typing import NamedTuple

from django.db.models import F, Sum

from coalition_site.lib.texts import sort_key

from ..models import Player, Playgroup, SetResult, Tally
from ..rules.formats import RULESETS, has_teams
from .leaderboard import keys_of, share
from .teams import TEAM

CLEAR = 0.2  # of the shared sets: a lead from here on is clear


class Cell(NamedTuple):
    """How a player did against another, or all others: in how many sets ahead and behind."""

    other: int
    sets: int
    ahead: int
    behind: int

    @property
    def lead(self) -> int:
        return self.ahead - self.behind

    @property
    def look(self) -> str:
        """A lead or a lag, clear or small; "" if level."""
        if not self.lead:
            return ""
        side = "up" if self.lead > 0 else "down"
        return f"{side} clear" if abs(self.lead) >= CLEAR * self.sets else side


class Line(NamedTuple):
    """A player's row of the grid; None stands where two never met.

    ``all`` are all others together: each of them counts in each set that was shared.
    """

    player: Player
    all: Cell
    cells: Sequence[Cell | None]


def formats(group: Playgroup) -> list[str]:
    """Return the formats in which anybody met, those with the most meetings first. One query."""
    tallies = Tally.objects.filter(
        player__playgroup=group, player__is_guest=False, span=Tally.Span.YEAR
    )
    met: Counter[str] = Counter()
    summed = tallies.values("ruleset", "size").annotate(all=Sum("sets"))
    for key, size, sets in summed.values_list("ruleset", "size", "all"):
        ruleset = RULESETS[key]
        met[ruleset.format] += sets * (size - len(ruleset.teams(size)[0]))
    return [format for format, _ in met.most_common()]


def lines(group: Playgroup, players: Sequence[Player], format: str) -> list[Line]:
    """Return the rows of those players who met any of them in a format, the largest share of
    leads first. One query."""
    listed = {player.pk: player for player in players}
    sets, ahead = count_meetings(group, set(listed), format)
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
        key=lambda key: (-share(totals[key].lead, totals[key].sets), sort_key(listed[key].name)),
    )
    return [
        Line(listed[one], totals[one], [cells.get((one, other)) for other in order])
        for one in order
    ]


def count_meetings(
    group: Playgroup, players: set[int], format: str
) -> tuple[Counter[tuple[int, int]], Counter[tuple[int, int]]]:
    """Return in how many sets each two players were opponents, and how often ahead. One query."""
    results = SetResult.objects.filter(
        game_set__playgroup=group, game_set__ruleset__in=keys_of(format)
    )
    side = TEAM if has_teams(format) else F("player")
    tables: dict[int, list[list[int]]] = {}
    for game_set, *sat in results.values_list("game_set", "player", "rank", side):
        if sat[0] in players:
            tables.setdefault(game_set, []).append(sat)
    sets, ahead = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for table in tables.values():
        for (one, rank, own_team), (other, others_rank, team) in combinations(table, 2):
            if own_team != team:
                sets[one, other] += 1
                if rank != others_rank:
                    ahead[(one, other) if rank < others_rank else (other, one)] += 1
    for (one, other), count in list(sets.items()):
        sets[other, one] += count
    return sets, ahead
