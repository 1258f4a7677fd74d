"""A season with its awards, and the list of seasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from ...models import Season, SeasonTable
from ...rules.formats import scores
from .. import race, season_rows
from ..leaderboard import LISTED, ranked_by
from ..race import Race
from ..season_rows import Award, SeasonRow
from ..winners import Finish, first_ranked
from .bases import LivePage
from .board import columns, ordered

if TYPE_CHECKING:
    from ..forms.board import BoardForm

LEFT_OUT = ("first", "last")  # columns for which a season's table has no room


@dataclass(kw_only=True)
class SeasonPage(LivePage):
    """A season as it stands, or with its final ``table``; without rows until ``show`` is called.

    A season that ``is_over`` has no final table before it is closed.

    ``first`` share the first rank. ``now`` are the rows that its sets give now, and ``first_now``
    the first of them, where corrections have changed what the final table has.
    """

    template: ClassVar[str] = "groups/season.html"
    season: Season
    table: SeasonTable | None
    is_over: bool
    format: str
    form: BoardForm
    address: str
    listed: int = LISTED
    scores: bool = False
    columns: Mapping[str, str] = field(default_factory=dict)
    column: str = ""
    rows: Sequence[SeasonRow] = ()
    first: Sequence[SeasonRow] = ()
    awards: Sequence[Award] = ()
    now: Sequence[SeasonRow] = ()
    first_now: Sequence[SeasonRow] = ()
    is_corrected: bool = False
    chart: Race | None = None
    picture: str = ""

    def show(self, rows: Sequence[SeasonRow], now: Sequence[SeasonRow]) -> None:
        """Show rows, sorted as the form has it; they differ from those of now if kept."""
        self.scores = scores(self.format)
        titles = columns(self.format).items()
        self.columns = {name: title for name, title in titles if name not in LEFT_OUT}
        self.column = self.form.column or ranked_by(self.format)
        self.rows, self.first = ordered(rows, self.form.column), first_ranked(rows)
        self.awards = season_rows.awards(rows, "set" if self.scores else "game")
        self.is_corrected = season_rows.is_corrected(rows, now)
        if self.is_corrected:
            self.now, self.first_now = now, first_ranked(now)
        self.chart = race.chart(now) if self.scores else None


@dataclass(kw_only=True)
class ArchivePage(LivePage):
    """All seasons, with their winners."""

    template: ClassVar[str] = "groups/archive.html"
    finishes: Sequence[Finish]
    listed: int = LISTED
