"""Which tallies make up a range of days: few, however long it is."""

from datetime import date, timedelta
from functools import lru_cache
from itertools import dropwhile

from ...models import Tally

DAYS_MAX = 100  # longer ranges are read by month,
MONTHS_MAX = 1100  # days; and even longer ones by year

Span = Tally.Span


def of_days(
    first: date, last: date, *, has_first: bool = False, has_last: bool = False
) -> list[tuple[Span, date, date]]:
    """Return which tallies make up the days from ``first`` to ``last``: the spans, with the first
    and the last day on which they may start.

    ``has_first``: there are no results before these days, so that nothing has to be cut at that
    end, and whole months or years do; ``has_last``: there are none after them.

    >>> [(str(span), f"{start} {last}") for span, start, last in of_days(
    ...     date(2025, 12, 31), date(2026, 5, 9), has_first=True)]
    [('month', '0001-01-01 2026-04-30'), ('day', '2026-05-01 2026-05-09')]
    """
    day = timedelta(days=1)
    spans = [(span, start, end - day) for span, start, end in split(first, last + day)]
    longest = max((span for span, _, _ in spans), key=list(Span).index)
    if has_first:
        spans = list(dropwhile(lambda part: part[0] != longest, spans))
        spans[0] = (longest, date.min, spans[0][2])
    if has_last:
        spans = list(dropwhile(lambda part: part[0] != longest, reversed(spans)))[::-1]
        spans[-1] = (longest, spans[-1][1], date.max)
    return spans


def split(first: date, end: date) -> list[tuple[Span, date, date]]:
    """Split the days before ``end`` into few parts, each made of tallies of one span.

    Few days stay days; more are split into whole months, or years, and the days left at both ends.

    >>> [(str(span), f"{start} {end}") for span, start, end in split(*map(date.fromisoformat,
    ...     ("2025-12-31", "2026-05-01")))]
    [('day', '2025-12-31 2026-01-01'), ('month', '2026-01-01 2026-05-01')]
    """
    days = (end - first).days
    if days <= DAYS_MAX:
        return [(Span.DAY, first, end)]
    month, last_month = _next(Span.MONTH, first), _this(Span.MONTH, end)
    middle = [(Span.MONTH, month, last_month)]
    if days > MONTHS_MAX:
        year, last_year = _next(Span.YEAR, month), _this(Span.YEAR, last_month)
        middle = [
            (Span.MONTH, month, year),
            (Span.YEAR, year, last_year),
            (Span.MONTH, last_year, last_month),
        ]
    parts = [(Span.DAY, first, month), *middle, (Span.DAY, last_month, end)]
    return [(span, start, stop) for span, start, stop in parts if start < stop]


def _this(span: Span, day: date) -> date:
    return day.replace(day=1) if span == Span.MONTH else day.replace(month=1, day=1)


def _next(span: Span, day: date) -> date:
    """Return the first day of a month or year that is this day, or after it.

    >>> _next(Span.MONTH, date(2026, 12, 2)), _next(Span.YEAR, date(2026, 1, 1))
    (datetime.date(2027, 1, 1), datetime.date(2026, 1, 1))
    """
    start = _this(span, day)
    in_the_next = start + timedelta(days=32 if span == Span.MONTH else 366)
    return day if day == start else _this(span, in_the_next)


@lru_cache(maxsize=4096)
def last_day(span: Span, starts_on: date) -> date:
    """
    >>> last_day(Span.MONTH, date(2026, 2, 1)), last_day(Span.DAY, date(2026, 2, 1))
    (datetime.date(2026, 2, 28), datetime.date(2026, 2, 1))
    """
    day = timedelta(days=1)
    return starts_on if span == Span.DAY else _next(span, starts_on + day) - day
