"""What the charts share: values as places in an SVG, and the names beside the ends of lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from unicodedata import category, east_asian_width

from coalition_site.lib.bidi import isolated

from .board import Who

LABEL_GAP = 16
LABEL_ROOM = 92  # units from a label on to where the card ends
NARROW = frozenset("fijlrtI.,:;'’!|()[]- ")


@dataclass(frozen=True)
class Scale:
    """A chart's plot: its edges in units of the SVG, and the values at these edges.

    Across go values from 0 to ``width``, up those from ``low`` to ``high``.

    >>> scale = Scale(30, 289, 16, 186, width=2, high=100)
    >>> scale.points([(0, 0), (2, 100)])
    '30.0,186.0 289.0,16.0'
    """

    left: float
    right: float
    top: float
    bottom: float
    width: float
    high: float
    low: float = 0

    def x(self, at: float) -> float:
        return round(self.left + (self.right - self.left) * at / self.width, 1)

    def y(self, value: float) -> float:
        share = (self.bottom - self.top) * (value - self.low) / (self.high - self.low)
        return round(self.bottom - share, 1)

    def points(self, line: Iterable[tuple[float, float]]) -> str:
        """Return a line as the ``points`` of a polyline or polygon."""
        return " ".join(f"{self.x(at)},{self.y(value)}" for at, value in line)


def race_scale(width: float, high: float) -> Scale:
    """Return the scale of a race, which leaves room for names on the right."""
    return Scale(30, 289, 16, 186, width, high)


@dataclass(frozen=True)
class Run:
    """A player's line in a race; its label may stand apart from its end."""

    who: Who
    points: str
    total: int
    label_y: float

    @property
    def shield_y(self) -> float:
        return self.label_y - 13

    @property
    def label(self) -> str:
        return label(self.who.name, self.total)


def runs(scale: Scale, lines: Iterable[tuple[Who, list[tuple[float, int]]]]) -> list[Run]:
    """Return the lines of a race, their labels apart from each other."""
    drawn = list(lines)
    labels = spread({who.seat: scale.y(line[-1][1]) for who, line in drawn}, scale.bottom)
    return [Run(who, scale.points(line), line[-1][1], labels[who.seat]) for who, line in drawn]


def spread(ends: dict[int, float], bottom: float) -> dict[int, float]:
    """Return where labels stand, at least 16 units apart: they move, the lines do not.

    >>> spread({1: 100, 2: 102, 3: 40}, bottom=186), spread({1: 186, 2: 186, 3: 40}, bottom=186)
    ({3: 45, 1: 105, 2: 121}, {3: 45, 1: 180, 2: 196})
    """
    labels: dict[int, float] = {}
    lowest = float("-inf")
    for seat in sorted(ends, key=ends.__getitem__):
        lowest = labels[seat] = max(ends[seat] + 5, lowest + LABEL_GAP)
    room = bottom + 10
    for seat in reversed(labels):
        labels[seat] = round(min(labels[seat], room), 1)
        room = labels[seat] - LABEL_GAP
    return labels


def label(name: str, total: int) -> str:
    """Return the text beside the end of a line: a name, cut if there is no room, and points.

    >>> label("Olga", 63), label("Maximiliane Wilhelmina", 63), label("W" * 80, 7)
    ('Olga 63', 'Maximi… 63', 'WWWW… 7')
    """
    points = f" {total}"
    return isolated(cut(name, LABEL_ROOM - width(points))) + points


def cut(text: str, room: float) -> str:
    """Return as much of a text as there is room for, in units of text of 13 pixels.

    >>> cut("Olga", 40), cut("Maximiliane", 40)
    ('Olga', 'Ma…')
    """
    if width(text) <= room:
        return text
    widths = accumulate(map(width, text), initial=width("…"))
    fitting = sum(so_far <= room for so_far in widths) - 1
    return f"{text[: max(fitting, 0)].rstrip()}…"


def width(text: str) -> float:
    """Return how many units a text takes, rather too many: the browser's font is not known."""
    return sum(
        0
        if category(mark) in ("Mn", "Me", "Cf")
        else 14
        if mark in "mwMW@%…" or east_asian_width(mark) in "WF"
        else 5
        if mark in NARROW
        else 10
        if mark.isupper()
        else 8.5
        for mark in text
    )
