"""The leaderboard."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import ClassVar, TypeVar

from django.utils import dateformat

from coalition_site.lib.dates import day
from coalition_site.lib.parts import Part
from coalition_site.lib.texts import by_name

from ...pages import charts
from ...pages.charts import Spark
from ...rules.formats import has_teams, scores
from ..leaderboard import Row

R = TypeVar("R", bound=Row)

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
        return charts.spark(self.row.form, in_points=self.scores)


def ordered(rows: Sequence[R], column: str) -> list[R]:
    """Return rows by a column, the highest first; without a value last. Names go from A on.

    Without a column they stay in the order of their ranks.
    """
    if column == "name":
        return by_name(rows)
    if not column:
        return list(rows)
    values = [(getattr(row, column), row) for row in rows]
    return [row for _, row in sorted(values, key=lambda pair: (pair[0] is None, -(pair[0] or 0)))]


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
