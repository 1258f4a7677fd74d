"""Checks of what evenings leave behind, for `verify_ledger`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from ...models import Playgroup, Round
from ...rules import pods
from ...rules.formats import RULESETS
from . import queries
from .queries import BYE, EveningRows

Who = Callable[[int], int]  # whose place it counts as


def faults(group: Playgroup) -> Iterator[str]:
    """Yield what is wrong with a playgroup's evenings, in words."""
    for evening in group.evenings.order_by("number"):
        for fault in faults_of(queries.read(evening)):
            yield f"playgroup {group.code}: evening {evening.number}, {fault}"


def faults_of(rows: EveningRows) -> Iterator[str]:
    """Yield what is wrong with an evening."""
    numbers = [each.number for each in rows.rounds]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"rounds are numbered {numbers}"
    for each in rows.rounds:
        for fault in _of_round(rows, each):
            yield f"round {each.number}: {fault}"


def _of_round(rows: EveningRows, round: Round) -> Iterator[str]:
    for person, places in Counter(rows.people(round)).items():
        if places > 1:
            yield f"{person.name} has {places} places"
        if person.pk not in rows.here:
            yield f"{person.name} has a place and never came"
    if round.begun_at:
        yield from _of_tables(rows, round)
    elif rows.tables_of(round):
        yield "it has tables and has not begun"
    if round.repeats is not None:
        yield from _of_draw(rows, round)


def _of_tables(rows: EveningRows, round: Round) -> Iterator[str]:
    """Yield which tables of a round that has begun are not as its places are."""
    seated, tables = rows.seated(round), rows.tables_of(round)
    if seated.keys() != tables.keys():
        yield f"people sit at tables {sorted(seated)}, and sets are at {sorted(tables)}"
    for number, table in tables.items():
        sat = [
            rows.person(one.player).pk for one in rows.sitters if one.game_set == table.game_set_id
        ]
        if table.game_set.playgroup_id != rows.evening.playgroup_id:
            yield f"the set of table {number} is not in the playgroup"
        elif sat != seated.get(number):
            places = _names(rows, seated.get(number, ()))
            yield f"at table {number} sit {_names(rows, sat)}, and the places are of {places}"
        if not RULESETS[rows.evening.ruleset].allows(len(sat)):
            yield f"table {number} has {len(sat)} people"


def _names(rows: EveningRows, people: Iterable[int]) -> str:
    return ", ".join(rows.players[person].name for person in people) or "nobody"


def _of_draw(rows: EveningRows, round: Round) -> Iterator[str]:
    """Yield what is wrong with how a round was drawn.

    Players may have been merged since, or separated: what is right for either is right.
    """

    def merged(player: int) -> int:
        return rows.person(player).pk

    def alone(player: int) -> int:
        return player

    repeats = [_repeats(rows, round, who) for who in (merged, alone)]
    if round.repeats not in repeats:
        yield f"pairs that meet again are {round.repeats}, and should be {repeats[0]}"
    if all(_is_unfair(rows, round, who) for who in (merged, alone)):
        yield "somebody has a bye who had more byes than somebody at a table"


def _before(rows: EveningRows, round: Round) -> list[Round]:
    return [each for each in rows.rounds if each.number < round.number]


def _repeats(rows: EveningRows, round: Round, who: Who) -> int:
    met = pods.meetings(_tables(rows, each, who) for each in _before(rows, round))
    return sum(met[pair] for pair in pods.meetings([_tables(rows, round, who)]))


def _tables(rows: EveningRows, round: Round, who: Who) -> pods.Tables:
    tables: dict[int, list[int]] = {}
    for place in rows.places_of(round):
        if place.table != BYE:
            tables.setdefault(place.table, []).append(who(place.player_id))
    return list(tables.values())


def _is_unfair(rows: EveningRows, round: Round, who: Who) -> bool:
    byes = Counter(
        who(place.player_id)
        for each in _before(rows, round)
        for place in rows.places_of(each)
        if place.table == BYE
    )
    had = [(place.table == BYE, byes[who(place.player_id)]) for place in rows.places_of(round)]
    waits = [count for is_bye, count in had if is_bye]
    sits = [count for is_bye, count in had if not is_bye]
    return bool(waits and sits) and max(waits) > min(sits)
