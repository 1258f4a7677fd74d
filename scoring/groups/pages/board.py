"""The leaderboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, ClassVar, TypeVar

from django.utils import dateformat

from coalition_site.lib.dates import day
from coalition_site.lib.parts import Part
from coalition_site.lib.texts import by_name

from ...results import ratings
from ...rules.formats import has_teams, scores
from .. import race
from ..leaderboard import LISTED, Board, Row, Wanted, ranked_by
from ..race import Race
from ..records import Remarkable
from . import monday, sparks
from .bases import LivePage
from .monday import Line, Place, RecordLine, SetCard
from .sparks import Spark

if TYPE_CHECKING:
    from ..forms.board import BoardForm

R = TypeVar("R", bound=Row)
SEARCHED = 12  # people on a board that can be searched

# The columns by which a board can be sorted, with their names.
COLUMNS: dict[str, str] = {
    "name": "Player",
    "sets": "Sets",
    "victory_points": "VP",
    "per_game": "VP per game",
    "at_cap": "21 reached",
    "sets_won": "Sets won",
    "first": "VP as first",
    "last": "VP as last",
    "rating": "Rating",
}
WITHOUT_VP: dict[str, str] = {
    "name": "Player",
    "games": "Games",
    "games_won": "Won",
    "won_share": "Won in %",
    "outlasted_per_game": "Outlasted",
    "rating": "Rating",
}


def columns(format: str) -> dict[str, str]:
    """Return the columns of a format's board. Where teams fall together nobody outlasts others."""
    if scores(format):
        return COLUMNS
    return {
        name: title
        for name, title in WITHOUT_VP.items()
        if name != "outlasted_per_game" or not has_teams(format)
    }


@dataclass(frozen=True)
class BoardRow(Part):
    """A player's row of a leaderboard.

    ``code`` is that of the playgroup, and ``query`` is added to the links to its players. A player
    is ranked from ``listed`` sets on. ``is_own`` is the row of whoever looks at it.
    """

    template: ClassVar[str] = "groups/_board_row.html"
    row: Row
    code: str
    query: str
    scores: bool
    outlasts: bool
    column: str
    listed: int
    is_own: bool

    @property
    def spark(self) -> Spark:
        return (sparks.points if self.scores else sparks.wins)(self.row.form)


@dataclass(kw_only=True)
class StandingsPage(LivePage):
    """A page with a leaderboard; without rows until ``show`` is called."""

    form: BoardForm
    rated: int = ratings.PROVISIONAL
    listed: int = LISTED
    rows: Sequence[Row] = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    column: str = ""
    scores: bool = False
    sets: int = 0
    days: str = ""
    chart: Race | None = None

    def show(self, board: Board, column: str, wanted: Wanted) -> None:
        """Show a board, sorted by a column, and its race."""
        self.scores = wanted.scores
        self.columns = columns(wanted.format)
        self.column = column or ranked_by(wanted.format)
        self.rows, self.sets = ordered(board.rows, column), board.sets
        self.days = days(wanted.first, wanted.last)
        self.chart = race.chart(board.rows) if wanted.scores else None


@dataclass(kw_only=True)
class BoardPage(StandingsPage):
    """A playgroup's leaderboard and what is new; ``waiting`` claims wait for an owner.

    ``found`` are the rows that the search leaves; it is offered from ``SEARCHED`` people on.
    """

    template: ClassVar[str] = "groups/board.html"
    may_score_for: bool
    waiting: int
    address: str
    found: Sequence[BoardRow] = ()
    searches: bool = False
    podium: Sequence[Place] = ()
    news: Sequence[Line] = ()
    cards: Sequence[SetCard] = ()
    records: Sequence[RecordLine] = ()
    example: Row | None = None

    def tell(
        self, board: Board, remarkable: Remarkable, wanted: Wanted, account: int | None
    ) -> None:
        """Show an account, None of a stranger, who leads, what is new, the last sets, records."""
        self.listed = wanted.listed
        self.searches = len(board.rows) >= SEARCHED
        self.found = [self._row(row, account) for row in self.rows if self.form.finds(row.name)]
        self.podium = monday.podium(board.rows)
        self.news = monday.news(board.rows, remarkable, wanted)
        self.cards = monday.cards(remarkable)
        self.records = monday.records(remarkable)
        self.example = next((row for row in board.rows if row.rank), None)

    def _row(self, row: Row, account: int | None) -> BoardRow:
        format = self.form.format_key
        return BoardRow(
            row=row,
            code=self.group.code,
            query=f"?format={format}" if format != self.group.format else "",
            scores=self.scores,
            outlasts="outlasted_per_game" in self.columns,
            column=self.column,
            listed=self.listed,
            is_own=row.account is not None and row.account == account,
        )


def ordered(rows: Sequence[R], column: str) -> list[R]:
    """Return rows by a column, the highest first; without a value last. Names go from A on.

    Without a column they stay in the order of their ranks.
    """

    def value(row: R) -> tuple[bool, float]:
        value = getattr(row, column)
        return value is None, -(value or 0)

    if column == "name":
        return by_name(rows)
    return sorted(rows, key=value) if column else list(rows)


def days(first: date | None, last: date | None) -> str:
    """Return a range of days as text; None means no limit.

    >>> days(date(2026, 3, 1), date(2026, 5, 31)), days(date(2025, 12, 1), date(2026, 1, 31))
    ('1 March to 31 May 2026', '1 December 2025 to 31 January 2026')
    >>> days(date(2026, 3, 1), None), days(None, None)
    ('from 1 March 2026 on', 'all days')
    """
    if first and last:
        if first == last:
            return day(first)
        start = dateformat.format(first, "j F") if first.year == last.year else day(first)
        return f"{start} to {day(last)}"
    if first:
        return f"from {day(first)} on"
    return f"until {day(last)}" if last else "all days"
