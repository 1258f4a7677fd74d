"""The leaderboard: how a playgroup's players rank, over any days, rulesets and table sizes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import reduce
from operator import attrgetter, or_
from typing import TYPE_CHECKING, Any, TypedDict

from django.db.models import F, OuterRef, Q, QuerySet, Subquery, Sum

from ..models import Player, Playgroup, SetResult, Tally
from ..models.tallies import SUMS
from ..results import ratings
from ..results.counting import root
from ..rules.formats import FORMATS, scores
from . import tally_spans
from .queries import today

LISTED = 3  # sets that a player needs for a rank
FORM = 10  # latest sets that are shown of each player,
EVENINGS = 5  # and of the playgroup
TERMS_MAX = 400  # players in one condition: SQLite allows less than 1000 terms

# The columns that rows and charts need: logs and reports of decks are not loaded.
READ = (
    *("player", "rank", "victory_points", "games_won", "mu", "sigma", "finished_at", "played_on"),
    *("game_set__code", "game_set__ruleset"),
)


if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    class Activity(TypedDict):
        began: date | None
        since: datetime | None

    ActivePlayer = WithAnnotations[Player, Activity]


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Which results count. Both days are included; None means no limit."""

    format: str = next(iter(FORMATS))
    ruleset: str = ""
    size: int | None = None
    first: date | None = None
    last: date | None = None

    @property
    def scores(self) -> bool:
        """Whether the format gives VP; otherwise games won count."""
        return scores(self.format)

    @property
    def rulesets(self) -> list[str]:
        return [self.ruleset] if self.ruleset else _keys(self.format)


@dataclass
class Row:
    """A player's row.

    ``by_day`` has the VP of each day, or of each month or year by its last day (today, while it
    lasts). ``form`` has the latest sets of the format, the oldest first, whichever results are
    wanted; the rating comes from all of them. ``account`` is the key of the account of the player,
    or of a player merged into it.
    """

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
        """VP per game when going first; None without such games."""
        return self.points_first / self.games_first if self.games_first else None

    @property
    def last(self) -> float | None:
        """VP per game when going last; None without such games."""
        return self.points_last / self.games_last if self.games_last else None

    @property
    def is_listed(self) -> bool:
        return self.sets >= LISTED

    @property
    def rating(self) -> int | None:
        return ratings.of_result(self.form[-1]) if self.form else None

    @property
    def uncertainty(self) -> int | None:
        return ratings.uncertainty_of(self.form[-1]) if self.form else None

    @property
    def change(self) -> int | None:
        """By how much the latest set changed the rating."""
        if len(self.form) < 2 or self.rating is None:
            return None
        return self.rating - ratings.of_result(self.form[-2])

    @property
    def is_rated(self) -> bool:
        return len(self.form) >= ratings.PROVISIONAL


def share(part: int, whole: int) -> float:
    """Return a part of a whole; 0 if there is no whole."""
    return part / whole if whole else 0.0


@dataclass(frozen=True)
class Board:
    """The rows of players with results, and the number of sets that these results are of.

    ``last`` has all results of the playgroup's last sets, whichever results are wanted.
    """

    rows: Sequence[Row]
    sets: int
    last: Sequence[SetResult]


def board(playgroup: Playgroup, wanted: Wanted) -> Board:
    """Return how everybody ranks by the wanted results. Three queries.

    Guests, and players merged into others, have no row.
    """
    everybody = players(playgroup, wanted.format)
    shown = [player for player in everybody if not player.is_guest and not player.merged_into_id]
    rows = {player.pk: Row(player) for player in shown}
    _add_accounts(rows, everybody)
    began = min((player.began for player in everybody if player.began), default=today(playgroup))
    sets = _add_sums(rows, tallied(playgroup, wanted, began), today(playgroup))
    results = latest(playgroup, shown, wanted.format)
    by_key: dict[int | None, ActivePlayer] = {player.pk: player for player in everybody}
    for result in results:
        result.player = player = by_key[result.player_id]
        if row := rows.get(player.pk):
            row.form = [*row.form, result][-FORM:]
    last = list(dict.fromkeys(result.game_set_id for result in reversed(results)))[:EVENINGS]
    return Board(
        rank_rows((row for row in rows.values() if row.sets), by=ranked_by(wanted.format)),
        sets,
        [result for result in results if result.game_set_id in last],
    )


def _add_accounts(rows: Mapping[int, Row], everybody: Iterable[Player]) -> None:
    merged = {player.pk: player.merged_into_id for player in everybody}
    for player in everybody:
        if player.user_id and (row := rows.get(root(player.pk, merged))):
            row.account = player.user_id


def _add_sums(rows: Mapping[int, Row], tallies: Iterable[Any], now: date) -> int:
    """Add tallies to the rows of their players; return how many sets they are of, guests' too."""
    sets = 0.0
    for tally in tallies:
        sets += tally["part"]
        row = rows.get(tally["player_id"])
        if row:
            for name in SUMS:
                row.sums[name] += tally[name]
            day = min(tally_spans.last_day(tally["span"], tally["starts_on"]), now)
            row.by_day[day] = row.by_day.get(day, 0) + tally["victory_points"]
    return round(sets)


def players(playgroup: Playgroup, format: str) -> list[ActivePlayer]:
    """Return a playgroup's players by name. One query.

    Each has ``began``, the day of the first result, and ``since``, the time of the tenth latest.
    """
    results = _of_format(format).filter(player=OuterRef("pk"))
    began = results.order_by("finished_at").values("played_on")[:1]
    since = results.order_by("-finished_at").values("finished_at")[FORM - 1 : FORM]
    annotated = playgroup.players.annotate(began=Subquery(began), since=Subquery(since))
    return list(annotated.order_by("name"))


def _of_format(format: str) -> QuerySet[SetResult]:
    return SetResult.objects.filter(game_set__ruleset__in=_keys(format))


def _keys(format: str) -> list[str]:
    return [ruleset.key for ruleset in FORMATS[format]]


def tallied(playgroup: Playgroup, wanted: Wanted, began: date) -> QuerySet[Any]:
    """Return sums by player and day, month or year. One query; its rows stay few with the years.

    ``began`` is the day of the playgroup's first result.
    """
    tallies = Tally.objects.filter(player__playgroup=playgroup, ruleset__in=wanted.rulesets)
    if wanted.size:
        tallies = tallies.filter(size=wanted.size)
    first = max(wanted.first or began, began)
    last = min(wanted.last or today(playgroup), today(playgroup))
    has_all = wanted.first is wanted.last is None
    tallies = tallies.filter(tally_spans.of_days(first, last, has_all=has_all))
    # Each player of a set has a part of it. This comes first: below, "sets" becomes a sum itself.
    sums = {"part": Sum(F("sets") * 1.0 / F("size")), **{name: Sum(name) for name in SUMS}}
    by_day = tallies.values("player_id", "span", "starts_on")
    return by_day.annotate(**sums).order_by("starts_on")


def latest(playgroup: Playgroup, shown: Iterable[ActivePlayer], format: str) -> list[SetResult]:
    """Return the results of the last ten sets of some players, and of the playgroup's last sets.

    The oldest come first. One query.
    """
    regulars = [player for player in shown if player.since]  # who have ten sets or more
    wanted = [Q(player__in=[player for player in shown if player.began and not player.since])]
    for at in range(0, len(regulars), TERMS_MAX):
        some = regulars[at : at + TERMS_MAX]
        latest_of_each = (Q(player=player, finished_at__gte=player.since) for player in some)
        wanted.append(reduce(or_, latest_of_each))
    ended = playgroup.sets.filter(finished_at__isnull=False, ruleset__in=_keys(format))
    wanted.append(Q(game_set__in=ended.order_by("-finished_at", "-pk").values("pk")[:EVENINGS]))
    results = _of_format(format).select_related("game_set").only(*READ)
    first, *more = (results.filter(condition) for condition in wanted)
    return sorted(first.union(*more), key=lambda result: (result.finished_at, result.game_set_id))


def ranked_by(format: str) -> str:
    """Return the value that ranks the players of a format: VP per game, or the games won."""
    return "per_game" if scores(format) else "won_share"


def rank_rows(rows: Iterable[Row], *, by: str) -> list[Row]:
    """Return rows ordered by a value, those with a rank first; equal rows share it (1, 2, 2, 4)."""
    value = attrgetter(by)
    ordered = sorted(rows, key=lambda row: (not row.is_listed, -value(row), row.player.name))
    listed = [row for row in ordered if row.is_listed]
    for place, (before, row) in enumerate(zip([None, *listed], listed, strict=False), 1):
        row.rank = before.rank if before and value(before) == value(row) else place
    return ordered
