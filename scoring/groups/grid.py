"""Everybody against everybody: who finished ahead of whom, as the rows of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from coalition_site.lib.texts import sort_key

from ..models import Player
from ..rules.formats import RULESETS
from .leaderboard import share
from .meetings import Met

CLEAR = 0.2  # of the shared sets: a lead from here on is clear


@dataclass(frozen=True)
class Cell:
    """How a player did against another: in how many sets ahead and behind."""

    other: int
    sets: int
    ahead: int
    behind: int

    @property
    def lead(self) -> int:
        return self.ahead - self.behind

    @property
    def look(self) -> str:
        """Return how the cell looks: a lead or a lag, clear or small, or level."""
        if not self.lead:
            return ""
        side = "up" if self.lead > 0 else "down"
        return f"{side} clear" if abs(self.lead) >= CLEAR * self.sets else side


@dataclass
class Line:
    """A player's row of the grid; None stands where two never met."""

    player: Player
    by_other: dict[int, Cell] = field(default_factory=dict)
    cells: Sequence[Cell | None] = ()

    def meet(self, other: int, sets: int, ahead: int, behind: int) -> None:
        """Add the sets of one ruleset that the player shared with another."""
        before = self.by_other.get(other, Cell(other, 0, 0, 0))
        self.by_other[other] = Cell(
            other, before.sets + sets, before.ahead + ahead, before.behind + behind
        )

    @cached_property
    def all(self) -> Cell:
        """All others together: each of them counts in each set that was shared."""
        met = self.by_other.values()
        return Cell(
            0,
            sum(cell.sets for cell in met),
            sum(cell.ahead for cell in met),
            sum(cell.behind for cell in met),
        )

    @property
    def share(self) -> float:
        return share(self.all.lead, self.all.sets)


def formats(meetings: Iterable[Met]) -> list[str]:
    """Return the formats in which anybody met, the most played first."""
    sets: Counter[str] = Counter()
    for meeting in meetings:
        sets[RULESETS[meeting.ruleset].format] += meeting.sets
    return [key for key, _ in sets.most_common()]


def lines(players: Iterable[Player], meetings: Iterable[Met], format: str) -> list[Line]:
    """Return the rows of those who met anybody in a format, the largest share of leads first."""
    rows = {player.pk: Line(player) for player in players}
    for meeting in meetings:
        if (
            RULESETS[meeting.ruleset].format == format
            and {meeting.one, meeting.other} <= rows.keys()
        ):
            rows[meeting.one].meet(meeting.other, meeting.sets, meeting.ahead, meeting.behind)
            rows[meeting.other].meet(meeting.one, meeting.sets, meeting.behind, meeting.ahead)
    met = [line for line in rows.values() if line.by_other]
    met.sort(key=lambda line: (-line.share, sort_key(line.player.name)))
    for line in met:
        line.cells = [line.by_other.get(other.player.pk) for other in met]
    return met
