"""Records: the most remarkable sets of a playgroup, of some days and of all time."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cache, reduce
from operator import or_
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet, Subquery

from coalition_site.lib.prepared import Parameter, PreparedSelect

from ...models import GameSet, Playgroup, SetFacts, SetResult
from ...rules.formats import keys_of
from ..board.leaderboard import Filters

LATEST = 5  # sets
FEW = 100  # sets of which all are read
# What records are of: fields of facts. The least is the record where the name starts with "-".
KINDS = ("highest", "streak", "best_turn", "-margin", "minutes")

# Logs and reports of decks are not loaded.
READ = (
    *("rank", "victory_points", "games_won", "games_played", "finished_at", "played_on", "hero"),
    *("streak", "best_turn", "player__name", "game_set__code", "game_set__ruleset"),
    *("game_set__facts__played_on", "game_set__facts__conceded", "game_set__facts__highest"),
    *("game_set__facts__margin", "game_set__facts__best_turn", "game_set__facts__best_turn_game"),
    *("game_set__facts__minutes", "game_set__facts__minutes_game", "game_set__facts__streak"),
)


class FinishedSet(NamedTuple):
    """A set with its results by rank; ``facts`` are None where an older version finished it."""

    game_set: GameSet
    results: Sequence[SetResult]
    facts: SetFacts | None


class Remarkable(NamedTuple):
    """The latest sets, the last one first, records by kind: of the days, and of all time, and the
    last day of play."""

    # A record that several sets share is that of the latest.

    latest: Sequence[FinishedSet]
    of_days: Mapping[str, FinishedSet]
    of_all: Mapping[str, FinishedSet]
    last_day: date | None


def remarkable(playgroup: Playgroup, filters: Filters) -> Remarkable:
    """Return the latest sets and the records of a format. One query, by indexes, or two."""
    first, last = filters.first or date.min, filters.last or date.max
    if filters.first or filters.last:
        facts = SetFacts.objects.filter(playgroup=playgroup, format=filters.format)
        few = facts.filter(played_on__range=(first, last))[: FEW + 1].count() <= FEW
        results = _of_days(filters.format, few).all(playgroup.pk, first, last)
    else:
        results = _of_all(filters.format).all(playgroup.pk)
    finished = _by_set(results)
    finished.sort(key=lambda each: (each.results[0].finished_at, each.game_set.pk), reverse=True)
    counted = [each for each in finished if each.facts]
    in_days = [each for each in counted if first <= (each.results[0].played_on or first) <= last]
    days = filter(None, (each.results[0].played_on for each in finished))
    last_day = max(days, default=None)
    return Remarkable(finished[:LATEST], _best(in_days), _best(counted), last_day)


def best_of(game_sets: Iterable[GameSet]) -> Mapping[str, FinishedSet]:
    """Return the records of some sets alone, which no streak is."""
    results = SetResult.objects.filter(game_set__in=game_sets)
    read = results.select_related("game_set__facts", "player").only(*READ)
    best = _best(each for each in _by_set(read) if each.facts)
    best.pop("streak", None)
    return best


def _by_set(results: Iterable[SetResult]) -> list[FinishedSet]:
    by_set: dict[GameSet, list[SetResult]] = {}
    for result in sorted(results, key=lambda result: (result.rank, result.pk)):
        by_set.setdefault(result.game_set, []).append(result)
    return [
        FinishedSet(game_set, of_set, getattr(game_set, "facts", None))
        for game_set, of_set in by_set.items()
    ]


@cache
def _of_all(format: str) -> PreparedSelect[SetResult]:
    return PreparedSelect(lambda group: _select(format, group))


@cache
def _of_days(format: str, few: bool) -> PreparedSelect[SetResult]:
    def build(group: Parameter, first: Parameter, last: Parameter) -> QuerySet[SetResult]:
        if few:
            return _select(format, group, Q(played_on__range=(first, last)))
        # Among many sets one of the highest is soon one of these days. SQLite would always read
        # all of the days, so the condition is one that no index helps with.
        return _select(format, group, ~(Q(played_on__lt=first) | Q(played_on__gt=last)))

    return PreparedSelect(build)


def _select(format: str, group: Parameter, days: Q | None = None) -> QuerySet[SetResult]:
    ended = GameSet.objects.filter(
        playgroup=group, finished_at__isnull=False, ruleset__in=keys_of(format)
    )
    latest = ended.order_by("-finished_at", "-pk").values("pk")
    facts = SetFacts.objects.filter(playgroup=group, format=format)
    # Each is one set, which the database looks up first: of a list it would read all results.
    chosen: list[QuerySet[Any, Any]] = [latest[place : place + 1] for place in range(LATEST)]
    chosen += [_first(facts, kind) for kind in KINDS]
    # The latest may all have been entered long after they were played.
    chosen.append(facts.order_by("-played_on").values("pk")[:1])
    if days:
        chosen += [_first(facts.filter(days), kind) for kind in KINDS]
    results = SetResult.objects.select_related("game_set__facts", "player").only(*READ)
    return results.filter(reduce(or_, (Q(game_set=Subquery(one)) for one in chosen)))


def _first(facts: QuerySet[SetFacts], kind: str) -> QuerySet[SetFacts, Any]:
    field = kind.removeprefix("-")
    order = field if kind.startswith("-") else f"-{field}"
    return facts.filter(**{f"{field}__gt": 0}).order_by(order, "-pk").values("pk")[:1]


def _best(sets: Iterable[FinishedSet]) -> dict[str, FinishedSet]:
    best: dict[str, tuple[tuple[int, int], FinishedSet]] = {}
    for each in sets:
        for kind in KINDS:
            value = getattr(each.facts, kind.removeprefix("-"))
            if not value:
                continue
            mark = (-value if kind.startswith("-") else value, each.game_set.pk)
            if kind not in best or mark > best[kind][0]:
                best[kind] = mark, each
    return {kind.removeprefix("-"): each for kind, (_, each) in best.items()}


def holders(best: FinishedSet, field: str) -> list[SetResult]:
    assert best.facts
    results = [result for result in best.results if result.player]
    if field == "minutes":
        return results
    if field == "margin":
        return results[:2]
    value = getattr(best.facts, field)
    of_result = "victory_points" if field == "highest" else field
    return [result for result in results if getattr(result, of_result) == value]
