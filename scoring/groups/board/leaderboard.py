"""The leaderboard: how a playgroup's players rank, over any days, rulesets and table sizes."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache, reduce
from operator import add, attrgetter, neg, or_
from typing import Any, NamedTuple

from django.db.models import F, OuterRef, Q, QuerySet, Subquery, Sum

from coalition_site.lib.prepared import Parameter, PreparedSelect
from coalition_site.lib.texts import by_name, sort_key

from ...models import Player, Playgroup, SetResult, Tally
from ...models.record import SEATS_MAX
from ...models.tallies import SUMS
from ...record import latest, ratings
from ...record.counting import root
from ...record.latest import Past
from ...rules.formats import FORMATS, keys_of, scores
from ...rules.ranks import ranked
from ..queries import today
from . import tally_spans
from .tally_spans import Span

LISTED = 3  # sets that a player needs for a rank; on the board of a single day one is enough
FORM = 10  # latest sets that are shown of each player
GAMES = SUMS.index("games")

# A player, a span and its first day, the part of sets that is the player's, and all SUMS.
Tallied = tuple[Any, ...]


@dataclass(frozen=True, kw_only=True)
class Filters:
    """Which results count. Both days are included; None means no limit."""

    format: str = next(iter(FORMATS))
    ruleset: str = ""
    size: int | None = None
    first: date | None = None
    last: date | None = None

    @property
    def scores(self) -> bool:
        return scores(self.format)

    @property
    def listed(self) -> int:
        # On a single day nobody plays three.
        return 1 if self.first and self.first == self.last else LISTED

    @property
    def rulesets(self) -> tuple[str, ...]:
        return (self.ruleset,) if self.ruleset else keys_of(self.format)


@dataclass(slots=True, unsafe_hash=True)  # nobody changes it once it is drawn
class Row:
    """A player's row: the sums of tallies, and what stands beside them."""

    player_id: int
    name: str
    account: int | None = None  # of the player, or of one merged into it
    # The latest sets of the format, the oldest first, whatever the filters, as in the rating.
    form: tuple[Past, ...] = ()
    # Of each day, or of each month or year by its last day (today, while it lasts): what a rank is
    # counted from, VP or games won where there are none, and games.
    by_day: dict[date, tuple[int, int]] = field(default_factory=dict, hash=False)
    needed: int = LISTED  # sets for a rank
    rank: int | None = None
    former: int | None = None  # the rank before the last day of play
    digits: int = 0  # shown beyond the usual ones, where others look level
    sets: int = 0
    sets_won: int = 0
    games: int = 0
    victory_points: int = 0
    games_won: int = 0
    games_at_cap: int = 0
    games_first: int = 0
    points_first: int = 0
    games_last: int = 0
    points_last: int = 0
    outlasted: int = 0
    monarch_turns: int = 0

    @property
    def per_game(self) -> float:
        return share(self.victory_points, self.games)

    @property
    def won_share(self) -> float:
        return share(self.games_won, self.games)

    @property
    def per_game_text(self) -> str:
        return f"{self.per_game:.{1 + self.digits}f}"

    @property
    def won_text(self) -> str:
        return f"{100 * self.won_share:.{self.digits}f} %"

    @property
    def outlasted_per_game(self) -> float:
        return share(self.outlasted, self.games)

    @property
    def at_cap(self) -> float:
        return share(self.games_at_cap, self.games)

    @property
    def first(self) -> float | None:
        return self.points_first / self.games_first if self.games_first else None

    @property
    def last(self) -> float | None:
        return self.points_last / self.games_last if self.games_last else None

    @property
    def is_listed(self) -> bool:
        return self.sets >= self.needed

    @property
    def rating(self) -> int | None:
        return ratings.shown(self.form[-1].mu) if self.form else None

    @property
    def uncertainty(self) -> int | None:
        return ratings.uncertainty(self.form[-1].sigma) if self.form else None

    @property
    def change(self) -> int | None:
        if len(self.form) < 2 or self.rating is None:
            return None
        return self.rating - ratings.shown(self.form[-2].mu)

    @property
    def is_rated(self) -> bool:
        return len(self.form) >= ratings.PROVISIONAL


def share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


class Board(NamedTuple):
    rows: list[Row]
    sets: int


def leaderboard(group: Playgroup, filters: Filters) -> Board:
    """Return how everybody ranks by the results that count. Two queries."""
    # Guests, and players merged into others, have no row.
    everybody = by_name(_players(filters.format).all(group.pk))
    now = today(group)
    began = min((player.began for player in everybody if player.began), default=now)
    sums: dict[int, list[int]] = {}
    by_day: dict[int, dict[date, tuple[int, int]]] = {}
    counted = SUMS.index("victory_points" if filters.scores else "games_won")
    sets = 0.0
    # Few rows, however many years: by month or year where whole ones count.
    spans = tally_spans.of_days(
        max(filters.first or began, began),
        min(filters.last or now, now),
        has_first=filters.first is None or filters.first <= began,
        has_last=filters.last is None or filters.last >= now,
    )
    for player, span, starts_on, part, *added in _summed(group, filters, spans):
        sets += part
        sums[player] = list(map(add, sums[player], added)) if player in sums else added
        days = by_day.setdefault(player, {})
        day = min(tally_spans.last_day(span, starts_on), now)
        before = days.get(day, (0, 0))
        days[day] = before[0] + added[counted], before[1] + added[GAMES]
    merged = {player.pk: player.merged_into for player in everybody}
    accounts = {root(player.pk, merged): player.user for player in everybody if player.user}
    rows = (
        Row(
            player.pk,
            player.name,
            account=accounts.get(player.pk),
            form=latest.read_column(player.form),
            by_day=by_day[player.pk],
            needed=filters.listed,
            **dict(zip(SUMS, sums[player.pk], strict=True)),
        )
        for player in everybody
        if player.pk in sums and not player.is_guest and not player.merged_into
    )
    return Board(rank_rows(rows, by=ranked_by(filters.format)), round(sets))


def set_former_ranks(
    group: Playgroup, filters: Filters, rows: Sequence[Row], day: date
) -> dict[int, Sequence[int]]:
    """Give rows the ranks before a day, the last one of play; return its SUMS by player."""
    played = _summed(group, filters, [(Span.DAY, day, day)])
    of_day: dict[int, Sequence[int]] = {player: sums for player, _, _, _, *sums in played}
    former = {row.player_id: row.rank for row in rank_without(filters.format, rows, of_day)}
    for row in rows:
        row.former = former.get(row.player_id)
    return of_day


def rank_without(format: str, rows: Iterable[Row], less: Mapping[int, Sequence[int]]) -> list[Row]:
    """Return copies of rows without some sums by player, ranked anew; no row without sets."""
    left = []
    for row in rows:
        sums = zip(SUMS, less.get(row.player_id, ()), strict=False)  # none, or all
        sums_left = {name: getattr(row, name) - by for name, by in sums}
        left.append(replace(row, rank=None, digits=0, **sums_left))
    return rank_rows((row for row in left if row.sets), by=ranked_by(format))


@cache
def _players(format: str) -> PreparedSelect[Any]:
    keys = keys_of(format)
    # Tallies are ordered by day and know their ruleset: results would be looked up with their sets.
    tallies = Tally.objects.filter(player=OuterRef("pk"), span=Span.DAY, ruleset__in=keys)
    began = Subquery(tallies.order_by("starts_on").values("starts_on")[:1])
    form = latest.column(SetResult.objects.filter(game_set__ruleset__in=keys), FORM)
    columns = ("pk", "name", "is_guest", "user", "merged_into", "began", "form")
    return PreparedSelect(
        lambda group: (
            Player.objects.filter(playgroup=group)
            .annotate(began=began, form=form)
            .values_list(*columns, named=True)
        )
    )


def _summed(
    group: Playgroup, filters: Filters, spans: Sequence[tuple[Span, date, date]]
) -> list[Tallied]:
    sizes = (filters.size, filters.size) if filters.size else (0, SEATS_MAX)
    select = _tallies(filters.rulesets, tuple(span for span, _, _ in spans))
    return select.all(group.pk, *sizes, *(day for _, *days in spans for day in days))


@cache
def _tallies(rulesets: Sequence[str], spans: Sequence[Span]) -> PreparedSelect[Tallied]:
    def build(group: Parameter, *bounds: Parameter) -> QuerySet[Any, Tallied]:
        sizes, *days = zip(bounds[::2], bounds[1::2], strict=True)
        of_spans = (
            Q(span=span, starts_on__range=range) for span, range in zip(spans, days, strict=True)
        )
        tallies = Tally.objects.filter(
            reduce(or_, of_spans), player__playgroup=group, ruleset__in=rulesets, size__range=sizes
        )
        # Each player of a set has a part of it. It goes first: below, "sets" becomes a sum itself.
        sums = {"part": Sum(F("sets") * 1.0 / F("size")), **{name: Sum(name) for name in SUMS}}
        by: QuerySet[Any, Any] = tallies.values("player_id", "span", "starts_on").annotate(**sums)
        summed: QuerySet[Any, Tallied] = by.values_list("player_id", "span", "starts_on", *sums)
        return summed

    return PreparedSelect(build, parameters=3 + 2 * len(spans))


def ranked_by(format: str) -> str:
    return "per_game" if scores(format) else "won_share"


def rank_rows(rows: Iterable[Row], *, by: str) -> list[Row]:
    """Return rows ordered by a value, those with a rank first; equal rows share it (1, 2, 2, 4)."""
    mark = marks(by)
    ordered = sorted(
        rows, key=lambda row: (not row.is_listed, *map(neg, mark(row)), sort_key(row.name))
    )
    ranks = ranked({row.player_id: mark(row) for row in ordered if row.is_listed})
    for row in ordered:
        row.rank = ranks.get(row.player_id)
    set_digits(ordered, by)
    return ordered


def set_digits(rows: Iterable[Row], by: str) -> None:
    """Have ranks that would look level shown with up to two more digits, if they are not."""
    level = [(row, getattr(row, by)) for row in rows if row.rank]
    usual = 1 if by == "per_game" else 2
    for digits in (usual, usual + 1):
        often = Counter(f"{value:.{digits}f}" for value in {value for _, value in level})
        level = [(row, value) for row, value in level if often[f"{value:.{digits}f}"] > 1]
        for row, _ in level:
            row.digits += 1


def marks(by: str) -> Callable[[Row], tuple[float, ...]]:
    # Where games won are level, opponents outlasted come next.
    return attrgetter(by, "outlasted_per_game" if by == "won_share" else by)
