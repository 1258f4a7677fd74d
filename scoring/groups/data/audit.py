"""Checks of a playgroup's record: whose results are whose, what is counted of them, evenings."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from django.db import transaction

from coalition_site.lib.texts import name_key

from ...models import Playgroup, Round, SetResult, Tally
from ...models.names import fill_keys
from ...models.tallies import SUMS
from ...record import counting, ratings, streaks
from ...rules import pods
from ...rules.formats import FORMATS, keys_of
from ..evenings import queries
from ..evenings.queries import EveningRows

BATCH = 500


def faults(group: Playgroup) -> Iterator[str]:
    # Data that can't be read at all is a fault as well, and ends the check of this playgroup.
    try:
        for fault in _faults(group):
            yield f"playgroup {group.code}: {fault}"
    except Exception as error:
        yield f"playgroup {group.code}: can't be checked further: {type(error).__name__}: {error}"


def _faults(group: Playgroup) -> Iterator[str]:
    if str(group.time_zone) != group.zone:
        yield f"there is no time zone {group.zone}: its days are counted in UTC"
    merged = dict(group.players.values_list("pk", "merged_into"))
    for player in merged:
        if merged.get(counting.root(player, merged)):
            yield f"player {player} is merged in a circle"
    for name, key in group.players.order_by("pk").values_list("name", "key"):
        if key != name_key(name):
            yield f"the key of {name} is not that of the name"
    results = SetResult.objects.filter(game_set__playgroup=group)
    for player, sat in results.values_list("player", "seat__player").distinct():
        if player != counting.root(sat, merged):
            yield f"results of player {sat} are counted for {player}"
    for code, day in {(each.game_set.code, each.played_on) for each in counting.misdated(group)}:
        yield f"set {code} began on {day}, and counts on another day"
    for span, counted in (
        (Tally.Span.DAY, counting.by_day(merged)),
        (Tally.Span.MONTH, counting.summed(Tally.Span.DAY, Tally.Span.MONTH, merged)),
        (Tally.Span.YEAR, counting.summed(Tally.Span.MONTH, Tally.Span.YEAR, merged)),
    ):
        stored = Tally.objects.filter(player__in=merged, span=span)
        if _contents(stored) != _contents(counted):
            yield f"the tallies of its {span}s are not what its sets give"
    for format in FORMATS:
        if unrated := ratings.wrong(group, format):
            yield f"ratings are not what its sets give, from {unrated[0].code} on"
        if wrong := streaks.wrong(group, format):
            yield f"streaks are not what its sets give, from {wrong[0].game_set.code} on"
    if streaks.wrong_facts(group):
        yield "facts of its sets are not what its results give"
    for evening in group.evenings.order_by("number"):
        for fault in evening_faults(queries.read_evening(evening)):
            yield f"evening {evening.number}, {fault}"


def is_uncounted(group: Playgroup) -> bool:
    """Return whether an older version counted results, which knew no streaks."""
    return SetResult.objects.filter(player__playgroup=group, streak=None).exists()


def _contents(tallies: Iterable[Tally]) -> Counter[tuple[object, ...]]:
    fields = ("player_id", "starts_on", "ruleset", "size", *SUMS)
    return Counter(tuple(getattr(tally, field) for field in fields) for tally in tallies)


@transaction.atomic
def repair(group: Playgroup) -> None:
    counting.lock_group(group.pk)
    fill_keys(group.players)
    results = SetResult.objects.filter(game_set__playgroup=group)
    SetResult.objects.bulk_update(counting.misdated(group), ["played_on"], batch_size=BATCH)
    Tally.objects.filter(player__playgroup=group).delete()
    days = results.values_list("player", "played_on")
    counting.count_days({(player, day) for player, day in days if day})
    first = results.order_by("finished_at").first()
    if first:
        players = set(results.values_list("player", flat=True))
        for format in FORMATS:
            ratings.rate_from(first.finished_at, group.pk, keys_of(format))
            streaks.count(players, format, since=first.finished_at)
        streaks.repair_facts(group)


# --- evenings ---
def evening_faults(rows: EveningRows) -> Iterator[str]:
    numbers = [each.number for each in rows.rounds]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"rounds are numbered {numbers}"
    for each in rows.rounds:
        for fault in _round_faults(rows, each):
            yield f"round {each.number}: {fault}"


def _round_faults(rows: EveningRows, round: Round) -> Iterator[str]:
    for person, places in Counter(rows.people(round)).items():
        # Whoever was merged since has two until the round is paired again, which it must be.
        if places > 1 and round.begun_at:
            yield f"{person.name} has {places} places"
        if person.pk not in rows.here:
            yield f"{person.name} has a place and never came"
    if round.begun_at:
        yield from _table_faults(rows, round)
    elif rows.tables_of(round):
        yield "it has tables and has not begun"
    if round.repeats is not None:
        # Any of the players who are merged may have been so when the round was paired.
        most, _, sat = _drawn(rows, round)
        least, waited_apart, _ = _drawn(replace(rows, merged=dict.fromkeys(rows.merged)), round)
        if not least <= round.repeats <= most:
            yield f"pairs that meet again are {round.repeats}, and should be {most}"
        if waited_apart > sat:
            yield "somebody has a bye who had more byes than somebody at a table"


def _table_faults(rows: EveningRows, round: Round) -> Iterator[str]:
    seated, tables = rows.seated(round), rows.tables_of(round)
    if seated.keys() != tables.keys():
        yield f"people sit at tables {sorted(seated)}, and sets are at {sorted(tables)}"
    for number, table in tables.items():
        sat = [
            rows.person(one.player).pk
            for one in rows.seated_players
            if one.game_set == table.game_set_id
        ]
        if table.game_set.playgroup_id != rows.evening.playgroup_id:
            yield f"the set of table {number} is not in the playgroup"
        elif sat != seated.get(number):
            places = _names(rows, seated.get(number, ()))
            yield f"at table {number} sit {_names(rows, sat)}, and the places are of {places}"
        if not rows.evening.rules.allows(len(sat)):
            yield f"table {number} has {len(sat)} people"


def _names(rows: EveningRows, people: Iterable[int]) -> str:
    return ", ".join(rows.players[person].name for person in people) or "nobody"


def _drawn(rows: EveningRows, round: Round) -> tuple[int, int, int]:
    """Return how many pairs of a round met before, the most earlier byes of anybody who has one,
    and the fewest of anybody at a table."""
    before = [each for each in rows.rounds if each.number < round.number]
    seated = list(rows.seated(round).values())
    met = pods.meetings(list(rows.seated(each).values()) for each in before)
    repeats = sum(met[pair] for pair in pods.meetings([seated]))
    byes = rows.byes({each.pk for each in before})
    waited = max((byes[person] for person in rows.byes({round.pk})), default=0)
    return repeats, waited, min((byes[one] for table in seated for one in table), default=waited)
