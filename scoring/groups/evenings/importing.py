"""Making the evenings of a playgroup from its document."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from secrets import randbits

from django.utils import timezone

from coalition_site.lib.untrusted import Node

from ...models import Attendee, Evening, GameSet, Place, Player, Playgroup, Round, RoundTable
from ...models.evenings import LARGEST, MINUTES_MAX, ROUNDS_MAX, SMALLEST
from ...rules.formats import RULESETS
from ..document import LAST_TIME, read_name, read_player, read_time
from . import audit, queries
from .queries import BYE

TABLES_MAX = 1000  # of a round, and what else is counted in one
PAIRS_MAX = 1_000_000


@dataclass(frozen=True)
class Known:
    """What the document has beside its evenings: players by name, and sets in order."""

    group: Playgroup
    players: Mapping[str, Player]
    sets: Sequence[GameSet]


def import_evenings(nodes: Iterable[Node], known: Known) -> Iterator[None]:
    """Store evenings, numbered in the order of the document, and yield after each.

    :raises MalformedDocument: if something in one contradicts its sets, or itself.
    """
    seated: set[int] = set()  # sets at tables of evenings so far
    for number, node in enumerate(nodes, 1):
        evening = _import_evening(node, number, known, seated)
        for fault in audit.faults_of(queries.read(evening)):
            raise node.refuse(fault)
        yield


def _import_evening(node: Node, number: int, known: Known, seated: set[int]) -> Evening:
    fields = node.fields(
        "name ruleset rounds_planned usual_size minutes starts_at ended_at people rounds"
    )
    starts_at = read_time(fields["starts_at"], latest=LAST_TIME)
    evening = Evening.objects.create(
        playgroup=known.group,
        number=number,
        name=read_name(fields["name"]),
        ruleset=fields["ruleset"].one_of(_ranked()),
        rounds_planned=fields["rounds_planned"].number(1, ROUNDS_MAX),
        usual_size=fields["usual_size"].number(SMALLEST, LARGEST),
        minutes=_minutes(fields["minutes"]),
        seed=randbits(62),
        starts_at=starts_at,
        ended_at=_moment(fields["ended_at"]),
        created_at=min(starts_at, timezone.now()),
    )
    _import_people(fields["people"], evening, known)
    rounds = fields["rounds"].items(may_be_empty=True)
    if len(rounds) > ROUNDS_MAX:
        raise fields["rounds"].refuse(f"must have at most {ROUNDS_MAX} items")
    for at, round in enumerate(rounds, 1):
        _import_round(round, at, evening, known, seated, is_last=at == len(rounds))
    return evening


def _ranked() -> list[str]:
    return [key for key, ruleset in RULESETS.items() if ruleset.is_ranked]


def _minutes(node: Node) -> int | None:
    return None if node.value is None else node.number(1, MINUTES_MAX)


def _moment(node: Node) -> datetime | None:
    return None if node.value is None else read_time(node)


def _import_people(node: Node, evening: Evening, known: Known) -> None:
    came: dict[Player, bool] = {}
    for item in node.items(may_be_empty=True):
        fields = item.fields("name here")
        player = read_player(fields["name"], known.players)
        if player in came:
            raise fields["name"].refuse("stands here twice")
        came[player] = fields["here"].truth()
    Attendee.objects.bulk_create(
        Attendee(evening=evening, player=player, here=here) for player, here in came.items()
    )


def _import_round(
    node: Node, number: int, evening: Evening, known: Known, seated: set[int], *, is_last: bool
) -> None:
    fields = node.fields("begun_at draws quality byes tables")
    begun_at = _moment(fields["begun_at"])
    if begun_at is None and not is_last:
        raise fields["begun_at"].refuse("must be a time in all rounds but the last")
    repeats, fewest, spread = _quality(fields["quality"])
    round = Round.objects.create(
        evening=evening,
        number=number,
        draws=fields["draws"].number(1, TABLES_MAX),
        repeats=repeats,
        fewest=fewest,
        spread=spread,
        begun_at=begun_at,
    )
    sitting = {BYE: _people(fields["byes"], known)}
    for item in fields["tables"].items(may_be_empty=True):
        table = item.fields("number people set")
        at = table["number"].number(1, TABLES_MAX)
        if at in sitting:
            raise table["number"].refuse("stands here twice")
        sitting[at] = _people(table["people"], known)
        if table["set"].value is not None:
            _import_table(table["set"], round, at, known, seated)
    _check_once(fields["tables"], chain(*sitting.values()))
    Place.objects.bulk_create(_places(round, sitting))


def _quality(node: Node) -> tuple[int | None, int | None, int | None]:
    """Return repeats, the fewest possible, and spread."""
    if node.value is None:
        return None, None, None
    items = node.items()
    if len(items) != 3:
        raise node.refuse("must have 3 items")
    repeats, fewest, spread = (item.number(0, PAIRS_MAX) for item in items)
    if repeats < fewest:
        raise node.refuse("must begin with a number that is not below the second")
    return repeats, fewest, spread


def _people(node: Node, known: Known) -> list[Player]:
    return [read_player(item, known.players) for item in node.items(may_be_empty=True)]


def _check_once(node: Node, players: Iterable[Player]) -> None:
    seen: set[Player] = set()
    for player in players:
        if player in seen:
            raise node.refuse(f"{player.name} has two places in this round")
        seen.add(player)


def _places(round: Round, sitting: Mapping[int, Collection[Player]]) -> Iterator[Place]:
    for table, players in sitting.items():
        for position, player in enumerate(players, 1):
            yield Place(round=round, player=player, table=table, position=position)


def _import_table(node: Node, round: Round, number: int, known: Known, seated: set[int]) -> None:
    at = node.value
    # True is an int too, and a negative place would count from the end.
    is_place = type(at) is int and 0 <= at < len(known.sets)
    game_set = known.sets[at] if is_place else None
    if game_set is None or at in seated or game_set.ruleset != round.evening.ruleset:
        raise node.refuse("must be the place, from 0, of a set of its own, of the same ruleset")
    seated.add(at)
    RoundTable.objects.create(round=round, number=number, game_set=game_set)
