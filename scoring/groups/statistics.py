"""Statistics of results: sets played, and how heroes and coalition types did."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache
from operator import add
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from django.db.models import (
    BigIntegerField,
    Count,
    Exists,
    F,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Sum,
    prefetch_related_objects,
)
from django.db.models.functions import JSONArray

from coalition_site.lib.prepared import Parameter, PreparedSelect
from coalition_site.lib.texts import sort_key
from decks.models import Deck

from ..models import (
    Attendee,
    Claim,
    Evening,
    Player,
    Playgroup,
    SetResult,
    Tally,
)
from ..models.results import WON
from ..models.tallies import SUMS
from ..results import latest
from ..results.latest import JsonList, Past
from ..rules.formats import RULESETS
from .leaderboard import Row, keys_of, share

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    class OnPage(TypedDict):
        years: list[Any] | None
        attended: list[Any] | None
        is_taken: bool
        is_claimed: bool

    FoundPlayer = WithAnnotations[Player, OnPage]

KEY_MAX = BigIntegerField.MAX_BIGINT
PAGE = 10  # sets at a time
RATINGS_MAX = 60  # latest sets whose ratings are drawn
EVENINGS_MAX = 10
ROWS_MAX = 100  # heroes or types in a table

# The columns of a list of sets: of all results of a set, and of the result that is listed.
STOOD = ("rank", "victory_points", "games_won")
LINE = (
    *(*STOOD, "played_on", "hero", "coalition_type"),
    *("game_set__code", "game_set__ruleset"),
)

OF_TOTALS = {
    "sets": Count("pk"),
    "sets_won": Count("pk", filter=WON),
    "games": Sum("games_played"),
    "victory_points": Sum("victory_points"),
}


@dataclass(frozen=True)
class Totals:
    """What the results of a hero, a coalition type or a player sum up to."""

    sets: int
    sets_won: int
    games: int
    victory_points: int
    name: str = ""
    player_id: int | None = None

    @property
    def per_game(self) -> float:
        return share(self.victory_points, self.games)


@dataclass(frozen=True)
class Page:
    """Some results, the latest first. ``more`` is the number of the next page, None at the end."""

    number: int
    results: Sequence[SetResult]
    more: int | None


def page(results: QuerySet[SetResult], number: int, players: Collection[Player] = ()) -> Page:
    """Return a page of results; each set has all its results, or those of some players, in
    ``shown_results``. Two queries."""
    of_set = SetResult.objects.select_related("player").only("game_set", "player__name", *STOOD)
    of_set = of_set.order_by("rank", "seat__number")
    if players:
        of_set = of_set.filter(player__in=players)
    start = (number - 1) * PAGE
    ordered = results.order_by("-finished_at", "-game_set", "rank", "pk")
    listed = ordered.select_related("game_set").only(*LINE)
    rows = list(listed[start : start + PAGE + 1])
    prefetch_related_objects(
        rows[:PAGE], Prefetch("game_set__results", of_set, to_attr="shown_results")
    )
    return Page(number, rows[:PAGE], number + 1 if len(rows) > PAGE else None)


def find_player(group: Playgroup, key: int, visitor: int | None) -> FoundPlayer | None:
    """Return a player of a playgroup, with all tallies by year. One query.

    ``is_claimed`` tells whether the visitor's claim of the player waits, ``is_taken`` whether the
    player has an account, or the visitor another player.
    """
    return PLAYER.only(group.pk, key, *[visitor] * 2) if key <= KEY_MAX else None


def _player(
    group: Parameter, key: Parameter, visitor: Parameter, same_visitor: Parameter
) -> QuerySet[FoundPlayer]:
    years = Tally.objects.filter(player=OuterRef("pk"), span=Tally.Span.YEAR)
    same = Q(pk=OuterRef("pk")) | Q(merged_into=OuterRef("pk"))
    taken = Player.objects.filter(
        Q(user=visitor) | same & Q(user__isnull=False), playgroup=OuterRef("playgroup")
    )
    return Player.objects.filter(playgroup=group, pk=key).annotate(
        years=JsonList(years.values(item=JSONArray("ruleset", *SUMS))),
        attended=JsonList(_attended().values(item=JSONArray("number", "name", "starts_at"))),
        is_taken=Exists(taken),
        is_claimed=Exists(Claim.objects.filter(player=OuterRef("pk"), user=same_visitor)),
    )


def _attended() -> QuerySet[Evening]:
    """Select the latest evenings of the outer player."""
    theirs = Attendee.objects.filter(
        Q(player=OuterRef(OuterRef("pk"))) | Q(player__merged_into=OuterRef(OuterRef("pk")))
    )
    came = Evening.objects.filter(pk__in=theirs.values("evening"))
    return came.order_by("-starts_at", "-number")[:EVENINGS_MAX]


PLAYER = PreparedSelect(_player)


class Attended(NamedTuple):
    """An evening to which a player came."""

    number: int
    name: str
    starts_at: datetime


def evenings(player: FoundPlayer) -> list[Attended]:
    """Return the latest evenings to which a player came."""
    return [
        Attended(number, name, _moment(starts_at))
        for number, name, starts_at in player.attended or ()
    ]


def _moment(text: str) -> datetime:
    """Return a time from JSON, which on SQLite has no zone.

    >>> _moment("2026-03-02 18:00:00") == _moment("2026-03-02T19:00:00+01:00")
    True
    """
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def sums_by_format(player: FoundPlayer) -> dict[str, Row]:
    """Return the sums of all sets of a player, by format."""
    rows: dict[str, Row] = {}
    for ruleset, *sums in player.years or ():
        row = rows.setdefault(RULESETS[ruleset].format, Row(player.pk, player.name))
        for name, value in zip(SUMS, sums, strict=True):
            setattr(row, name, getattr(row, name) + value)
    return rows


class Record(NamedTuple):
    """The most of something that a player had in a set."""

    what: str
    value: int
    code: str
    day: date


# What records are of: the field of a result, and what it is called.
RECORDS = {
    "victory_points": "VP in a set",
    "best_turn": "VP in a turn",
    "streak": "Sets won in a row",
}


def course(player: Player, format: str) -> tuple[tuple[Past, ...], list[Record]]:
    """Return the latest sets of a player in a format, the oldest first, and the player's records.

    One query.
    """
    column, *best = _course(format).only(player.pk) or (None,)
    records = [
        Record(what, value, code, date.fromisoformat(day))
        for what, found in zip(RECORDS.values(), best, strict=True)
        for value, code, day in found or ()
    ]
    return latest.read(column), records


@cache
def _course(format: str) -> PreparedSelect[tuple[Any, ...]]:
    results = of_format(SetResult.objects.all(), format)
    columns = [latest.column(results, RATINGS_MAX)]
    columns += [_best(results, field) for field in RECORDS]
    return PreparedSelect(lambda player: Player.objects.filter(pk=player).values_list(*columns))


def _best(results: QuerySet[SetResult], field: str) -> JsonList:
    """Return the column of a player's first result with the most of something."""
    least = 2 if field == "streak" else 1
    some = results.filter(player=OuterRef("pk"), **{f"{field}__gte": least})
    first = some.order_by(f"-{field}", "finished_at", "pk")
    return JsonList(first.values(item=JSONArray(field, "game_set__code", "played_on"))[:1])


def of_format(results: QuerySet[SetResult], format: str) -> QuerySet[SetResult]:
    """Return the results of a format's sets only."""
    return results.filter(game_set__ruleset__in=keys_of(format))


# --- heroes, coalition types and decks ---
def results_of(group: Playgroup) -> QuerySet[SetResult]:
    """Select all results of a playgroup."""
    return SetResult.objects.filter(player__playgroup=group)


def totals(results: QuerySet[SetResult]) -> Totals:
    """Return the sums of some results. One query."""
    return Totals(**results.aggregate(**OF_TOTALS))


def totals_by(results: QuerySet[SetResult], field: str) -> list[Totals]:
    """Return the sums for each "hero" or "coalition_type", the most played first. One query."""
    grouped: QuerySet[Any, Any] = results.exclude(**{field: ""}).values(field)
    summed = grouped.annotate(**OF_TOTALS).order_by("-sets", field)
    return [Totals(*row) for row in summed.values_list(*OF_TOTALS, field)[:ROWS_MAX]]


def heroes_and_types(results: QuerySet[SetResult]) -> tuple[list[Totals], list[Totals]]:
    """Return the sums for each hero and each coalition type, the most played first. One query."""
    grouped: QuerySet[Any, Any] = results.values("hero", "coalition_type").annotate(**OF_TOTALS)
    heroes: dict[str, list[int]] = {}
    types: dict[str, list[int]] = {}
    for hero, coalition_type, *sums in grouped.values_list("hero", "coalition_type", *OF_TOTALS):
        for name, added in ((hero, heroes), (coalition_type, types)):
            if name:
                added[name] = [*map(add, added.get(name, [0] * len(sums)), sums)]
    return _most_played(heroes), _most_played(types)


def _most_played(added: dict[str, list[int]]) -> list[Totals]:
    every = [
        Totals(**dict(zip(OF_TOTALS, sums, strict=True)), name=name) for name, sums in added.items()
    ]
    return sorted(every, key=lambda totals: (-totals.sets, totals.name))[:ROWS_MAX]


def totals_by_player(results: QuerySet[SetResult]) -> list[Totals]:
    """Return the sums for each player but guests, the most sets first. One query."""
    listed = results.filter(player__is_guest=False)
    named: QuerySet[Any, Any] = listed.values("player_id", name=F("player__name"))
    every = [Totals(**row) for row in named.annotate(**OF_TOTALS)]
    return sorted(every, key=lambda totals: (-totals.sets, sort_key(totals.name)))


@dataclass(frozen=True)
class DeckResults:
    """How a deck did in the sets of a ruleset."""

    code: str
    name: str
    ruleset: str
    sets: int
    sets_won: int

    @property
    def played_by(self) -> str:
        """The ruleset, with its game where that is not Magic."""
        return RULESETS[self.ruleset].title


def decks(group: Playgroup) -> list[DeckResults]:
    """Return how a playgroup's decks did, by ruleset, the most played first. Two queries."""
    brought: QuerySet[Any, Any] = results_of(group).exclude(deck=None)
    grouped = brought.values("deck", "game_set__ruleset")
    summed = grouped.annotate(sets=OF_TOTALS["sets"], sets_won=OF_TOTALS["sets_won"])
    rows = list(summed.values_list("deck", "game_set__ruleset", "sets", "sets_won"))
    decks = Deck.objects.only("code", "name").in_bulk({deck for deck, *_ in rows})
    found = [DeckResults(decks[deck].code, decks[deck].name, *sums) for deck, *sums in rows]
    return sorted(found, key=lambda deck: (-deck.sets, deck.name, deck.code))[:ROWS_MAX]
