"""Streaks: how many sets of a format a player had won in a row, after each set."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from functools import reduce
from operator import or_
from typing import NamedTuple

from django.db.models import F, Max, OuterRef, Q, QuerySet, Subquery

from ..models import Player, Playgroup, SetFacts, SetResult
from ..models.results import WON
from ..rules.formats import FORMATS

BATCH = 200


class Stretch(NamedTuple):
    """A player's results to count again, with the streak before them.

    ``key`` is that of the last result before them, None if they are the player's first. A streak is
    None where an older version did not count it. ``stop`` is the time of the first set after them
    that was not won, from which on nothing changes; None if there is none.
    """

    player: int
    key: int | None
    streak: int | None
    stop: datetime | None

    @property
    def before(self) -> int | None:
        return self.streak if self.key else 0


def count(
    players: Collection[int], format: str, *, since: datetime, until: datetime | None = None
) -> None:
    """Count players' streaks again from the sets that finished at ``since`` on.

    After ``until`` only as far as they may differ from before; all if that is None.
    """
    results = _of_format(format)
    stretches = _stretches(results, players, since, until)
    if not stretches:
        return
    ordered = results.filter(reduce(or_, (_within(stretch, since) for stretch in stretches)))
    counted = _counted(ordered, {stretch.player: stretch.before for stretch in stretches})
    changed = []
    for result, streak in counted:
        if result.streak != streak:
            result.streak = streak
            changed.append(result)
    SetResult.objects.bulk_update(changed, ["streak"], batch_size=BATCH)
    _update_facts({result.game_set_id for result in changed})


def _of_format(format: str) -> QuerySet[SetResult]:
    keys = [ruleset.key for ruleset in FORMATS[format]]
    results = SetResult.objects.filter(game_set__ruleset__in=keys)
    return results.order_by("finished_at", "game_set").select_related("game_set")


def _stretches(
    results: QuerySet[SetResult],
    players: Collection[int],
    since: datetime,
    until: datetime | None,
) -> list[Stretch]:
    """Return what must be counted again of each player. One query."""
    own = results.filter(player=OuterRef("pk"))
    before = own.filter(finished_at__lt=since).order_by("-finished_at", "-game_set")
    after = own.filter(~WON, finished_at__gt=until) if until else own.none()
    columns = Subquery(before.values("pk")[:1]), Subquery(before.values("streak")[:1])
    stop = Subquery(after.order_by("finished_at").values("finished_at")[:1])
    rows = Player.objects.filter(pk__in=players)
    return [Stretch(*row) for row in rows.values_list("pk", *columns, stop)]


def _within(stretch: Stretch, since: datetime) -> Q:
    of_player = Q(player=stretch.player, finished_at__gte=since)
    return of_player & Q(finished_at__lte=stretch.stop) if stretch.stop else of_player


def _counted(
    results: Iterable[SetResult], now: dict[int, int | None]
) -> Iterator[tuple[SetResult, int | None]]:
    """Yield ordered results with their streaks; ``now`` has players' streaks, and is updated."""
    for result in results:
        assert result.player_id
        before = now.get(result.player_id, 0)
        after = (None if before is None else before + 1) if result.is_won else 0
        now[result.player_id] = after
        yield result, after


def _update_facts(sets: Collection[int]) -> None:
    """Give sets' facts the longest streak of their results. One statement."""
    SetFacts.objects.filter(pk__in=sets).update(streak=_longest())


def _longest() -> Subquery:
    results = SetResult.objects.filter(game_set=OuterRef("pk")).order_by().values("game_set")
    return Subquery(results.annotate(longest=Max("streak")).values("longest"))


def wrong_facts(playgroup: Playgroup) -> QuerySet[SetFacts]:
    """Select the facts that are not what the results of their sets give."""
    of_set = SetResult.objects.filter(game_set=OuterRef("pk"))
    day = Subquery(of_set.values("played_on")[:1])
    facts = SetFacts.objects.filter(game_set__playgroup=playgroup)
    counted = facts.annotate(day=day, longest=_longest())
    right = Q(playgroup=playgroup, played_on=F("day")) & (
        Q(streak=F("longest")) | Q(streak=None, longest=None)
    )
    return counted.exclude(pk__in=counted.filter(right).values("pk"))


def mend_facts(playgroup: Playgroup) -> None:
    """Write into the facts of a playgroup's sets again what comes from their results."""
    of_set = SetResult.objects.filter(game_set=OuterRef("pk"))
    SetFacts.objects.filter(game_set__playgroup=playgroup).update(
        playgroup=playgroup,
        played_on=Subquery(of_set.values("played_on")[:1]),
        streak=_longest(),
    )


def wrong(playgroup: Playgroup, format: str) -> list[SetResult]:
    """Return the results of a playgroup whose stored streaks are wrong. One query.

    Those that an older version did not count are not wrong.
    """
    results = _of_format(format).filter(game_set__playgroup=playgroup)
    return [
        result
        for result, streak in _counted(results, {})
        if result.streak is not None and result.streak != streak
    ]
