"""Charts as the geometry of SVGs: races of a set and of days, curves, and spark lines."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import accumulate
from math import ceil
from typing import NamedTuple
from unicodedata import category, east_asian_width

from coalition_site.lib.bidi import isolated

from ..models import GameSet
from ..record import ratings
from ..record.latest import Past
from ..rules import recap, sets
from ..rules.log import GameLog
from ..rules.words import count
from ..tables.board import Who, who

RACE_PLOT = (30, 289, 16, 186)  # with room for names on the right
CURVE_PLOT = (40, 390, 10, 110)
LABEL_GAP = 16
LABEL_ROOM = 92  # units from a label on to where the card ends
NARROW = frozenset("fijlrtI.,:;'’!|()[]- ")
GAME_ROOM = 56  # units that "game 2" takes
LEADERS = 6  # in a race of days: as many as there are tinctures
RACE_STEPS = 4
RATING_STEP = 100  # the scale begins and ends at a multiple of it
RATED_FROM = 5  # sets: before, a rating jumps more than it tells
MEAN_OF = 10  # sets of which each point of a curve is the mean
SET_TOP = 63  # VP of a set in which every game reaches the cap
SPARK_WIDTH, SPARK_HEIGHT, SPARK_MARGIN = 120, 28, 4

Grid = list[tuple[int, float]]  # values and their heights


class Scale(NamedTuple):
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
        # As a polyline or polygon has them.
        return " ".join(f"{self.x(at)},{self.y(value)}" for at, value in line)


# --- races ---
class Run(NamedTuple):
    who: Who
    points: str
    total: str
    label_y: float

    @property
    def shield_y(self) -> float:
        return self.label_y - 13

    @property
    def label(self) -> str:
        return label(self.who.name, self.total)


class Race(NamedTuple):
    """Players' lines. That of a set has ``games``, which are titles with their places, and
    ``cuts``, where a game ends; that of days has its ``first`` and its ``last``, and since when
    the first player is ``ahead`` for good."""

    grid: Grid
    runs: Sequence[Run]
    summary: str
    cuts: Sequence[float] = ()
    games: Sequence[tuple[str, float]] = ()
    first: date | None = None
    last: date | None = None
    ahead: date | None = None


def race(game_set: GameSet, state: sets.SetState, logs: Sequence[GameLog]) -> Race:
    totals, cuts = recap.totals(state, logs)
    cap = state.ruleset.cap
    assert cap, "only sets with points have a chart"
    steps = max(1, -(-max(map(max, totals.values())) // cap))
    scale = Scale(*RACE_PLOT, width=max(cuts[-1], 1), high=steps * cap)
    edges = [0, *cuts]
    return Race(
        grid=[(step * cap, scale.y(step * cap)) for step in range(steps + 1)],
        cuts=[scale.x(cut) for cut in cuts[:-1]],
        games=[
            (
                f"game {number}" if scale.x(end) - scale.x(start) >= GAME_ROOM else str(number),
                scale.x((start + end) / 2),
            )
            for number, (start, end) in enumerate(zip(edges, cuts, strict=False), 1)
        ],
        runs=_runs(
            scale, [(who(game_set, seat), list(enumerate(run))) for seat, run in totals.items()]
        ),
        summary=", ".join(
            f"{isolated(game_set.names[standing.player])} ends at {standing.victory_points}"
            for standing in sets.standings(state)
        ),
    )


def race_of_days(
    people: Iterable[tuple[str, Mapping[date, tuple[int, int]], int | None]], *, in_points: bool
) -> Race | None:
    """Return the race of the first of ``people``, in the order of their ranks, by what they are
    ranked by: VP per game, or the share of games won; None with less than two days to show."""
    # Each has a name, by day what counts and in how many games, and a rank; whole months or years
    # are drawn at their ends. The shield is that of the seat that has the number of the place.
    leaders = list(people)[:LEADERS]
    days = sorted({day for _, by_day, _ in leaders for day in by_day})
    if len(days) < 2:
        return None
    lines = [(name, _per_game(by_day, 1 if in_points else 100)) for name, by_day, _ in leaders]
    highest = max(value for _, line in lines for _, value in line)
    top = _round_up(ceil(highest)) if in_points else 100
    scale = Scale(*RACE_PLOT, width=(days[-1] - days[0]).days, high=top)
    values = [top * step / RACE_STEPS for step in range(RACE_STEPS + 1)]
    shown = "{:.1f}" if in_points else "{:.0f} %"
    runs = _runs(
        scale,
        [
            (Who(place, name), [((day - days[0]).days, value) for day, value in line])
            for place, (name, line) in enumerate(lines, 1)
        ],
        shown,
    )
    return Race(
        grid=[(int(value), scale.y(value)) for value in values],
        runs=runs,
        summary=", ".join(f"{isolated(run.who.name)} is at {run.total}" for run in runs),
        first=days[0],
        last=days[-1],
        ahead=ahead_since(
            [dict(line) for (_, line), (*_, rank) in zip(lines, leaders, strict=True) if rank]
        ),
    )


def ahead_since(lines: Sequence[Mapping[date, float]]) -> date | None:
    """Return the day from which on the first of some lines is above all others; None without one.

    >>> friday, sunday = date(2026, 3, 6), date(2026, 3, 8)
    >>> ahead_since([{friday: 2.0, sunday: 9.0}, {friday: 5.0}])
    datetime.date(2026, 3, 8)
    >>> ahead_since([{friday: 5.0}, {friday: 2.0, sunday: 5.0}])
    """
    since, now = None, dict[int, float]()
    for day in sorted({day for line in lines for day in line}):
        now |= {place: line[day] for place, line in enumerate(lines) if day in line}
        if 0 not in now or any(now[0] <= value for place, value in now.items() if place):
            since = None
        else:
            since = since or day
    return since


def _per_game(by_day: Mapping[date, tuple[int, int]], whole: int) -> list[tuple[date, float]]:
    """Return the mean after each day, of all games until then.

    >>> _per_game({date(2026, 3, 6): (30, 3), date(2026, 3, 7): (0, 1)}, 1)
    [(datetime.date(2026, 3, 6), 10.0), (datetime.date(2026, 3, 7), 7.5)]
    """
    days = sorted(by_day)
    sums = accumulate((by_day[day] for day in days), lambda a, b: (a[0] + b[0], a[1] + b[1]))
    return [(day, whole * part / games) for day, (part, games) in zip(days, sums, strict=True)]


def _round_up(points: int) -> int:
    """Return the top of a scale that its steps divide.

    >>> _round_up(1118), _round_up(37), _round_up(0)
    (1200, 40, 4)
    """
    unit: int = 10 ** max(len(str(points)) - 2, 0) * RACE_STEPS
    return -(-max(points, 1) // unit) * unit


def _runs(
    scale: Scale, lines: Sequence[tuple[Who, Sequence[tuple[float, float]]]], shown: str = "{}"
) -> list[Run]:
    labels = spread({who.seat: scale.y(line[-1][1]) for who, line in lines}, scale.bottom)
    return [
        Run(who, scale.points(line), shown.format(line[-1][1]), labels[who.seat])
        for who, line in lines
    ]


# --- curves of a player's sets ---
class Curve(NamedTuple):
    """A value after each of some sets: means, or ratings with a band of how far they may be off."""

    grid: Grid
    line: str  # points of a polyline
    first: date | None
    last: date | None
    label: str
    dots: Sequence[tuple[float, float]] = ()  # a set each, where there are VP
    now: str = ""  # the last mean
    band: str = ""  # points of a polygon
    rating: int = 0  # the last, and how far it may be off
    off: int = 0


def curve(results: Sequence[Past], *, in_points: bool) -> Curve | None:
    if len(results) < 2:
        return None
    games = [result.games_played for result in results]
    points = [result.victory_points for result in results]
    if in_points:
        values, what, number = [0, 7, 14, 21], "VP per game", "{:.1f}"
        means = _means(points, games)
        each = [had / max(played, 1) for had, played in zip(points, games, strict=True)]
    else:
        values, what, number = [0, 50, 100], "Share of games won", "{:.0f} %"
        means = _means([100 * result.games_won for result in results], games)
        each = []
    scale = Scale(*CURVE_PLOT, width=len(results) - 1, high=values[-1])
    return Curve(
        grid=[(value, scale.y(value)) for value in values],
        dots=[(scale.x(at), scale.y(value)) for at, value in enumerate(each)],
        line=scale.points(enumerate(means)),
        first=results[0].played_on,
        last=results[-1].played_on,
        now=number.format(means[-1]),
        label=f"{what} over the last {len(results)} sets, as the mean of up to {MEAN_OF} of them: "
        f"at its lowest {number.format(min(means))}, at its highest {number.format(max(means))}, "
        f"now {number.format(means[-1])}",
    )


def _means(parts: Sequence[int], wholes: Sequence[int]) -> list[float]:
    """Return the means of the latest parts up to each.

    >>> _means([21, 9, 0], [3, 3, 1])
    [7.0, 5.0, 4.285714285714286]
    """
    ends = range(1, len(parts) + 1)
    latest = [slice(max(end - MEAN_OF, 0), end) for end in ends]
    return [sum(parts[some]) / max(sum(wholes[some]), 1) for some in latest]


def rating_curve(results: Sequence[Past]) -> Curve | None:
    if len(results) < RATED_FROM:
        return None
    rated = [ratings.shown(result.mu) for result in results]
    off = [ratings.uncertainty(result.sigma) for result in results]
    upper = [rating + by for rating, by in zip(rated, off, strict=True)]
    lower = [rating - by for rating, by in zip(rated, off, strict=True)]
    low = min(lower) // RATING_STEP * RATING_STEP
    high = -(-max(upper) // RATING_STEP) * RATING_STEP
    scale = Scale(*CURVE_PLOT, width=len(rated) - 1, low=low, high=high)
    return Curve(
        grid=[(rating, scale.y(rating)) for rating in (low, (low + high) // 2, high)],
        line=scale.points(enumerate(rated)),
        band=scale.points([*enumerate(upper), *reversed(list(enumerate(lower)))]),
        first=results[0].played_on,
        last=results[-1].played_on,
        rating=rated[-1],
        off=off[-1],
        label=f"Rating after each of the last {len(rated)} sets: from {rated[0]} to {rated[-1]}, "
        f"at its lowest {min(rated)}, at its highest {max(rated)}",
    )


# --- spark lines ---
class Spark(NamedTuple):
    points: str
    end: tuple[int, int]
    label: str


def spark(form: Sequence[Past], *, in_points: bool) -> Spark:
    """Return the line of a player's latest sets: of their VP, or high where a game was won.

    >>> spark([Past(0, 0, 25.0, 8.3), Past(63, 3, 26.0, 7.9)], in_points=True).points
    '4,24 116,4'
    >>> spark([Past(0, 1, 25.0, 8.3), Past(0, 0, 24.0, 7.9)], in_points=False).label
    'The last 2 games: won, not won'
    """
    if in_points:
        shares = [min(result.victory_points / SET_TOP, 1) for result in form]
        values = ", ".join(str(result.victory_points) for result in form)
        label = f"VP in the last {count(len(form), 'set')}: {values}"
    else:
        shares = [float(result.games_won > 0) for result in form]
        values = ", ".join("won" if result.games_won else "not won" for result in form)
        label = f"The last {count(len(form), 'game')}: {values}"
    step = (SPARK_WIDTH - 2 * SPARK_MARGIN) / max(len(form) - 1, 1)
    room = SPARK_HEIGHT - 2 * SPARK_MARGIN
    marks = [
        (
            round(SPARK_MARGIN + at * step) if len(form) > 1 else SPARK_WIDTH // 2,
            round(SPARK_HEIGHT - SPARK_MARGIN - room * share),
        )
        for at, share in enumerate(shares)
    ]
    return Spark(" ".join(f"{x},{y}" for x, y in marks), marks[-1], label)


# --- texts in charts ---
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


def label(name: str, total: str) -> str:
    """Return the text beside the end of a line: a name, cut if there is no room, and its value.

    >>> label("Olga", "63"), label("Maximiliane Wilhelmina", "63"), label("W" * 80, "7")
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
