"""Making the evenings of a playgroup from its document."""

from collections.abc import Iterator
from datetime import datetime
from secrets import randbits

from django.utils import timezone

from coalition_site.lib.untrusted import Node

from ...models import Attendee, Evening, Place, Player, RoundTable
from ...models.evenings import LARGEST, MINUTES_MAX, ROUNDS_MAX, SMALLEST
from ...rules.formats import RULESETS
from ..evenings import queries
from ..evenings.queries import BYE
from .audit import evening_faults
from .document import LAST_TIME, Known, read_items, read_name, read_optional, read_player, read_time

TABLES_MAX = 1000  # of a round, and what else is counted in one
PAIRS_MAX = 1_000_000
NO_SET = "must be the place, from 0, of a set of its own, of the same ruleset"
SECONDS_MAX = 2**31 - 1


def import_evening(node: Node, number: int, known: Known) -> Iterator[None]:
    """:raises MalformedDocument: if something in it contradicts its sets, or itself."""
    fields = node.fields(
        "name ruleset rounds_planned usual_size minutes starts_at ended_at people rounds"
    )
    starts_at = read_time(fields["starts_at"], latest=LAST_TIME)
    ranked = [key for key, ruleset in RULESETS.items() if ruleset.is_ranked]
    evening = Evening.objects.create(
        playgroup=known.group,
        number=number,
        name=read_name(fields["name"]),
        ruleset=fields["ruleset"].one_of(ranked),
        rounds_planned=fields["rounds_planned"].number(1, ROUNDS_MAX),
        usual_size=fields["usual_size"].number(SMALLEST, LARGEST),
        minutes=read_optional(fields["minutes"], lambda field: field.number(1, MINUTES_MAX)),
        seed=randbits(62),
        starts_at=starts_at,
        ended_at=read_optional(fields["ended_at"], read_time),
        created_at=min(starts_at, timezone.now()),
    )
    _import_people(fields["people"], evening, known)
    rounds = fields["rounds"].items(may_be_empty=True)
    if len(rounds) > ROUNDS_MAX:
        raise fields["rounds"].refuse(f"must have at most {ROUNDS_MAX} items")
    for at, round in enumerate(rounds, 1):
        begun_at = _import_round(round, at, evening, known)
        if begun_at is None and at < len(rounds):
            raise round.field("begun_at").refuse("must be a time in all rounds but the last")
    for fault in evening_faults(queries.read_evening(evening)):
        raise node.refuse(fault)
    yield


def _import_people(node: Node, evening: Evening, known: Known) -> None:
    came: dict[Player, bool] = {}
    for item in node.items(may_be_empty=True):
        fields = item.fields("name here")
        player = read_player(fields["name"], known.players)
        if player in came:
            raise fields["name"].refuse("appears twice")
        came[player] = fields["here"].truth()
    Attendee.objects.bulk_create(
        Attendee(evening=evening, player=player, here=here) for player, here in came.items()
    )


def _import_round(node: Node, number: int, evening: Evening, known: Known) -> datetime | None:
    fields = node.fields("begun_at draws quality byes tables", "clock")
    round = evening.rounds.create(
        number=number,
        draws=fields["draws"].number(1, TABLES_MAX),
        begun_at=read_optional(fields["begun_at"], read_time),
        **read_optional(fields["quality"], _quality) or {},
    )
    if round.begun_at and "clock" in fields:
        clock = fields["clock"].fields("added paused_at stopped")
        round.clock_added = clock["added"].number(-SECONDS_MAX, SECONDS_MAX)
        round.paused_at = read_optional(clock["paused_at"], read_time)
        round.clock_stopped = clock["stopped"].truth()
        round.save()
    sitting = {BYE: _people(fields["byes"], known)}
    for item in fields["tables"].items(may_be_empty=True):
        table = item.fields("number people set")
        at = table["number"].number(1, TABLES_MAX)
        if at in sitting:
            raise table["number"].refuse("appears twice")
        sitting[at] = _people(table["people"], known)
        if table["set"].value is not None:
            game_set = known.set_at(table["set"])
            is_taken = RoundTable.objects.filter(game_set=game_set).exists()
            if game_set is None or is_taken or game_set.ruleset != evening.ruleset:
                raise table["set"].refuse(NO_SET)
            round.tables.create(number=at, game_set=game_set)
    places: dict[Player, Place] = {}
    for at, players in sitting.items():
        for position, player in enumerate(players, 1):
            if player in places:
                raise fields["tables"].refuse(f"{player.name} has two places in this round")
            places[player] = Place(round=round, player=player, table=at, position=position)
    Place.objects.bulk_create(places.values())
    return round.begun_at


def _quality(node: Node) -> dict[str, int]:
    repeats, fewest, spread = (item.number(0, PAIRS_MAX) for item in read_items(node, 3))
    if repeats < fewest:
        raise node.refuse("must begin with a number that is not below the second")
    return {"repeats": repeats, "fewest": fewest, "spread": spread}


def _people(node: Node, known: Known) -> list[Player]:
    return [read_player(item, known.players) for item in node.items(may_be_empty=True)]
