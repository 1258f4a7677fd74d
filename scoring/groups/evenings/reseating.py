"""Who sits where in a round, until something is recorded at the table. The last change is undone
by a tap."""

from collections.abc import Sequence
from secrets import randbits

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from ...models import GameSet, Place, Player, Round
from ...record import commands as table_commands
from ...record import seating
from ...record.errors import GroupRefused
from . import clock, commands, queries
from .queries import BYE, EveningRows

OUT = -1  # instead of a table: no place in the round
NO_TABLE = "There is no such table in this round."
Seating = dict[int, list[Player]]  # by table, those with a bye as well


@transaction.atomic
def move(round: Round, player: Player, table: int) -> None:
    """Move somebody to another table, to a bye, or out of the round: who came after a round had
    begun was out of it."""
    rows, seated = _lock(round)
    if table not in seated and not (table == OUT and round.begun_at):
        raise GroupRefused(NO_TABLE)
    if not rows.here.get(player.pk) and table != OUT:
        raise GroupRefused(f"{player.name} is not here.")
    if player in seated.get(table, ()):
        return
    after = {number: [one for one in people if one != player] for number, people in seated.items()}
    if table != OUT:
        after[table].append(player)
    _seat(rows, round, seated, after)


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
    kept = {n: people for n, people in seated.items() if n not in (BYE, *open_tables)}
    playing = [player.pk for people in kept.values() for player in people]
    drawn = commands.draw(rows, round.number, draws + 1, playing)
    numbers = [BYE, *open_tables, *range(max(tables) + 1, max(tables) + 1 + len(drawn.tables))]
    people = [[rows.players[key] for key in keys] for keys in (drawn.byes, *drawn.tables)]
    _seat(rows, round, seated, kept | dict(zip(numbers, people, strict=False)))
    Round.objects.filter(pk=round.pk).update(draws=draws + 1)


@transaction.atomic
def merge(round: Round, table: int, into: int) -> None:
    """Seat everybody of one table at another, which keeps its link."""
    rows, seated = _lock(round)
    after = {number: people for number, people in seated.items() if number != table}
    if BYE in (table, into) or table not in seated or into not in after:
        raise GroupRefused(NO_TABLE)
    _seat(rows, round, seated, {**after, into: [*seated[into], *seated[table]]})


@transaction.atomic
def split(round: Round, table: int, size: int) -> None:
    rows, seated = _lock(round)
    if table == BYE or table not in seated:
        raise GroupRefused(NO_TABLE)
    if size != len(seated[table]):  # somebody else has split it meanwhile
        return
    people, stay = seated[table], (len(seated[table]) + 1) // 2
    halves = {table: people[:stay], max(seated) + 1: people[stay:]}
    _seat(rows, round, seated, seated | halves)


@transaction.atomic
def undo(round: Round, before: str) -> None:
    """Undo the last change, if it is the one ``before`` which they sat like that."""
    rows, seated = _lock(round)
    if round.before is None:
        return
    if str(round.before) != before:
        raise GroupRefused("The seating was changed again meanwhile. Reload the page.")
    sat = {table: [rows.person(key) for key in keys] for table, _, keys in round.before}
    _seat(rows, round, seated, sat)
    Round.objects.filter(pk=round.pk).update(before=None)


def moved_last(rows: EveningRows, round: Round) -> list[Player]:
    """Return whom an undo of the last change would move; nobody once they play there."""
    sat = {rows.person(key): table for table, _, keys in round.before or () for key in keys}
    if not sat:
        return []
    sit = {player: table for table, people in rows.sitting(round).items() for player in people}
    moved = [player for player in {**sat, **sit} if sat.get(player) != sit.get(player)]
    tables = {at.get(player) for at in (sat, sit) for player in moved}
    playing = [
        number
        for number, table in rows.tables_of(round).items()
        if number in tables and not rows.is_untouched(table)
    ]
    return [] if playing else moved


def _lock(round: Round) -> tuple[EveningRows, Seating]:
    evening = round.evening
    was_there = [game_set for _, game_set, _ in round.before or ()]
    tables = GameSet.objects.filter(Q(round_table__round=round) | Q(pk__in=was_there))
    commands.lock_tables(tables, evening)
    commands.check_goes_on(evening)
    if not Round.objects.filter(pk=round.pk).exists():
        raise GroupRefused("This round was paired again meanwhile. Reload the page.")
    round.refresh_from_db(fields=["begun_at", "draws", "before", *clock.FIELDS])
    rows = queries.read_evening(evening)
    commands.check_places(rows, round)
    return rows, {BYE: [], **rows.sitting(round)}


def _seat(rows: EveningRows, round: Round, seated: Seating, after: Seating) -> None:
    # Until the round begins there are only places, and sizes may still be wrong.
    changed = [
        number
        for number in sorted({*seated, *after})
        if seated.get(number, []) != after.get(number, [])
    ]
    links = commands.links_of(round.evening)
    round.places.filter(table__in=changed).delete()
    for number in changed:
        people: Sequence[Player] = after.get(number, [])
        if number != BYE and round.begun_at:
            people = _seat_table(round, number, people)
        Place.objects.bulk_create(
            Place(round=round, player=player, table=number, position=position)
            for position, player in enumerate(people, 1)
        )
    commands.carry_links(round, links)
    if round.begun_at and round.evening.minutes:
        clock.follow(round)
    Round.objects.filter(pk=round.pk).update(before=rows.remembered(round))
    later = Round.objects.filter(evening=round.evening, number__gte=round.number)
    later.update(repeats=None, fewest=None, spread=None)


def _seat_table(round: Round, number: int, people: Sequence[Player]) -> Sequence[Player]:
    # A table that nobody is left at is none of the round. Undone, it is the one that it was.
    table = round.tables.filter(number=number).select_related("game_set").first()
    if table and not people:
        seating.take_back_start(table.game_set)
        table.delete()
        # The next table of this number has the same key.
        table_commands.change_key(table.game_set, None)
        return ()
    commands.check_size(round.evening.rules, number, people)
    if table:
        return seating.seat_others(table.game_set, people)
    was_there = [game_set for at, game_set, _ in round.before or () if at == number]
    left = round.evening.playgroup.sets.filter(pk__in=was_there, round_table=None).first()
    if left:
        round.tables.create(number=number, game_set=left)
        table_commands.change_key(left, commands.table_key(round.evening, round.number, number))
        return seating.seat_others(left, people)
    commands.seat_table(round, number, people, at=timezone.now(), seed=randbits(63))
    return people
