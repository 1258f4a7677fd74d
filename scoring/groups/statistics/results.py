"""Statistics of results: sets played, a player's page, heroes and coalition types, and decks."""

from collections.abc import Collection
from datetime import UTC, date, datetime
from functools import cache
from operator import add, itemgetter
from typing import Any, NamedTuple

from django.db.models import (
    BigIntegerField,
    Count,
    Exists,
    F,
    Min,
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

from ...models import Attendee, Claim, Evening, Player, Playgroup, SetResult, Tally
from ...models.people import Visibility
from ...models.results import WON
from ...models.tallies import SUMS
from ...record import latest, queries
from ...record.latest import JsonList, Past
from ...rules.formats import RULESETS, keys_of
from ..board.leaderboard import Row, share
from .meetings import SCORING

KEY_MAX = BigIntegerField.MAX_BIGINT
PAGE = 10  # sets at a time
RATINGS_MAX = 60  # latest sets whose ratings are drawn
EVENINGS_MAX = 10
ROWS_MAX = 100  # heroes or types in a table

# The columns of a list of sets: of all results of a set, and of the result that is listed.
STOOD = ("rank", "victory_points", "games_won")
LINE = (*STOOD, "played_on", "hero", "coalition_type", "game_set__code", "game_set__ruleset")


def page(
    results: QuerySet[SetResult], number: int, players: Collection[Player] = ()
) -> dict[str, Any]:
    """Return a page of results, the latest first; each set has all its results, or those of some
    players, in ``shown_results``. ``more`` is the number of the next page, None at the end."""
    # Two queries.
    of_set = SetResult.objects.select_related("player").only("game_set", "player__name", *STOOD)
    of_set = of_set.order_by("rank", "seat__number")
    if players:
        of_set = of_set.filter(player__in=players)
    start = (number - 1) * PAGE
    ordered = results.order_by("-played_on", "-finished_at", "-game_set", "rank", "pk")
    listed = ordered.select_related("game_set").only(*LINE)
    rows = list(listed[start : start + PAGE + 1])  # one more, to know whether there is a next page
    prefetch_related_objects(
        rows[:PAGE], Prefetch("game_set__results", of_set, to_attr="shown_results")
    )
    more = number + 1 if len(rows) > PAGE else None
    return {"number": number, "results": rows[:PAGE], "more": more}


# --- a player ---
HONOURS = {  # each is of the day on which it was earned first
    "first_21": "First 21",
    "in_a_row": "Three sets won in a row",
    "unbeaten": "An unbeaten evening",
    "ten_heroes": "Ten heroes played",
}
_OWN: QuerySet[Any, Any] = SetResult.objects.filter(player=OuterRef("pk"))
_BY_DAY = _OWN.order_by("played_on").values("played_on")
_EVENINGS = _BY_DAY.annotate(all=Count("pk"), won=Count("pk", filter=WON))
_HEROES = _OWN.exclude(hero="").values("hero").annotate(first=Min("played_on"))
EARNED = {
    "first_21": _BY_DAY.filter(games_at_cap__gte=1),
    "in_a_row": _BY_DAY.filter(streak__gte=3),
    "unbeaten": _EVENINGS.filter(all__gte=2, all=F("won")).values("played_on"),
    "ten_heroes": _HEROES.order_by("first").values("first")[9:],
}


def _same_as(key: int | OuterRef) -> Q:
    # Longer chains of merges are not followed: a query would need another join for each.
    return Q(pk=key) | Q(merged_into=key) | Q(merged_into__merged_into=key)


@PreparedSelect
def _with_years(group: Parameter, key: Parameter, visitor: Parameter) -> QuerySet[Player]:
    years = Tally.objects.filter(player=OuterRef("pk"), span=Tally.Span.YEAR)
    same = _same_as(OuterRef("pk"))
    taken = Player.objects.filter(
        Q(user=visitor) | same & Q(user__isnull=False), playgroup=OuterRef("playgroup")
    )
    theirs = Player.objects.filter(_same_as(OuterRef(OuterRef(OuterRef("pk")))))
    attendees = Attendee.objects.filter(player__in=theirs)
    came = Evening.objects.filter(pk__in=attendees.values("evening"))
    attended = came.order_by("-starts_at", "-number").values(
        item=JSONArray("number", "name", "starts_at")
    )
    return Player.objects.filter(
        playgroup=group, pk=key
    ).annotate(  # type: ignore[no-redef]
        years=JsonList(years.values(item=JSONArray("ruleset", *SUMS))),
        attended=JsonList(attended[:EVENINGS_MAX]),
        is_taken=Exists(taken),
        is_claimed=Exists(Claim.objects.filter(player=OuterRef("pk"), user=visitor)),
        **{name: Subquery(days[:1]) for name, days in EARNED.items()},
    )


def honours(player: Player) -> list[tuple[str, date]]:
    earned = [(name, getattr(player, key)) for key, name in HONOURS.items()]
    return sorted(((name, day) for name, day in earned if day), key=itemgetter(1))


def find_player(group: Playgroup, key: int, visitor: int | None) -> Player | None:
    """``is_claimed``: the visitor's claim waits. ``is_taken``: the player has an account, or the
    visitor another player."""
    return _with_years.only(group.pk, key, visitor) if key <= KEY_MAX else None


def evenings(player: Player) -> list[dict[str, Any]]:
    attended = [
        {"number": number, "name": name, "starts_at": datetime.fromisoformat(starts_at)}
        for number, name, starts_at in player.attended or ()
    ]
    for one in attended:
        if not one["starts_at"].tzinfo:  # which JSON of SQLite has not
            one["starts_at"] = one["starts_at"].replace(tzinfo=UTC)
    return attended


def sums_by_format(player: Player) -> dict[str, Row]:
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


class PlayerRecord(NamedTuple):
    kind: str
    value: int
    code: str
    day: date

    @property
    def what(self) -> str:
        return RECORDS[self.kind]


def rating_chart(player: Player, format: str) -> tuple[tuple[Past, ...], list[PlayerRecord]]:
    """Return a player's latest sets in a format, the oldest first, and records. One query."""
    column, *best = _rating_chart(format).only(player.pk) or (None,)
    records = [
        PlayerRecord(kind, value, code, date.fromisoformat(day))
        for kind, rows in zip(RECORDS, best, strict=True)
        for value, code, day in rows or ()
    ]
    return latest.read_column(column), records


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


class Totals(NamedTuple):
    sets: int
    sets_won: int
    games: int
    victory_points: int
    name: str = ""
    player_id: int | None = None
    code: str = ""  # of the playgroup, where it is another one

    @property
    def per_game(self) -> float:
        return share(self.victory_points, self.games)


def other_groups(player: Player, group: Playgroup, visitor: int | None) -> list[Totals]:
    """Return where else the account of a player plays, if it agreed, by the playgroup's name."""
    # Only public playgroups and those of the visitor: whoever has the link of an unlisted playgroup
    # sees it, but must not learn the link here. Games and VP are of formats with VP. One query.

    def summed(name: str, **of: Any) -> Coalesce:
        years = Tally.objects.filter(player=OuterRef("root"), span=Tally.Span.YEAR, **of)
        sums = years.order_by().values("player").annotate(all=Sum(F(name))).values("all")
        return Coalesce(Subquery(sums), 0)

    same = _same_as(player.pk)
    accounts = Player.objects.filter(same, user__choices__shows_playgroups=True).values("user")
    may_find = Q(playgroup__visibility=Visibility.PUBLIC)
    if visitor is not None:  # as a condition, None would find playgroups without members
        may_find |= Q(playgroup__memberships__user=visitor)
    players = Player.objects.filter(may_find, user__in=accounts).exclude(playgroup=group)
    counted = players.annotate(
        root=Coalesce("merged_into__merged_into", "merged_into", "pk"),
        sets=summed("sets"),
        games=summed("games", ruleset__in=SCORING),
        victory_points=summed("victory_points", ruleset__in=SCORING),
    )
    named = counted.order_by("playgroup__name", "playgroup__code").distinct()
    columns = ("sets", "games", "victory_points", "playgroup__name", "root", "playgroup__code")
    return [Totals(sets, 0, *rest) for sets, *rest in named.values_list(*columns)]


# --- heroes, coalition types and decks ---
OF_TOTALS = {
    "sets": Count("pk"),
    "sets_won": Count("pk", filter=WON),
    "games": Sum("games_played"),
    "victory_points": Sum("victory_points"),
}


def results_of(group: Playgroup) -> QuerySet[SetResult]:
    return SetResult.objects.filter(player__playgroup=group)


def heroes_and_types(results: QuerySet[SetResult]) -> tuple[list[Totals], list[Totals]]:
    grouped: QuerySet[Any, Any] = results.values("hero", "coalition_type").annotate(**OF_TOTALS)
    heroes: dict[str, Any] = {}
    types: dict[str, Any] = {}
    for hero, coalition_type, *sums in grouped.values_list("hero", "coalition_type", *OF_TOTALS):
        for name, added in ((hero, heroes), (coalition_type, types)):
            if name:
                added[name] = [*map(add, added.get(name, [0] * len(sums)), sums)]
    return _most_played(heroes), _most_played(types)


def _most_played(added: dict[str, Any]) -> list[Totals]:
    every = [
        Totals(**dict(zip(OF_TOTALS, sums, strict=True)), name=name) for name, sums in added.items()
    ]
    return sorted(every, key=lambda totals: (-totals.sets, totals.name))[:ROWS_MAX]


def totals_by_player(results: QuerySet[SetResult]) -> list[Totals]:
    listed = results.filter(player__is_guest=False)
    named: QuerySet[Any, Any] = listed.values("player_id", name=F("player__name"))
    every = [Totals(**row) for row in named.annotate(**OF_TOTALS)]
    return sorted(every, key=lambda totals: (-totals.sets, sort_key(totals.name)))


def decks(group: Playgroup) -> list[dict[str, Any]]:
    brought: QuerySet[Any, Any] = queries.without_hidden_decks(results_of(group).exclude(deck=None))
    by_deck = brought.values(
        code=F("deck__code"), name=F("deck__name"), ruleset=F("game_set__ruleset")
    )
    rows = list(by_deck.annotate(sets=OF_TOTALS["sets"], sets_won=OF_TOTALS["sets_won"]))
    rows.sort(key=lambda deck: (-deck["sets"], deck["name"], deck["code"]))
    return [deck | {"played_by": RULESETS[deck["ruleset"]].title} for deck in rows[:ROWS_MAX]]
