"""What changes evenings. Whatever is refused has written nothing."""

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from random import Random, SystemRandom
from secrets import randbits
from uuid import UUID

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from coalition_site.lib.keys import key_for

from ...models import (
    Evening,
    Game,
    GameSet,
    Place,
    Player,
    Playgroup,
    Round,
    RoundTable,
    Seat,
)
from ...models.evenings import ROUNDS_MAX
from ...record import commands, counting, news, recording, seat_links
from ...record.errors import GroupRefused
from ...record.seating import add_player, find_player, merged_into
from ...rules import pods
from ...rules.ruleset import Ruleset
from ...rules.words import count, series
from . import queries, standings
from .queries import BYE, EveningRows

YEAR = timedelta(days=365)
PLAYED = "A game was started on this evening, so it can’t be cancelled. End it instead."
CHANGED = "A round was begun meanwhile. Reload the page."


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
    tap_id: UUID | None = None,
) -> Evening:
    # A tap that planned one already gets that one.
    counting.lock_group(group.pk)
    planned = group.evenings.filter(tap_id=tap_id).first() if tap_id else None
    if planned:
        return planned
    check_usual_size(ruleset, usual_size)
    before = group.evenings.aggregate(number=Max("number"))["number"] or 0
    now = timezone.now()
    evening = group.evenings.create(
        number=before + 1,
        name=name,
        ruleset=ruleset.key,
        rounds_planned=rounds,
        usual_size=usual_size,
        minutes=minutes,
        seed=randbits(62) if seed is None else seed,
        tap_id=tap_id,
        starts_at=starts_at or now,
        created_at=now,
    )
    news.remind(evening)
    return evening


def check_usual_size(ruleset: Ruleset, usual_size: int) -> None:
    if usual_size not in allowed_sizes(ruleset):
        sizes = series([str(size) for size in allowed_sizes(ruleset)], " or ")
        raise GroupRefused(f"Tables of “{ruleset.title}” have {sizes} players.")


# --- who is here ---
@transaction.atomic
def arrive(evening: Evening, names: Iterable[str], *, as_guests: bool = False) -> None:
    """Note that people are here, by name; unknown names become players of the playgroup."""
    _lock(evening)
    group = evening.playgroup
    players = [
        find_player(group, name) or add_player(group, name, is_guest=as_guests) for name in names
    ]
    come(evening, *players)


@transaction.atomic
def come(evening: Evening, *players: Player) -> None:
    """Note who is here; in a round that has not begun they have a bye until it is paired again."""
    _lock(evening)
    merged = merged_into(evening.playgroup_id)
    people = list(dict.fromkeys(counting.root(player.pk, merged) for player in players))
    for person in people:
        evening.attendees.update_or_create(player_id=person, defaults={"here": True})
    if paired := _paired(evening):
        seated = paired.places.values_list("player", flat=True)
        placed = {counting.root(player, merged) for player in seated}
        late = [person for person in people if person not in placed]
        byes = paired.places.filter(table=BYE)
        first = (byes.aggregate(last=Max("position"))["last"] or 0) + 1
        Place.objects.bulk_create(
            Place(round=paired, player_id=person, table=BYE, position=position)
            for position, person in enumerate(late, first)
        )
        if late:
            _note_changed(paired)


def invite(evening: Evening, *, is_open: bool) -> None:
    """Open a new link by which people say that they come; the one before opens nothing any more."""
    invitation = randbits(31) if is_open else None
    Evening.objects.filter(pk=evening.pk).update(invitation=invitation)


@transaction.atomic
def leave(evening: Evening, player: Player) -> None:
    """Note that somebody left; a round that has begun stays as it is."""
    _lock(evening)
    merged = merged_into(evening.playgroup_id)
    person = counting.root(player.pk, merged)
    same = [key for key in merged if counting.root(key, merged) == person]
    evening.attendees.filter(player__in=same).update(here=False)
    paired = _paired(evening)
    if paired and paired.places.filter(player__in=same).delete()[0]:
        _note_changed(paired)
        if not paired.places.exists():
            paired.delete()


def _paired(evening: Evening) -> Round | None:
    return evening.rounds.filter(begun_at=None).first()


def _note_changed(round: Round) -> None:
    Round.objects.filter(pk=round.pk).update(repeats=None, fewest=None, spread=None, before=None)


# --- rounds ---
@transaction.atomic
def pair_round(evening: Evening, *, after: tuple[int, int] | None = None) -> Round:
    """Pair the next round, or pair it again, from other chances, if it has not begun.

    ``after`` is the round's number and how often it had been paired when somebody asked for that:
    whoever asks twice gets it paired once.
    """
    _lock(evening)
    check_goes_on(evening)
    paired = _paired(evening)
    number = paired.number if paired else evening.rounds.count() + 1
    draws = paired.draws if paired else 0
    latest = paired or evening.rounds.last()
    if after and after != (number, draws) and latest:
        return latest
    if number > ROUNDS_MAX:
        raise GroupRefused(f"An evening has at most {ROUNDS_MAX} rounds.")
    rows = queries.read_evening(evening)
    best = draw(rows, number, draws + 1)
    before = rows.remembered(paired) if paired else None
    if paired:
        paired.delete()
    quality = {"repeats": best.repeats, "fewest": best.fewest, "spread": best.spread}
    paired = evening.rounds.create(number=number, draws=draws + 1, before=before, **quality)
    seated = [(BYE, best.byes), *enumerate(best.tables, 1)]
    Place.objects.bulk_create(
        Place(round=paired, player_id=key, table=table, position=position)
        for table, keys in seated
        for position, key in enumerate(keys, 1)
    )
    return paired


def draw(rows: EveningRows, number: int, draws: int, playing: Container[int] = ()) -> pods.Pods:
    evening = rows.evening
    people = [one for one in standings.to_be_seated(rows, number) if one.key not in playing]
    keys = sorted(person.key for person in people)
    chance = Random(f"{evening.seed} {number} {draws}")
    sizes = pods.table_sizes(len(people), allowed_sizes(evening.rules), evening.usual_size)
    orders = [chance.sample(keys, len(keys)) for _ in range(pods.ORDERS)]
    earlier = [list(rows.seated(each).values()) for each in rows.begun if each.number < number]
    known = queries.count_meetings(keys, since=evening.starts_at - YEAR)
    return pods.best_tables(people, earlier, sizes, orders, known)


@transaction.atomic
def begin_round(
    round: Round,
    *,
    draws: int | None = None,
    at: datetime | None = None,
    dice: Random | None = None,
) -> list[RoundTable]:
    # A round that has begun is returned as it is. ``draws`` is how often it had been paired when
    # somebody asked for that. Only invented evenings bring their ``dice``.
    evening = round.evening
    _lock(evening)
    if begun := Round.objects.filter(pk=round.pk).exclude(begun_at=None).first():
        return list(begun.tables.select_related("game_set"))
    _lock_paired(round, draws)
    check_goes_on(evening)
    now = at or timezone.now()
    tables = check_tables(round)
    Round.objects.filter(pk=round.pk).update(begun_at=now, before=None)
    chance, links = dice or SystemRandom(), links_of(evening)
    seated = [
        seat_table(round, number, players, at=now, seed=chance.getrandbits(63))
        for number, players in tables.items()
    ]
    carry_links(round, links)
    return seated


def links_of(evening: Evening) -> dict[int, str]:
    """Return by player the seat links of an evening: each is one for all its rounds."""
    sat = Seat.objects.filter(game_set__round_table__round__evening=evening)
    return seat_links.links_by("player", sat)


def carry_links(round: Round, links: Mapping[int, str]) -> None:
    seats = Seat.objects.filter(game_set__round_table__round=round).values_list("pk", "player")
    seat_links.carry_on({seat: links.get(player or 0) for seat, player in seats})


def seat_table(
    round: Round, number: int, players: Sequence[Player], *, at: datetime, seed: int
) -> RoundTable:
    evening = round.evening
    game_set = commands.create_set(
        evening.rules,
        [player.name for player in players],
        key=table_key(evening, round.number, number),
        seed=seed,
        at=at,
        playgroup=evening.playgroup,
    )
    if evening.minutes:
        commands.set_clock(game_set, evening.minutes)
    return round.tables.create(number=number, game_set=game_set)


def check_tables(round: Round) -> dict[int, list[Player]]:
    """:raises GroupRefused: if the round can't begin like that."""
    rows, ruleset = queries.read_evening(round.evening), round.evening.rules
    check_places(rows, round)
    tables = {number: people for number, people in rows.sitting(round).items() if number != BYE}
    if not tables:
        raise GroupRefused("Nobody sits at a table. Pair the round again.")
    for number, players in tables.items():
        check_size(ruleset, number, players)
    return tables


def check_places(rows: EveningRows, round: Round) -> None:
    for player, places in Counter(rows.people(round)).items():
        if places > 1:  # players who turned out to be the same person after the round was paired
            raise GroupRefused(f"{player.name} has two places in this round. Pair it again.")


def check_size(ruleset: Ruleset, table: int, players: Sequence[Player]) -> None:
    if not ruleset.allows(len(players)):
        people = count(len(players), "person", "people")
        raise GroupRefused(
            f"Table {table} has {people}, and {ruleset.title} takes {ruleset.players_text}. "
            "Move somebody, or pair the round again."
        )


def table_key(evening: Evening, round: int, table: int) -> str:
    """Return the scorekeeper's key of a table, as long as nobody gave the table another."""
    # It comes from the site's secret, so that whoever runs the evening can show the links again.
    return key_for(UUID(int=evening.seed), "evening", str(evening.pk), str(round), str(table))


@transaction.atomic
def undo_round(round: Round, draws: int | None = None) -> None:
    _lock_paired(round, draws)
    round.delete()


# --- its end ---
@transaction.atomic
def end_evening(evening: Evening, *, is_sure: bool = True) -> None:
    """End an evening; its standings follow later corrections of its sets. While tables play it
    ends only if whoever ends it ``is_sure``."""
    _lock(evening)
    playing = GameSet.objects.filter(round_table__round__evening=evening, finished_at=None)
    if not is_sure and not evening.ended_at and (tables := playing.count()):
        raise GroupRefused(
            f"{count(tables, 'table is', 'tables are')} not finished. Unfold “End the evening” "
            "below if it is to end all the same."
        )
    if paired := _paired(evening):
        paired.delete()
    running = Evening.objects.filter(pk=evening.pk, ended_at=None)
    if running.update(ended_at=timezone.now()):
        news.announce_end(evening)


@transaction.atomic
def reopen_evening(evening: Evening) -> None:
    _lock(evening)
    over = Evening.objects.filter(pk=evening.pk, ended_at__isnull=False)
    if over.update(ended_at=None):
        news.remind(evening)


@transaction.atomic
def cancel_evening(evening: Evening) -> None:
    """Delete an evening; tables that were seated stay in the playgroup, and as private as it is."""
    seated = lock_tables(GameSet.objects.filter(round_table__round__evening=evening), evening)
    if Game.objects.filter(game_set__in=seated, taken_back=False).exists():
        raise GroupRefused(PLAYED)
    news.withdraw(evening, news.EVENING, news.REMINDER)
    # Triggers tell open pages of an update; once the row is gone, they can't find its playgroup.
    Evening.objects.filter(pk=evening.pk).update(ended_at=timezone.now())
    evening.delete()


def lock_tables(tables: QuerySet[GameSet], evening: Evening) -> list[GameSet]:
    """Lock tables of an evening, and then its playgroup: nobody starts a game there meanwhile."""
    seated = list(tables.order_by("pk"))
    for game_set in seated:
        recording.lock(game_set)
    _lock(evening)
    if seated != list(tables.order_by("pk")):
        raise GroupRefused(CHANGED)
    return seated


def _lock(evening: Evening) -> None:
    counting.lock_group(evening.playgroup_id)
    try:
        evening.refresh_from_db()
    except Evening.DoesNotExist as error:
        raise GroupRefused("This evening was cancelled.") from error


def _lock_paired(round: Round, draws: int | None = None) -> None:
    _lock(round.evening)
    paired = Round.objects.filter(pk=round.pk, begun_at=None).first()
    if paired is None or draws not in (None, paired.draws):
        raise GroupRefused("This round has begun already, or was paired again. Reload the page.")


def check_goes_on(evening: Evening) -> None:
    if evening.ended_at:
        raise GroupRefused("This evening is over. Reopen it first.")
