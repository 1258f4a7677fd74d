"""Statistics of results: sets played, a player's page, heroes and coalition types, and decks."""

from collections.abc import Collection, Sequence
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
    Subquery,
    Sum,
    prefetch_related_objects,
)
from django.db.models.functions import Coalesce, JSONArray

from coalition_site.lib.prepared import Parameter, PreparedSelect
from coalition_site.lib.texts import sort_key

from ..models import Attendee, Claim, Evening, Player, Playgroup, SetResult, Tally
from ..models.people import Visibility
from ..models.results import WON
from ..models.tallies import SUMS
from ..results import latest
from ..results.latest import JsonList, Past
from ..rules.formats import RULESETS
from .leaderboard import Row, keys_of, share
from .meetings import SCORING

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
LINE = (*STOOD, "played_on", "hero", "coalition_type", "game_set__code", "game_set__ruleset")


class Page(NamedTuple):
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
    rows = list(listed[start : start + PAGE + 1])  # one more, to know whether there is a next page
    prefetch_related_objects(
        rows[:PAGE], Prefetch("game_set__results", of_set, to_attr="shown_results")
    )
    return Page(number, rows[:PAGE], number + 1 if len(rows) > PAGE else None)


# --- a player ---
def find_player(group: Playgroup, key: int, visitor: int | None) -> "FoundPlayer | None":
    """Return a player of a playgroup, with all tallies by year. One query.

    ``is_claimed`` tells whether the visitor's claim of the player waits, ``is_taken`` whether the
    player has an account, or the visitor another player.
    """
    return PLAYER.only(group.pk, key, visitor, visitor) if key <= KEY_MAX else None


def _player(
    group: Parameter, key: Parameter, visitor: Parameter, same_visitor: Parameter
) -> "QuerySet[FoundPlayer]":
    years = Tally.objects.filter(player=OuterRef("pk"), span=Tally.Span.YEAR)
    same = Q(pk=OuterRef("pk")) | Q(merged_into=OuterRef("pk"))
    taken = Player.objects.filter(
        Q(user=visitor) | same & Q(user__isnull=False), playgroup=OuterRef("playgroup")
    )
    theirs = Attendee.objects.filter(
        Q(player=OuterRef(OuterRef("pk"))) | Q(player__merged_into=OuterRef(OuterRef("pk")))
    )
    came = Evening.objects.filter(pk__in=theirs.values("evening"))
    attended = came.order_by("-starts_at", "-number").values(
        item=JSONArray("number", "name", "starts_at")
    )
    return Player.objects.filter(playgroup=group, pk=key).annotate(
        years=JsonList(years.values(item=JSONArray("ruleset", *SUMS))),
        attended=JsonList(attended[:EVENINGS_MAX]),
        is_taken=Exists(taken),
        is_claimed=Exists(Claim.objects.filter(player=OuterRef("pk"), user=same_visitor)),
    )


PLAYER = PreparedSelect(_player)


class Attended(NamedTuple):
    number: int
    name: str
    starts_at: datetime


def evenings(player: "FoundPlayer") -> list[Attended]:
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


def sums_by_format(player: "FoundPlayer") -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for ruleset, *sums in player.years or ():
        row = rows.setdefault(RULESETS[ruleset].format, Row(player.pk, player.name))
        for name, value in zip(SUMS, sums, strict=True):
            setattr(row, name, getattr(row, name) + value)
    return rows


# What records are of: the field of a result, and what it is called.
RECORDS = {
    "victory_points": "VP in a set",
    "best_turn": "VP in a turn",
    "streak": "Sets won in a row",
}


class Record(NamedTuple):
    kind: str
    value: int
    code: str
    day: date

    @property
    def what(self) -> str:
        return RECORDS[self.kind]


def rating_chart(player: Player, format: str) -> tuple[tuple[Past, ...], list[Record]]:
    """Return the latest sets of a player in a format, the oldest first, and the player's records.

    One query.
    """
    column, *best = _rating_chart(format).only(player.pk) or (None,)
    records = [
        Record(kind, value, code, date.fromisoformat(day))
        for kind, found in zip(RECORDS, best, strict=True)
        for value, code, day in found or ()
    ]
    return latest.read(column), records


@cache
def _rating_chart(format: str) -> PreparedSelect[tuple[Any, ...]]:
    results = SetResult.objects.filter(game_set__ruleset__in=keys_of(format))
    columns = [latest.column(results, RATINGS_MAX)]
    for field in RECORDS:
        least = 2 if field == "streak" else 1
        some = results.filter(player=OuterRef("pk"), **{f"{field}__gte": least})
        first = some.order_by(f"-{field}", "finished_at", "pk")
        item = JSONArray(field, "game_set__code", "played_on")
        columns.append(JsonList(first.values(item=item)[:1]))
    return PreparedSelect(lambda player: Player.objects.filter(pk=player).values_list(*columns))


class OtherGroup(NamedTuple):
    """The same person in another playgroup; ``games`` are those that gave VP."""

    code: str
    name: str
    player_id: int
    sets: int
    games: int
    victory_points: int

    @property
    def per_game(self) -> float:
        return share(self.victory_points, self.games)


def other_groups(player: Player, group: Playgroup, visitor: int | None) -> list[OtherGroup]:
    """Return where else the account of a player plays, if it agreed, by the playgroup's name.

    Only public playgroups and those of the visitor: whoever has the link of an unlisted playgroup
    sees it, but must not learn the link here. One query.
    """
    same = (player.pk,) * 3
    return [OtherGroup(*row) for row in OTHER_GROUPS.all(*same, group.pk, visitor)]


def _other_groups(
    player: Parameter, merged: Parameter, twice: Parameter, group: Parameter, visitor: Parameter
) -> QuerySet[Any, tuple[Any, ...]]:
    def summed(name: str, **of: Any) -> Coalesce:
        years = Tally.objects.filter(player=OuterRef("root"), span=Tally.Span.YEAR, **of)
        sums = years.order_by().values("player").annotate(all=Sum(F(name))).values("all")
        return Coalesce(Subquery(sums), 0)

    same = Q(pk=player) | Q(merged_into=merged) | Q(merged_into__merged_into=twice)
    accounts = Player.objects.filter(same, user__choices__shows_playgroups=True).values("user")
    may_find = Q(playgroup__visibility=Visibility.PUBLIC) | Q(playgroup__memberships__user=visitor)
    found = Player.objects.filter(may_find, user__in=accounts).exclude(playgroup=group)
    counted = found.annotate(
        root=Coalesce("merged_into__merged_into", "merged_into", "pk"),
        sets=summed("sets"),
        games=summed("games", ruleset__in=SCORING),
        victory_points=summed("victory_points", ruleset__in=SCORING),
    )
    named = counted.order_by("playgroup__name", "playgroup__code").distinct()
    columns = ("root", "sets", "games", "victory_points")
    return named.values_list("playgroup__code", "playgroup__name", *columns)


OTHER_GROUPS = PreparedSelect(_other_groups)


# --- heroes, coalition types and decks ---
OF_TOTALS = {
    "sets": Count("pk"),
    "sets_won": Count("pk", filter=WON),
    "games": Sum("games_played"),
    "victory_points": Sum("victory_points"),
}


class Totals(NamedTuple):
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


def results_of(group: Playgroup) -> QuerySet[SetResult]:
    return SetResult.objects.filter(player__playgroup=group)


def totals(results: QuerySet[SetResult]) -> Totals:
    return Totals(**results.aggregate(**OF_TOTALS))


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


class DeckResults(NamedTuple):
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
    """Return how a playgroup's decks did, by ruleset, the most played first. One query."""
    columns = ("deck__code", "deck__name", "game_set__ruleset")
    brought: QuerySet[Any, Any] = results_of(group).exclude(deck=None).values(*columns)
    summed = brought.annotate(sets=OF_TOTALS["sets"], sets_won=OF_TOTALS["sets_won"])
    found = [DeckResults(*row) for row in summed.values_list(*columns, "sets", "sets_won")]
    return sorted(found, key=lambda deck: (-deck.sets, deck.name, deck.code))[:ROWS_MAX]
