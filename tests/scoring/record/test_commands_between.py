"""Starting games, taking them back, and ending a set early."""

import pytest

from scoring.models import EventRow, Game, GameSet
from scoring.record import commands, dice, queries, recording
from scoring.rules.corrections import Amend, Strike, Undo
from scoring.rules.formats import COALITION_2026
from scoring.rules.moves import Concede, Draw, SwapPlaces
from tests.scoring.rules.play import ANN, BO, CY, DI, EV, every_ruleset, hit

from ..tables import (
    brief,
    check_books,
    check_export,
    record,
    refused,
    results,
    set_up,
    the_game,
    unchanged,
)


@pytest.mark.parametrize(
    ("number", "code"), [(2, "game_in_progress"), (3, "no_such_game"), (0, "no_such_game")]
)
def test_no_game_starts_while_another_is_in_progress(table, number, code):
    with refused(code):
        commands.start_game(table, number, first=ANN)


@pytest.mark.parametrize(
    ("code", "how"),
    [
        ("not_there", {"first": DI}),
        ("too_few_players", {"first": ANN, "dropped": [BO, CY]}),
        ("too_few_players", {"first": None, "dropped": [BO, CY]}),
        ("wrong_turn_order", {"first": ANN, "turn_order": (BO, ANN, CY)}),
    ],
    ids=brief,
)
def test_a_game_that_can_not_start_so_is_not_there(table, code, how):
    """Di conceded game 1."""
    record(table, Concede(DI), Draw())

    with refused(code):
        commands.start_game(table, 2, **how)


@pytest.mark.parametrize(
    ("start", "order"),
    [
        ({"first": BO}, [BO, CY, ANN, DI]),
        ({"first": ANN, "dropped": [BO]}, [ANN, DI, CY]),
        ({"first": ANN, "turn_order": (ANN, BO, CY, DI)}, [ANN, BO, CY, DI]),
    ],
    ids=brief,
)
def test_who_swapped_places_sits_so_in_the_next_game_too(table, start, order):
    """Ann, Bo, Cy, Di, and Ann starts; then Bo and Di swap, and then Bo and Cy."""
    record(table, SwapPlaces(BO, DI), SwapPlaces(CY, BO), Draw())

    game = commands.start_game(table, 2, **start)

    assert game.turn_order == order
    check_export(table)


def test_who_swapped_places_sits_so_at_the_next_table_too(table):
    """Whoever leaves before the last game has its own place again."""
    record(table, SwapPlaces(BO, DI), Draw())
    commands.start_game(table, 2, first=CY, dropped=[ANN])
    record(table, Draw(), game=2)

    again = commands.seat_again(table, key="again", shuffles=False)

    assert list(again.names.values()) == ["Ann", "Bo", "Di", "Cy"]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.django_db
def test_the_highest_roll_starts_the_first_game_and_in_2026_all_go_by_their_rolls(seed):
    seats = [ANN, BO, CY, DI]
    falling = dice.highest_first(dice.roll(seed, 1, seats))

    game = commands.start_game(set_up(first=None, seed=seed), 1)
    of_2026 = set_up(ruleset=COALITION_2026, first=None, seed=seed, key="2026")

    best = falling[0]
    assert (game.turn_order, game.rolled) == (seats[best - 1 :] + seats[: best - 1], True)
    assert commands.start_game(of_2026, 1).turn_order == list(falling)


@every_ruleset
@pytest.mark.django_db
def test_the_dice_fall_the_same_way_again(ruleset):
    """Taking a game back is no way to better luck."""
    table = set_up(ruleset=ruleset, first=None)
    first = commands.start_game(table, 1)
    commands.take_back_game(table, 1)

    second = commands.start_game(table, 1)

    assert (second.pk != first.pk, second.turn_order) == (True, first.turn_order)
    twin = set_up(ruleset=ruleset, first=None, key="another-key")
    assert commands.start_game(twin, 1).turn_order == first.turn_order


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.django_db
def test_2026_goes_from_the_lowest_standing_to_the_highest_and_rolls_for_ties(seed):
    table = set_up(ruleset=COALITION_2026, seed=seed)
    record(table, hit(ANN, BO, 5), hit(DI, CY, 3), Draw())
    tied = dice.roll(seed, 2, (BO, CY))

    game = commands.start_game(table, 2)

    lowest = sorted(tied, key=tied.__getitem__, reverse=True)
    assert (game.turn_order, game.rolled) == ([*lowest, DI, ANN], True)
    check_books(table)
    commands.take_back_game(table, 2)
    assert commands.start_game(table, 2, dropped=[CY]).turn_order == [BO, DI, ANN]


def test_a_game_without_events_in_force_is_taken_back_and_stays_on_record(table):
    record(table, hit(ANN, BO, 3), Undo(1))
    game = the_game(table)

    commands.take_back_game(table, 1)

    assert queries.find_game(table, 1) is None
    assert list(Game.objects.values_list("pk", "taken_back", "length")) == [(game.pk, True, 2)]
    assert EventRow.objects.filter(game=game).count() == 2
    with refused("no_such_game"):
        commands.take_back_game(table, 1)
    for entry in (hit(ANN, BO, 3), Undo(), Strike(1)):
        with refused("no_such_game"):
            record(table, entry)


def test_a_game_that_has_begun_is_not_taken_back_and_its_start_stays(table):
    record(table, hit(ANN, BO, 3))

    with refused("game_has_events"):
        commands.take_back_game(table, 1)
    with refused("game_has_events"):
        commands.change_start(table, 1, first=BO)


def test_the_start_is_changed_by_a_new_game_and_the_old_game_stays_on_record(table):
    record(table, Draw())
    commands.start_game(table, 2, first=ANN, dropped=[DI])

    commands.change_start(table, 2, first=CY)
    with unchanged():
        commands.change_start(table, 2, first=CY)

    rows = Game.objects.filter(number=2).order_by("pk")
    assert list(rows.values_list("turn_order", "dropped", "taken_back", "rolled")) == [
        ([ANN, BO, CY], [DI], True, False),
        ([CY, ANN, BO], [DI], False, False),
    ]
    check_books(table)


@pytest.mark.parametrize(
    ("code", "how"),
    [("not_there", {"first": EV}), ("wrong_turn_order", {"first": BO, "turn_order": (BO, ANN)})],
)
def test_a_change_of_start_that_is_refused_leaves_the_game_as_it_was(table, code, how):
    with refused(code):
        commands.change_start(table, 1, **how)


@pytest.mark.parametrize("first", [None, ANN], ids=["before-any-game", "in-progress"])
@pytest.mark.django_db
def test_a_set_is_not_called_before_a_game_was_played_to_its_end(first):
    table = set_up(first=first)

    with refused("set_not_between_games"):
        commands.call_set(table)


@pytest.mark.parametrize(
    "correction", [Undo(), Undo(2), Strike(2), Amend(2, hit(BO, CY, 1))], ids=brief
)
def test_a_called_set_is_not_opened_by_a_correction(table, correction):
    record(table, hit(ANN, BO, 3), hit(BO, CY, 21))
    commands.call_set(table)

    with refused("set_is_called"):
        record(table, correction)


def test_calling_a_set_twice_or_going_on_twice_is_the_same_as_once(table):
    record(table, Draw())
    commands.call_set(table)
    with unchanged():
        commands.call_set(table)

    commands.reopen_set(table)
    with unchanged():
        commands.reopen_set(table)
    table.refresh_from_db()
    assert (table.called, table.finished_at, results(table)) == (False, None, [])
    assert commands.start_game(table, 2, first=BO).number == 2


def test_a_locked_set_has_the_names_of_that_moment(table):
    seating = [[key, name.upper()] for key, name in table.seating]
    assert table.names[BO] == "Bo"
    GameSet.objects.filter(pk=table.pk).update(seating=seating)

    with recording.locked(table):
        assert table.names[BO] == "BO"
