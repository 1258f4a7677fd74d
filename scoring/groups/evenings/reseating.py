"""Who sits where in a round, until something is recorded at the table."""

from collections.abc import Mapping, Sequence
from secrets import randbits

from django.db import transaction
from django.utils import timezone

from ...models import GameSet, Place, Player, Round
from ...record import commands as table_commands
from ...record import seating
from ...record.errors import GroupRefused
from . import clock, commands, queries
from .queries import BYE, EveningRows

OUT = -1  # instead of a table: no place in the round


@transaction.atomic
def move(round: Round, player: Player, table: int) -> int:
    """Move somebody to another table, to a bye, or out of the round, and return where they were:
    who came after a round had begun was out of it."""
    rows, seated = _lock(round)
    if table not in (*seated, BYE) and not (table == OUT and round.begun_at):
        raise GroupRefused("There is no such table in this round.")
    if not rows.here.get(player.pk) and table != OUT:
        raise GroupRefused(f"{player.name} is not here.")
    places = {rows.person(place.player_id): place.table for place in rows.places_of(round)}
    before = places.get(player, OUT)
    changed = {}
    if before in seated:
        changed[before] = [one for one in seated[before] if one != player]
    if table in seated:
        changed[table] = [*seated[table], player]
    if table != before:
        _seat(rows, round, changed, byes=[player] if table == BYE else (), out=[player])
    return before


@transaction.atomic
def draw_again(round: Round, draws: int) -> None:
    """Draw those tables again where nothing was recorded, with everybody who is here. ``draws`` is
    how often the round had been drawn when somebody asked for that."""
    rows, seated = _lock(round)
    if draws != round.draws:
        return
    tables = rows.tables_of(round)
    open_tables = [number for number, table in tables.items() if rows.is_untouched(table)]
    if not open_tables:
        raise GroupRefused("They play at every table of this round: who sits there stays.")
    playing = [
        player.pk
        for number, people in seated.items()
        if number not in open_tables
        for player in people
    ]
    drawn = commands.draw(rows, round.number, draws + 1, playing)
    numbers = [*open_tables, *range(max(tables) + 1, max(tables) + 1 + len(drawn.tables))]
    people = [[rows.players[key] for key in table] for table in drawn.tables]
    changed = {**dict.fromkeys(open_tables, ()), **dict(zip(numbers, people, strict=False))}
    byes = [rows.players[key] for key in drawn.byes]
    _seat(rows, round, changed, byes=byes)
    Round.objects.filter(pk=round.pk).update(draws=draws + 1)
    if round.evening.minutes:
        clock.follow(round)


@transaction.atomic
def merge(round: Round, table: int, into: int) -> None:
    """Seat everybody of one table at another, which keeps its link."""
    rows, seated = _lock(round)
    if table == into or not {table, into} <= seated.keys():
        raise GroupRefused("There is no such table in this round.")
    _seat(rows, round, {table: (), into: [*seated[into], *seated[table]]})


def _lock(round: Round) -> tuple[EveningRows, dict[int, list[Player]]]:
    evening = round.evening
    commands.lock_tables(GameSet.objects.filter(round_table__round=round), evening)
    commands.check_goes_on(evening)
    if not Round.objects.filter(pk=round.pk).exists():
        raise GroupRefused("This round was paired again meanwhile. Reload the page.")
    round.refresh_from_db(fields=["begun_at", "draws", *clock.FIELDS])
    rows = queries.read_evening(evening)
    commands.check_places(rows, round)
    return rows, {
        number: [rows.players[key] for key in keys] for number, keys in rows.seated(round).items()
    }


def _seat(
    rows: EveningRows,
    round: Round,
    tables: Mapping[int, Sequence[Player]],
    *,
    byes: Sequence[Player] = (),
    out: Sequence[Player] = (),
) -> None:
    # A table that nobody is left at is none of the round. Until the round begins there are only
    # places, and sizes may still be wrong.
    evening, existing = round.evening, rows.tables_of(round)
    moved = {player for people in (*tables.values(), byes, out) for player in people}
    old = [
        place.pk
        for place in rows.places_of(round)
        if place.table in tables or rows.person(place.player_id) in moved
    ]
    round.places.filter(pk__in=old).delete()
    new: dict[int, Sequence[Player]] = {BYE: byes}
    for number, people in tables.items():
        new[number] = people
        if round.begun_at is None:
            continue
        if not people:
            table = existing[number]
            seating.take_back_start(table.game_set)
            table.delete()
            # The next table of this number has the same key.
            table_commands.change_key(table.game_set, None)
            continue
        commands.check_size(evening.rules, number, people)
        if number in existing:
            new[number] = seating.seat_others(existing[number].game_set, people)
        else:
            now = timezone.now()
            commands.seat_table(round, number, people, at=now, seed=randbits(63))
    after = max(round.places.filter(table=BYE).values_list("position", flat=True), default=0)
    Place.objects.bulk_create(
        Place(round=round, player=player, table=number, position=position)
        for number, people in new.items()
        for position, player in enumerate(people, 1 if number else after + 1)
    )
    later = Round.objects.filter(evening=evening, number__gte=round.number)
    later.update(repeats=None, fewest=None, spread=None)
