"""The aims of speed, and the table that shows which of them are met.

What a hit was, 5.1, was measured over another floor: a view of the site itself, under all of its
middleware. `hits.py` shows beside it what the earlier revision is over the frozen floor.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Aim:
    """A figure: what it was on 2026-11-22, and what it shall be at most, or at least."""

    what: str
    was: str
    aim: float
    is_least: bool = False

    def is_met(self, value: float) -> bool:
        """Return whether a figure will do.

        >>> Aim("hit / floor", "5.1", 1.6).is_met(1.7)
        False
        """
        return value >= self.aim if self.is_least else value <= self.aim


AIMS = {
    "hit": Aim("hit / frozen floor, 10 connections", "5.1", 1.6),
    "rate": Aim("hits a second a process / before's", "1", 2.5, is_least=True),
    "spread": Aim("p99 / p50 of a hit, 10 connections", "2 to 3", 2),
    "workers": Aim("two workers / one, hits a second, 50 connections", "-", 1.4, is_least=True),
    "scorekeeper": Aim("scorekeeper's page, CPU / before's", "1", 0.5),
    "leaderboard": Aim("leaderboard, CPU / before's", "1", 0.5),
    "sizes": Aim("a playgroup's pages, 10,000 sets / 10, the worst", "3.2", 1.5),
    "deck": Aim("check of 70 cards, CPU / before's", "1", 0.5),
    "finder": Aim("finder, CPU / before's", "1", 0.5),
    "visit": Aim("first visit, bytes", "39,800", 33_000),
    "answer": Aim("answer to a hit, bytes", "2,600", 1_500),
    "board": Aim("new board on 200 other phones, p99, ms", "426 to 692", 250),
    "replay": Aim("replay, events a second / before's", "1", 1.4, is_least=True),
}
WIDTHS = (50, 12, 12, 12, 12, 4)


def number(value: float) -> str:
    """Write a figure as short as it may be.

    >>> number(1.2345), number(39_812)
    ('1.23', '39,812')
    """
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


@dataclass
class Report:
    """What was measured: a figure, or why there is none, by aim and database."""

    figures: dict[tuple[str, str], float | str] = field(default_factory=dict)

    def add(self, aim: str, database: str, figure: float | str) -> None:
        assert aim in AIMS, aim
        self.figures[aim, database] = figure

    def table(self) -> str:
        """Write all aims with what was measured, database by database."""
        lines = [line("", "database", "was", "measured", "aim", "met")]
        for key, aim in AIMS.items():
            figures = {name: one for (its, name), one in self.figures.items() if its == key}
            lines += [row(aim, *item) for item in (figures or {"": "not measured"}).items()]
        return "\n".join(lines)


def row(aim: Aim, database: str, figure: float | str) -> str:
    """Write one aim; a figure that is not there says why."""
    least = f"{'>=' if aim.is_least else '<='} {number(aim.aim)}"
    if isinstance(figure, str):
        return line(aim.what, database, aim.was, figure, least, "")
    return line(
        aim.what, database, aim.was, number(figure), least, "yes" if aim.is_met(figure) else "no"
    )


def line(first: str, *rest: str) -> str:
    """Write a row of a table."""
    cells = [f"{cell:>{width}}" for cell, width in zip(rest, WIDTHS[1:], strict=True)]
    return " ".join([f"{first:{WIDTHS[0]}}", *cells])
