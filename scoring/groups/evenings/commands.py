"""What changes evenings; their only writer. Whatever is refused has written nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from random import Random
from secrets import randbits
from uuid import UUID

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from coalition_site.lib.keys import key_for

from ...models import Attendee, Evening, Place, Player, Playgroup, Round, RoundTable
from ...play import commands
from ...play.errors import GroupRefused
from ...play.seating import get_or_add_player
from ...results import counting
from ...rules import pods
from ...rules.formats import RULESETS
from ...rules.ruleset import Ruleset
from . import queries, standings

ORDERS = 16  # searches of a draw: of 64 people, a third of a second together
BYE = 0  # the table of those without a table


def allowed_sizes(ruleset: Ruleset) -> tuple[int, ...]:
    """Return how many may sit at a table of an evening: as usual, but two only where no more can.

    >>> from scoring.rules.formats import COALITION_906
    >>> allowed_sizes(COALITION_906)
    (3, 4, 5)
    """
    sizes = tuple(size for size in ruleset.players_usual if ruleset.allows(size))
    return tuple(size for size in sizes if size > 2) or sizes


@transaction.atomic
def create_evening(
    group: Playgroup,
    name: str,
    ruleset: Ruleset,
    *,
    rounds: int,
    usual_size: int,
    minutes: int | None = None,
    starts_at: datetime | None = None,
    seed: int | None = None,
) -> Evening:
    """Plan an evening of a playgroup, to which nobody has come yet."""
    counting.lock_group(group.pk)
    if usual_size not in allowed_sizes(ruleset):
        sizes = ", ".join(map(str, allowed_sizes(ruleset)))
        raise GroupRefused(f"Tables of {ruleset.name} have {sizes} players.")
    before = group.evenings.aggregate(number=Max("number"))["number"] or 0
    now = timezone.now()
    return Evening.objects.create(
        playgroup=group,
        number=before + 1,
        name=name,
        ruleset=ruleset.key,
        rounds_planned=rounds,
        usual_size=usual_size,
        minutes=minutes,
        seed=randbits(62) if seed is None else seed,
        starts_at=starts_at or now,
        created_at=now,
    )


@transaction.atomic
def arrive(evening: Evening, names: Iterable[str]) -> None:
    """Note that people are here: from the next round on they get a table.

    Unknown names become players of the playgroup. Whoever left is here again.
    """
    _lock(evening)
    for name in names:
        player = queries.same_person(get_or_add_player(evening.playgroup, name))
        Attendee.objects.update_or_create(evening=evening, player=player, defaults={"here": True})
    _forget_drawn(evening)


@transaction.atomic
def leave(evening: Evening, player: Player) -> None:
    """Note that somebody left; a round that has begun stays as it is."""
    _lock(evening)
    evening.attendees.filter(player=player).update(here=False)
    _forget_drawn(evening)


def _forget_drawn(evening: Evening) -> None:
    """Drop a round that has not begun: other people are here than it was drawn for."""
    evening.rounds.filter(begun_at=None).delete()


@transaction.atomic
def draw_round(evening: Evening) -> Round:
    """Draw the next round, or draw it again, from other chances, if it has not begun.

    :raises GroupRefused: if too few people are here, or the evening is over.
    """
    _lock(evening)
    _check_goes_on(evening)
    drawn = evening.rounds.filter(begun_at=None).first()
    number = drawn.number if drawn else evening.rounds.count() + 1
    draws = drawn.draws + 1 if drawn else 1
    _forget_drawn(evening)
    best = _best_pods(evening, number, draws)
    return _store(evening, number, draws, best)


def _best_pods(evening: Evening, number: int, draws: int) -> pods.Pods:
    people, earlier = standings.to_be_seated(evening), queries.earlier_tables(evening)
    keys = sorted(person.key for person in people)
    chance = Random(f"{evening.seed} {number} {draws}")
    sizes = pods.table_sizes(
        len(people), allowed_sizes(RULESETS[evening.ruleset]), evening.usual_size
    )
    orders = [chance.sample(keys, len(keys)) for _ in range(ORDERS)]
    return pods.draw(people, earlier, sizes, orders)


def _store(evening: Evening, number: int, draws: int, best: pods.Pods) -> Round:
    drawn = Round.objects.create(
        evening=evening,
        number=number,
        draws=draws,
        repeats=best.repeats,
        fewest=best.fewest,
        spread=best.spread,
    )
    seated = [(BYE, best.byes), *enumerate(best.tables, 1)]
    Place.objects.bulk_create(
        Place(round=drawn, player_id=key, table=table, position=position)
        for table, keys in seated
        for position, key in enumerate(keys, 1)
    )
    return drawn


@transaction.atomic
def move(round: Round, player: Player, table: int) -> None:
    """Move somebody to another table of a round that has not begun, or to a bye (table 0).

    :raises GroupRefused: if it has begun, or there is no such table.
    """
    _lock(round.evening)
    _check_not_begun(round)
    place = round.places.filter(player=player).first()
    if place is None:
        raise GroupRefused(f"{player.name} is not in this round. Draw it again.")
    if table != BYE and not round.places.filter(table=table).exists():
        raise GroupRefused("There is no such table in this round.")
    last = round.places.filter(table=table).aggregate(at=Max("position"))["at"] or 0
    round.places.filter(pk=place.pk).update(table=table, position=last + 1)
    Round.objects.filter(pk=round.pk).update(repeats=None, fewest=None, spread=None)


@transaction.atomic
def begin_round(round: Round) -> list[RoundTable]:
    """Seat all tables of a round; each gets its set, with a scorekeeper's link of its own.

    A round that has begun is returned as it is.

    :raises GroupRefused: if a table has too few or too many people, or another round comes first.
    """
    evening = round.evening
    _lock(evening)
    round.refresh_from_db()
    if round.begun_at:
        return list(round.tables.select_related("game_set"))
    _check_goes_on(evening)
    ruleset = RULESETS[evening.ruleset]
    tables = queries.seating(round)
    for number, players in tables.items():
        if not ruleset.allows(len(players)):
            raise GroupRefused(
                f"Table {number} has {len(players)} people, and {ruleset.name} takes "
                f"{ruleset.players_text}. Move somebody."
            )
    Round.objects.filter(pk=round.pk).update(begun_at=timezone.now())
    return [_seat(round, number, players) for number, players in tables.items()]


def _seat(round: Round, number: int, players: Sequence[Player]) -> RoundTable:
    evening = round.evening
    game_set = commands.create_set(
        RULESETS[evening.ruleset],
        [player.name for player in players],
        key=table_key(evening, round.number, number),
        playgroup=evening.playgroup,
    )
    return RoundTable.objects.create(round=round, number=number, game_set=game_set)


def table_key(evening: Evening, round: int, table: int) -> str:
    """Return the scorekeeper's key of a table, as long as nobody gave the table another.

    It comes from the site's secret, so that whoever runs the evening can show the links again.
    """
    return key_for(UUID(int=evening.seed), "evening", str(evening.pk), str(round), str(table))


@transaction.atomic
def undo_round(round: Round) -> None:
    """Take back a drawn round.

    :raises GroupRefused: if it has begun.
    """
    _lock(round.evening)
    _check_not_begun(round)
    round.delete()


@transaction.atomic
def end_evening(evening: Evening) -> None:
    """End an evening; its standings stay open to corrections of its sets."""
    _lock(evening)
    _forget_drawn(evening)
    Evening.objects.filter(pk=evening.pk, ended_at=None).update(ended_at=timezone.now())


@transaction.atomic
def reopen_evening(evening: Evening) -> None:
    """Go on with an evening that was ended."""
    _lock(evening)
    Evening.objects.filter(pk=evening.pk).update(ended_at=None)


def _lock(evening: Evening) -> None:
    counting.lock_group(evening.playgroup_id)
    evening.refresh_from_db()


def _check_goes_on(evening: Evening) -> None:
    if evening.ended_at:
        raise GroupRefused("This evening is over. Reopen it first.")


def _check_not_begun(round: Round) -> None:
    if not Round.objects.filter(pk=round.pk, begun_at=None).exists():
        raise GroupRefused("This round has begun already, or was drawn again. Reload the page.")
