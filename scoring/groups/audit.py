"""Checks of what is counted for a playgroup: whose results are whose, tallies, ratings,
streaks and facts of sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from django.db import transaction

from coalition_site.lib.texts import name_key

from ..models import Playgroup, SetResult, Tally
from ..models.names import fill_keys
from ..models.tallies import SUMS
from ..results import counting, ratings, streaks
from ..rules.formats import FORMATS
from .evenings import audit as evenings

BATCH = 500


def faults(group: Playgroup) -> Iterator[str]:
    """Yield what is wrong with a playgroup, in words.

    Data that can't be read at all is a fault as well, and ends the check of this playgroup.
    """
    try:
        yield from _faults(group)
    except Exception as error:
        yield f"playgroup {group.code}: can't be checked further: {type(error).__name__}: {error}"


def _faults(group: Playgroup) -> Iterator[str]:
    merged = dict(group.players.values_list("pk", "merged_into"))
    for player in merged:
        if merged.get(counting.root(player, merged)):
            yield f"playgroup {group.code}: player {player} is merged in a circle"
    for name, key in group.players.order_by("pk").values_list("name", "key"):
        if key != name_key(name):
            yield f"playgroup {group.code}: the key of {name} is not that of the name"
    results = SetResult.objects.filter(game_set__playgroup=group)
    for player, sat in results.values_list("player", "seat__player").distinct():
        if player != counting.root(sat, merged):
            yield f"playgroup {group.code}: results of player {sat} are counted for {player}"
    for code, day in {(each.game_set.code, each.played_on) for each in counting.misdated(group)}:
        yield f"playgroup {group.code}: set {code} began on {day}, and counts on another day"
    for span, counted in (
        (Tally.Span.DAY, counting.by_day(merged)),
        (Tally.Span.MONTH, counting.summed(Tally.Span.DAY, Tally.Span.MONTH, merged)),
        (Tally.Span.YEAR, counting.summed(Tally.Span.MONTH, Tally.Span.YEAR, merged)),
    ):
        stored = Tally.objects.filter(player__in=merged, span=span)
        if _contents(stored) != _contents(counted):
            yield f"playgroup {group.code}: the tallies of its {span}s are not what its sets give"
    for format in FORMATS:
        if unrated := ratings.wrong(group, format):
            code = unrated[0].code
            yield f"playgroup {group.code}: ratings are not what its sets give, from {code} on"
        if wrong := streaks.wrong(group, format):
            code = wrong[0].game_set.code
            yield f"playgroup {group.code}: streaks are not what its sets give, from {code} on"
    if streaks.wrong_facts(group):
        yield f"playgroup {group.code}: facts of its sets are not what its results give"
    yield from evenings.faults(group)


def is_uncounted(group: Playgroup) -> bool:
    """Return whether an older version counted results, which knew no streaks."""
    return SetResult.objects.filter(player__playgroup=group, streak=None).exists()


def _contents(tallies: Iterable[Tally]) -> Counter[tuple[object, ...]]:
    fields = ("player_id", "starts_on", "ruleset", "size", *SUMS)
    return Counter(tuple(getattr(tally, field) for field in fields) for tally in tallies)


@transaction.atomic
def repair(group: Playgroup) -> None:
    """Count all results of a playgroup again, and store the keys of its players' names."""
    counting.lock_group(group.pk)
    fill_keys(group.players)
    results = SetResult.objects.filter(game_set__playgroup=group)
    SetResult.objects.bulk_update(counting.misdated(group), ["played_on"], batch_size=BATCH)
    Tally.objects.filter(player__playgroup=group).delete()
    days = results.values_list("player", "played_on")
    counting.count({(player, day) for player, day in days if day})
    first = results.order_by("finished_at").first()
    if first:
        players = set(results.values_list("player", flat=True))
        for key, format in FORMATS.items():
            ratings.rate_from(first.finished_at, group.pk, [ruleset.key for ruleset in format])
            streaks.count(players, key, since=first.finished_at)
        streaks.mend_facts(group)
