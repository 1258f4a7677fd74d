"""A round that has begun: until something is recorded at a table, others sit down there."""

from itertools import chain

import pytest

from scoring import access
from scoring.groups.data import audit
from scoring.groups.evenings import commands, queries, reseating
from scoring.groups.evenings.clock import Change, change_clock
from scoring.groups.evenings.queries import BYE
from scoring.groups.evenings.reseating import OUT
from scoring.models import Evening, GameSet, Round, Seat
from scoring.record import commands as play
from scoring.record import seating
from scoring.record.audit import faults
from scoring.record.errors import GroupRefused
from scoring.rules.corrections import Undo
from scoring.rules.moves import Draw
from tests.scoring.grouped import group, play_one_game
from tests.scoring.rules.play import hit
from tests.scoring.tables import record, unchanged

from ..visitors import player
from .pages import NINE, night

pytestmark = pytest.mark.django_db


@pytest.fixture
def round() -> Round:
    """Three tables of three that nobody has begun to play at."""
    round = commands.pair_round(night(group("Friday")))
    commands.begin_round(round)
    return round


def tables(round: Round) -> dict[int, list[str]]:
    """Return the names at the tables of a round, as the record and the evening have them."""
    tables = round.tables.order_by("number").select_related("game_set")
    names = {table.number: list(table.game_set.names.values()) for table in tables}
    rows = queries.read_evening(round.evening)
    places = {
        number: [rows.players[key].name for key in keys]
        for number, keys in rows.seated(round).items()
    }
    assert names == places
    assert [*audit.faults(round.evening.playgroup)] == []
    assert [fault for table in tables for fault in faults(table.game_set)] == []
    return names


def of(round: Round, name: str):
    return player(round.evening.playgroup, name)


def byes(round: Round) -> list[str]:
    return [place.player.name for place in round.places.filter(table=BYE)]


def test_who_comes_late_sits_down_last_and_nobody_else_moves(round):
    """Decks and the links of seats stay, and what had only started has to start again."""
    before = tables(round)
    table = round.tables.get(number=2).game_set
    Seat.objects.filter(game_set=table, number=2).update(hero="Krenko, Mob Boss")
    play.change_seat_key(table, 2, "the-key-of-seat-2")
    play.start_game(table, 1, first=1)
    commands.arrive(round.evening, ["Jo"])

    reseating.move(round, of(round, "Jo"), 2)

    assert tables(round) == before | {2: [*before[2], "Jo"]}
    table.refresh_from_db()
    assert table.heroes == {"2": ["Krenko, Mob Boss", ""]}
    assert Seat.objects.get(game_set=table, number=2).link
    assert not table.games.filter(taken_back=False).exists()
    play.start_game(table, 1, first=4)
    record(table, hit(4, 1, 3))
    assert tables(round)[2][3] == "Jo"


def test_a_players_link_goes_along_to_another_table_and_to_the_next_round(round):
    table = round.tables.get(number=1).game_set
    name = table.names[2]
    play.change_seat_key(table, 2, "the-key-of-a-seat")

    def linked() -> list[tuple[int, int, str]]:
        seats = Seat.objects.exclude(link=None).order_by("pk")
        where = "game_set__round_table__round__number", "game_set__round_table__number", "name"
        return list(seats.values_list(*where))

    reseating.move(round, of(round, name), 2)
    assert linked() == [(1, 2, name)]
    for number in (1, 2, 3):
        if number != 1:  # two are left there, who leave
            play_one_game(round.tables.get(number=number).game_set)
        else:
            reseating.merge(round, 1, 3)
    second = commands.pair_round(round.evening)
    commands.begin_round(second)

    [at] = [number for number, names in tables(second).items() if name in names]
    assert linked() == [(1, 2, name), (2, at, name)]


def test_who_was_taken_out_is_not_sought_where_the_others_play_again(round):
    """The game that had started with them all is taken back."""
    table = round.tables.get(number=2).game_set
    *stay, leaver = tables(round)[2]
    play.start_game(table, 1, first=3)
    reseating.move(round, of(round, leaver), OUT)

    assert [*seating.seats_for_rematch(GameSet.objects.get(pk=table.pk)).values()] == stay


@pytest.mark.parametrize(
    "change",
    [
        lambda round: reseating.move(round, of(round, "Ann"), 1),
        lambda round: reseating.move(round, of(round, "Ann"), BYE),
        lambda round: reseating.move(round, of(round, "Jo"), 3),
        lambda round: reseating.move(round, of(round, "Ann"), OUT),
        lambda round: reseating.draw_again(round, draws=1),
        lambda round: reseating.merge(round, 3, 2),
        lambda round: reseating.split(round, 1, 4),
    ],
    ids="moved bye late out again merged split".split(),
)
def test_each_change_is_undone_by_a_tap_and_a_table_that_was_gone_is_the_same_again(round, change):
    """Phones that kept its score keep it again."""
    commands.arrive(round.evening, ["Jo", "Kim"])
    reseating.move(round, of(round, "Kim"), 1)
    reseating.move(round, of(round, tables(round)[2][0]), OUT)
    sat, bye = people(round), byes(round)
    sets = list(round.tables.values_list("number", "game_set"))
    change(round)
    assert people(round) != sat

    for _ in range(2):
        reseating.undo(round, str(round.before))

    assert (people(round), byes(round)) == (sat, bye)
    assert list(round.tables.values_list("number", "game_set")) == sets
    for table in round.tables.all():
        key = commands.table_key(round.evening, 1, table.number)
        assert access.opens(key, table.game_set)


def people(round: Round) -> dict[int, set[str]]:
    round.refresh_from_db(fields=["before"])
    return {number: set(names) for number, names in tables(round).items()}


def test_a_round_that_was_paired_again_is_undone_too(round):
    """Only while it is the last change, and nobody came or left since."""
    second = commands.pair_round(round.evening)
    drawn = sorted(second.places.values_list("table", "player"))
    again = commands.pair_round(round.evening)
    again.refresh_from_db()
    assert sorted(again.places.values_list("table", "player")) != drawn
    with unchanged(), pytest.raises(GroupRefused, match="The seating was changed again"):
        reseating.undo(again, "[]")

    reseating.undo(again, str(again.before))

    assert sorted(again.places.values_list("table", "player")) == drawn
    assert Round.objects.get(pk=again.pk).before is None
    for change in (
        lambda: commands.arrive(round.evening, ["Jo"]),
        lambda: commands.begin_round(again),
    ):
        reseating.move(again, of(round, "Ann"), BYE)
        reseating.move(again, of(round, "Ann"), 1)
        assert Round.objects.get(pk=again.pk).before
        change()
        assert Round.objects.get(pk=again.pk).before is None


def test_a_table_stays_from_its_first_event_on_even_if_that_is_undone(round):
    before = tables(round)
    first = round.tables.get(number=1).game_set
    play.start_game(first, 1, first=1)
    record(first, hit(1, 2, 3), Undo())
    name = before[1][0]

    for who, to in ((name, 2), (before[2][0], 1), (name, OUT)):
        with unchanged(), pytest.raises(GroupRefused, match="have begun to play: who sits at"):
            reseating.move(round, of(round, who), to)


@pytest.mark.parametrize(
    ("name", "to", "wrong"),
    [
        ("Jo", 4, "There is no such table in this round"),
        ("Kim", 1, "Kim is not here"),
        ("Jo", 1, "Jo sits here twice"),
    ],
)
def test_what_makes_no_seating_is_refused_with_the_reason(round, name, to, wrong):
    commands.arrive(round.evening, ["Jo", "Kim"])
    commands.leave(round.evening, of(round, "Kim"))
    Seat.objects.filter(game_set__round_table__number=1, number=1).update(name="jo")

    with unchanged(), pytest.raises(GroupRefused, match=wrong):
        reseating.move(round, of(round, name), to)


def test_tables_are_drawn_again_with_who_came_late_beside_those_that_play(round):
    before = tables(round)
    first = round.tables.get(number=1).game_set
    play.start_game(first, 1, first=1)
    record(first, hit(1, 2, 3))
    commands.arrive(round.evening, ["Jo", "Kim", "Lu"])

    reseating.draw_again(round, draws=1)
    with unchanged():
        reseating.draw_again(round, draws=1)

    drawn = tables(round)
    assert sorted(chain(*drawn.values())) == [*NINE, "Jo", "Kim", "Lu"]
    assert (drawn[1], {len(table) for table in drawn.values()}) == (before[1], {3})
    assert (sorted(drawn), Round.objects.get().draws) == ([1, 2, 3, 4], 2)


def test_a_table_that_is_drawn_away_is_none_of_the_round_and_its_key_is_that_of_the_next(round):
    """The next has the clock of the round, as it is by then."""
    Evening.objects.update(minutes=50)
    change_clock(round, Change.LONGER)
    table = round.tables.get(number=3).game_set
    for name in tables(round)[3]:
        commands.leave(round.evening, of(round, name))

    reseating.draw_again(round, draws=1)
    assert sorted(tables(round)) == [1, 2]
    commands.arrive(round.evening, ["Jo", "Kim", "Lu"])
    reseating.move(round, of(round, "Jo"), 2)
    reseating.draw_again(round, draws=2)

    assert sorted(tables(round)) == [1, 2, 3]
    next_table = round.tables.get(number=3).game_set
    assert (next_table == table, next_table.clock_minutes) == (False, 55)
    table.refresh_from_db()
    assert (table.key_hash, table.playgroup) == (None, round.evening.playgroup)
    for each in round.tables.all():
        play.start_game(each.game_set, 1, first=1)
        record(each.game_set, Draw())
    with unchanged(), pytest.raises(GroupRefused, match="They play at every table"):
        reseating.draw_again(round, draws=3)


def test_tables_that_became_too_small_are_merged(round):
    before, gone = tables(round), round.tables.get(number=3).game_set
    reseating.move(round, of(round, before[3][0]), 2)
    reseating.move(round, of(round, before[2][0]), OUT)

    reseating.merge(round, 3, 1)

    assert tables(round) == {
        1: [*before[1], *before[3][1:]],
        2: [*before[2][1:], before[3][0]],
    }
    gone.refresh_from_db()
    assert gone.key_hash is None
    for table, into in ((2, 3), (1, 1), (0, 1)):
        with unchanged(), pytest.raises(GroupRefused, match="There is no such table"):
            reseating.merge(round, table, into)
    with unchanged(), pytest.raises(GroupRefused, match="Table 1 has 8 people"):
        reseating.merge(round, 2, 1)
    second = round.tables.get(number=2).game_set
    play.start_game(second, 1, first=1)
    record(second, hit(1, 2, 3))
    with unchanged(), pytest.raises(GroupRefused):
        reseating.merge(round, 2, 1)


def test_over_evenings_are_reopened_before_somebody_moves(round):
    commands.end_evening(round.evening)

    with unchanged(), pytest.raises(GroupRefused, match="This evening is over"):
        reseating.move(round, of(round, "Ann"), 2)


def test_a_tap_that_is_written_while_somebody_sits_down_stays(round, monkeypatch):
    """Whichever comes second is refused."""
    table = round.tables.get(number=2).game_set
    play.start_game(table, 1, first=1)
    commands.arrive(round.evening, ["Jo"])
    lock_tables = commands.lock_tables

    def record_first(*args):
        locked = lock_tables(*args)
        record(table, hit(1, 2, 3))
        return locked

    monkeypatch.setattr(commands, "lock_tables", record_first)

    with pytest.raises(GroupRefused, match="have begun to play"):
        reseating.move(round, of(round, "Jo"), 2)
