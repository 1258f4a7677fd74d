"""The leaderboard: how the people of a playgroup stand, over any days and any kind of table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import reduce
from itertools import pairwise
from operator import attrgetter, or_
from typing import Any

from django.db.models import F, OuterRef, Q, QuerySet, Subquery, Sum

from ..models import Player, Playgroup, SetResult, Tally
from ..models.tallies import SUMS
from ..results import ratings
from ..results.counting import root
from ..rules.formats import FORMATS, scores
from .queries import today

LISTED = 3  # sets from which a player has a rank
FORM = 10  # latest sets that are shown of each player,
EVENINGS = 5  # and of all of them
DAYS_MAX = 100  # longer spans are read by month,
MONTHS_MAX = 1100  # days; and yet longer ones by year
TERMS_MAX = 400  # players in one condition: SQLite takes less than 1000 terms

Span = Tally.Span
SHOWN = (
    *("player", "rank", "victory_points", "games_won", "mu", "sigma", "finished_at", "played_on"),
    *("game_set__code", "game_set__ruleset"),
)


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Which results count. Both days are included; None: from the first, to the last."""

    format: str = next(iter(FORMATS))
    ruleset: str = ""
    size: int | None = None
    first: date | None = None
    last: date | None = None

    @property
    def scores(self) -> bool:
        """Say whether these give VP; otherwise won games count."""
        return scores(self.format)

    @property
    def rulesets(self) -> list[str]:
        return [self.ruleset] if self.ruleset else [one.key for one in FORMATS[self.format]]


@dataclass
class Row:
    """A player's line. ``by_day`` has the VP of each day, or of a month or year by its last day
    (today, while it lasts). ``form`` has the VP of the latest sets, whatever is wanted, the oldest
    first; the rating is that of all sets of the format. ``account`` is whose the player is, or
    one who is merged into it."""

    player: Player
    sums: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SUMS, 0))
    by_day: dict[date, int] = field(default_factory=dict)
    form: Sequence[SetResult] = ()
    rank: int | None = None
    account: int | None = None

    def __getattr__(self, name: str) -> int:
        try:
            return self.sums[name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def per_game(self) -> float:
        return share(self.victory_points, self.games)

    @property
    def won_share(self) -> float:
        return share(self.games_won, self.games)

    @property
    def at_cap(self) -> float:
        return share(self.games_at_cap, self.games)

    @property
    def first(self) -> float | None:
        """VP a game as the first to take a turn; None without such games."""
        return self.points_first / self.games_first if self.games_first else None

    @property
    def last(self) -> float | None:
        return self.points_last / self.games_last if self.games_last else None

    @property
    def is_listed(self) -> bool:
        return self.sets >= LISTED

    @property
    def rating(self) -> int | None:
        return ratings.shown(self.form[-1].mu) if self.form else None

    @property
    def uncertainty(self) -> int | None:
        return ratings.uncertainty(self.form[-1].sigma) if self.form else None

    @property
    def change(self) -> int | None:
        """What the latest set did to the rating."""
        if len(self.form) < 2 or self.rating is None:
            return None
        return self.rating - ratings.shown(self.form[-2].mu)

    @property
    def is_rated(self) -> bool:
        return len(self.form) >= ratings.PROVISIONAL


def share(part: int, whole: int) -> float:
    """Return a part of a whole, nothing of nothing."""
    return part / whole if whole else 0.0


@dataclass(frozen=True)
class Board:
    """Everybody with a result, how many sets these are of, and all results of the playgroup's
    last sets, whatever is wanted."""

    rows: Sequence[Row]
    sets: int
    last: Sequence[SetResult]


def board(playgroup: Playgroup, wanted: Wanted) -> Board:
    """Return how everybody stands by the results that are wanted. Three queries.

    Players who are guests, or merged into others, have no line.
    """
    everybody = players(playgroup, wanted.format)
    began = min((one.began for one in everybody if one.began), default=today(playgroup))
    shown = [one for one in everybody if not one.is_guest and not one.merged_into_id]
    rows = {one.pk: Row(one) for one in shown}
    merged = {one.pk: one.merged_into_id for one in everybody}
    for player in everybody:
        if player.user_id and (own := rows.get(root(player.pk, merged))):
            own.account = player.user_id
    sets, now = 0.0, today(playgroup)
    for tally in tallied(playgroup, wanted, began):
        sets += tally["part"]
        row = rows.get(tally["player_id"])
        if row:
            for name in SUMS:
                row.sums[name] += tally[name]
            day = min(_last_of(tally["span"], tally["starts_on"]), now)
            row.by_day[day] = row.by_day.get(day, 0) + tally["victory_points"]
    results = latest(playgroup, shown, wanted.format)
    by_key = {one.pk: one for one in everybody}
    for result in results:
        result.player = by_key[result.player_id]
        if row := rows.get(result.player_id):
            row.form = [*row.form, result][-FORM:]
    last = list(dict.fromkeys(one.game_set_id for one in reversed(results)))[:EVENINGS]
    return Board(
        ranked((row for row in rows.values() if row.sets), by=mark(wanted.format)),
        round(sets),
        [one for one in results if one.game_set_id in last],
    )


def players(playgroup: Playgroup, format: str) -> list[Player]:
    """Return a playgroup's players by name. One query.

    Each has ``began``, the day of the first result, and ``since``, the time of the tenth from last.
    """
    own = _of_format(format).filter(player=OuterRef("pk"))
    began = own.order_by("finished_at").values("played_on")[:1]
    since = own.order_by("-finished_at").values("finished_at")[FORM - 1 : FORM]
    found = playgroup.players.annotate(began=Subquery(began), since=Subquery(since))
    return list(found.order_by("name"))


def _of_format(format: str) -> QuerySet[SetResult]:
    return SetResult.objects.filter(game_set__ruleset__in=_keys(format))


def _keys(format: str) -> list[str]:
    return [ruleset.key for ruleset in FORMATS[format]]


def tallied(playgroup: Playgroup, wanted: Wanted, began: date) -> QuerySet[Any]:
    """Return sums by player and day, month or year. One query, whose rows are few in any number
    of sets. ``began`` is the day of the playgroup's first result."""
    found = Tally.objects.filter(player__playgroup=playgroup, ruleset__in=wanted.rulesets)
    if wanted.size:
        found = found.filter(size=wanted.size)
    first = max(wanted.first or began, began)
    last = min(wanted.last or today(playgroup), today(playgroup))
    found = found.filter(spans(first, last, whole=wanted.first is wanted.last is None))
    # Of a set, each of its players has a part. First, before "sets" becomes a sum itself.
    sums = {"part": Sum(F("sets") * 1.0 / F("size")), **{name: Sum(name) for name in SUMS}}
    return found.values("player_id", "span", "starts_on").annotate(**sums).order_by("starts_on")


def spans(first: date, last: date, *, whole: bool = False) -> Q:
    """Return which tallies make up the days from ``first`` to ``last``.

    ``whole`` says that there are no results beside these days, so nothing is cut at the ends.
    """
    found = pieces(first, last + timedelta(days=1))
    if whole:
        return Q(span=max(found, key=lambda piece: list(Span).index(piece[0]))[0])
    meant = Q()
    for span, start, end in found:
        meant |= Q(span=span, starts_on__gte=start, starts_on__lt=end)
    return meant


def pieces(first: date, end: date) -> list[tuple[Span, date, date]]:
    """Return the days before ``end`` in few pieces, each of tallies of one span.

    Few days one by one; else whole months, or years, and what is shorter at both ends.

    >>> [(str(span), f"{start} {end}") for span, start, end in pieces(*map(date.fromisoformat,
    ...     ("2025-12-31", "2026-05-01")))]
    [('day', '2025-12-31 2026-01-01'), ('month', '2026-01-01 2026-05-01')]
    """
    days = (end - first).days
    if days <= DAYS_MAX:
        return [(Span.DAY, first, end)]
    after, before = _next(Span.MONTH, first), _this(Span.MONTH, end)
    middle = [(Span.MONTH, after, before)]
    if days > MONTHS_MAX:
        year, last_year = _next(Span.YEAR, after), _this(Span.YEAR, before)
        middle = [
            (Span.MONTH, after, year),
            (Span.YEAR, year, last_year),
            (Span.MONTH, last_year, before),
        ]
    found = [(Span.DAY, first, after), *middle, (Span.DAY, before, end)]
    return [(span, start, stop) for span, start, stop in found if start < stop]


def _this(span: Span, day: date) -> date:
    """Return the first day of a day's month or year."""
    return day.replace(day=1) if span == Span.MONTH else day.replace(month=1, day=1)


def _next(span: Span, day: date) -> date:
    """Return the first day of a month or year that is this day, or after it.

    >>> _next(Span.MONTH, date(2026, 12, 2)), _next(Span.YEAR, date(2026, 1, 1))
    (datetime.date(2027, 1, 1), datetime.date(2026, 1, 1))
    """
    start = _this(span, day)
    far = start + timedelta(days=32 if span == Span.MONTH else 366)
    return day if day == start else _this(span, far)


def _last_of(span: Span, starts_on: date) -> date:
    """Return the last day of a span.

    >>> _last_of(Span.MONTH, date(2026, 2, 1)), _last_of(Span.DAY, date(2026, 2, 1))
    (datetime.date(2026, 2, 28), datetime.date(2026, 2, 1))
    """
    one = timedelta(days=1)
    return starts_on if span == Span.DAY else _next(span, starts_on + one) - one


def latest(playgroup: Playgroup, shown: Iterable[Player], format: str) -> list[SetResult]:
    """Return the results of the last ten sets of some players, and all of the playgroup's last
    sets, the oldest first. One query."""
    long = [one for one in shown if one.since]
    meant = [Q(player__in=[one for one in shown if one.began and not one.since])]
    for at in range(0, len(long), TERMS_MAX):
        some = (Q(player=one, finished_at__gte=one.since) for one in long[at : at + TERMS_MAX])
        meant.append(reduce(or_, some))
    ended = playgroup.sets.filter(finished_at__isnull=False, ruleset__in=_keys(format))
    meant.append(Q(game_set__in=ended.order_by("-finished_at", "-pk").values("pk")[:EVENINGS]))
    results = _of_format(format).select_related("game_set").only(*SHOWN)
    first, *more = (results.filter(one) for one in meant)
    return sorted(first.union(*more), key=lambda one: (one.finished_at, one.game_set_id))


def mark(format: str) -> str:
    """Return what players of a format are ranked by: VP per game, or the share of games won."""
    return "per_game" if scores(format) else "won_share"


def ranked(rows: Iterable[Row], *, by: str) -> list[Row]:
    """Return rows by what ``mark`` says, those with a rank first; equal ones share it
    (1, 2, 2, 4)."""
    of = attrgetter(by)
    found = sorted(rows, key=lambda row: (not row.is_listed, -of(row), row.player.name))
    listed = [row for row in found if row.is_listed]
    for place, (before, row) in enumerate(pairwise([None, *listed]), 1):
        row.rank = before.rank if before and of(before) == of(row) else place
    return found
