"""Streaks: how many sets of a format a player had won in a row, after each set."""

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime

from django.db.models import F, Max, OuterRef, Q, QuerySet, Subquery

from ..models import Player, Playgroup, SetFacts, SetResult
from ..rules.formats import keys_of

BATCH = 200


def count(players: Collection[int], format: str, *, since: datetime) -> None:
    results = _of_format(format)
    own = results.filter(player=OuterRef("pk"), finished_at__lt=since)
    last = own.order_by("-finished_at", "-game_set")
    columns = Subquery(last.values("pk")[:1]), Subquery(last.values("streak")[:1])
    before = Player.objects.filter(pk__in=players).values_list("pk", *columns)
    now = {player: streak if result else 0 for player, result, streak in before}
    changed = []
    for result, streak in _counted(results.filter(player__in=players, finished_at__gte=since), now):
        if result.streak != streak:
            result.streak = streak
            changed.append(result)
    SetResult.objects.bulk_update(changed, ["streak"], batch_size=BATCH)
    facts = SetFacts.objects.filter(pk__in={result.game_set_id for result in changed})
    facts.update(streak=_longest())


def _of_format(format: str) -> QuerySet[SetResult]:
    results = SetResult.objects.filter(game_set__ruleset__in=keys_of(format))
    return results.order_by("finished_at", "game_set")


def _counted(
    results: Iterable[SetResult], now: dict[int, int | None]
) -> Iterator[tuple[SetResult, int | None]]:
    """Yield ordered results with their streaks; ``now`` has players' streaks, and is updated.

    A streak is None from a result on that an older version didn't count.
    """
    for result in results:
        assert result.player_id
        before = now.get(result.player_id, 0)
        after = (None if before is None else before + 1) if result.is_won else 0
        now[result.player_id] = after
        yield result, after


def _longest() -> Subquery:
    results = SetResult.objects.filter(game_set=OuterRef("pk")).order_by().values("game_set")
    return Subquery(results.annotate(longest=Max("streak")).values("longest"))


def wrong_facts(playgroup: Playgroup) -> QuerySet[SetFacts]:
    of_set = SetResult.objects.filter(game_set=OuterRef("pk"))
    day = Subquery(of_set.values("played_on")[:1])
    facts = SetFacts.objects.filter(game_set__playgroup=playgroup)
    counted = facts.annotate(day=day, longest=_longest())
    right = Q(playgroup=playgroup, played_on=F("day")) & (
        Q(streak=F("longest")) | Q(streak=None, longest=None)
    )
    return counted.exclude(pk__in=counted.filter(right).values("pk"))


def repair_facts(playgroup: Playgroup) -> None:
    of_set = SetResult.objects.filter(game_set=OuterRef("pk"))
    SetFacts.objects.filter(game_set__playgroup=playgroup).update(
        playgroup=playgroup,
        played_on=Subquery(of_set.values("played_on")[:1]),
        streak=_longest(),
    )


def wrong(playgroup: Playgroup, format: str) -> list[SetResult]:
    """Those that an older version did not count are not wrong. One query."""
    results = _of_format(format).filter(game_set__playgroup=playgroup).select_related("game_set")
    return [
        result
        for result, streak in _counted(results, {})
        if result.streak is not None and result.streak != streak
    ]
