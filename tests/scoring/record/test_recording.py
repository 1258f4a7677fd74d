"""Recording: an event, its ledger rows and the stored state go together, and once for each tap.
Corrections answer wrong rows with rows, and what builds on a game stands."""

from datetime import UTC, datetime

import pytest

from scoring.models import EventRow, Game, GameSet, SetResult
from scoring.record import chaining, commands
from scoring.rules.corrections import Amend, Strike, Undo
from scoring.rules.formats import COALITION_906, COALITION_2026, LEVELER
from scoring.rules.log import ENTRIES_MAX, LAST_ENTRIES
from scoring.rules.moves import Concede, Draw, Hold, Lose, MoveHero, PassTurn, Win
from scoring.rules.state import Zone
from scoring.setlog import document
from tests.scoring.rules.play import ANN, BO, CY, DI, hit, together

from ..tables import (
    KEY,
    brief,
    check_books,
    events,
    ledger,
    points,
    record,
    refused,
    results,
    set_up,
    tap_id,
    the_game,
    unchanged,
)

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def test_a_move_is_written_as_an_event_with_its_ledger_rows(table):
    move = together(hit(ANN, BO, 4), hit(ANN, CY, 2, "hero"), hit(None, DI, 1, "other"))

    commands.record(table, 1, move, tap_id=tap_id(7), at=NOON)

    row = EventRow.objects.get()
    link = chaining.links(the_game(table), [row])[-1]
    posted = [(1, ANN, "combat", 4, 4), (1, ANN, "hero", 2, 2)]
    assert list(EventRow.objects.values()) == [
        {
            "id": row.pk,
            "game_set_id": table.pk,
            "game_id": the_game(table).pk,
            "seq": 1,
            "tap_id": tap_id(7),
            "entry": {
                "type": "damage",
                "hits": [
                    {"source": "1", "target": "2", "amount": 4, "kind": "combat"},
                    {"source": "1", "target": "3", "amount": 2, "kind": "hero"},
                    {"source": None, "target": "4", "amount": 1, "kind": "other"},
                ],
            },
            "corrects": None,
            "at": NOON,
            "by": None,
            "hash": bytes.fromhex(chaining.hashed(link, None, None, False, posted)),
        }
    ]
    assert ledger(table) == [
        (1, 1, ANN, "combat", 4, 4, None),
        (1, 1, ANN, "hero", 2, 2, None),
    ]


@pytest.mark.parametrize(
    "entry",
    [
        hit(ANN, BO, 3),
        MoveHero(ANN, Zone.HAND),
        Win(ANN),
        Undo(),
        Strike(1),
        Amend(1, PassTurn(CY)),
    ],
    ids=brief,
)
def test_a_repeated_tap_counts_once_and_is_answered_like_the_first_one(table, entry):
    """Most of these would be refused or do something else if they came as new taps."""
    record(table, PassTurn(ANN))
    first = commands.record(table, 1, entry, tap_id=tap_id(1))

    with unchanged():
        again = commands.record(table, 1, entry, tap_id=tap_id(1))

    assert (again.pk, again.length, again.state) == (first.pk, 2, the_game(table).state)


@pytest.mark.parametrize("entry", [hit(ANN, BO, 3), Undo(1), Strike(1)], ids=brief)
def test_a_repeated_tap_counts_once_also_after_its_game_ended_and_the_next_began(table, entry):
    record(table, PassTurn(ANN))
    commands.record(table, 1, entry, tap_id=tap_id(1))
    record(table, Draw())
    commands.start_game(table, 2, first=BO)

    with unchanged():
        again = commands.record(table, 1, entry, tap_id=tap_id(1))

    assert (again.number, again.status, again.length) == (1, "drawn", 3)


def test_a_repeated_tap_brings_back_what_was_undone_neither_in_its_game_nor_in_a_new_one(table):
    commands.record(table, 1, hit(ANN, BO, 3), tap_id=tap_id(1))
    record(table, Undo(1))
    with unchanged():
        commands.record(table, 1, hit(ANN, BO, 3), tap_id=tap_id(1))
    commands.take_back_game(table, 1)
    commands.start_game(table, 1, first=BO)

    with unchanged():
        commands.record(table, 1, hit(ANN, BO, 3), tap_id=tap_id(1))

    assert events(table) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (hit(ANN, BO, 3), hit(ANN, BO, 4)),
        (hit(ANN, BO, 3), PassTurn()),
        (PassTurn(), Undo(2)),
        (Undo(2), Undo(1)),
    ],
    ids=brief,
)
def test_a_tap_repeated_with_other_content_is_refused(table, first, second):
    record(table, PassTurn(), PassTurn())
    commands.record(table, 1, first, tap_id=tap_id(1))

    with refused("id_with_other_content"):
        commands.record(table, 1, second, tap_id=tap_id(1))


def test_a_tap_repeated_in_another_game_of_the_set_is_refused_but_at_another_table_another(table):
    other = set_up(key="another-key")
    commands.record(table, 1, hit(ANN, BO, 3), tap_id=tap_id(1))
    commands.record(other, 1, hit(ANN, CY, 5), tap_id=tap_id(1))
    assert (points(table)[ANN], points(other)[ANN]) == (3, 5)
    record(table, Draw())
    commands.start_game(table, 2, first=BO)

    with refused("id_with_other_content"):
        commands.record(table, 2, hit(ANN, BO, 3), tap_id=tap_id(1))


@pytest.mark.parametrize(
    ("code", "before", "entry"),
    [
        ("not_in_game", [Lose((BO,))], together(hit(ANN, CY, 1), hit(ANN, BO, 1))),
        ("not_the_latest", [PassTurn(), PassTurn()], Undo(1)),
        ("later_impossible", [PassTurn(BO), MoveHero(BO, Zone.HAND)], Strike(1)),
    ],
    ids=brief,
)
def test_what_the_rules_refuse_leaves_the_database_as_it_was(table, code, before, entry):
    record(table, *before)

    with refused(code):
        commands.record(table, 1, entry, tap_id=tap_id(1))


@pytest.mark.django_db
def test_a_log_that_is_nearly_full_is_refused_a_move_and_takes_an_undo():
    lines = (document.LoggedEntry(PassTurn()),) * (ENTRIES_MAX - LAST_ENTRIES)
    game = document.LoggedGame(ANN, lines)
    table = commands.store_set(document.SetLog(COALITION_906, ("Ann", "Bo"), (game,)), key=KEY)

    with refused("log_is_nearly_full"):
        record(table, PassTurn())

    assert record(table, Undo()).length == len(lines) + 1
    check_books(table)


# --- corrections ---
LEDGERS = {
    "undo": ([hit(ANN, BO, 5), Undo(1)], [(1, 1, ANN, 5, 5, None), (1, 2, ANN, 5, -5, 0)]),
    # With the 20 gone, the 9 are worth 9 and not the 1 that was left under the cap.
    "strike-posts-again": (
        [hit(ANN, BO, 20), hit(ANN, CY, 9), Strike(1)],
        [
            (1, 1, ANN, 20, 20, None),
            (2, 2, ANN, 9, 1, None),
            (1, 3, ANN, 20, -20, 0),
            (2, 3, ANN, 9, -1, 1),
            (2, 3, ANN, 9, 9, None),
        ],
    ),
    "strike-leaves-others-alone": (
        [hit(ANN, BO, 3), hit(BO, ANN, 4), Strike(1)],
        [(1, 1, ANN, 3, 3, None), (2, 2, BO, 4, 4, None), (1, 3, ANN, 3, -3, 0)],
    ),
    "amend-to-another": (
        [hit(ANN, BO, 5), Amend(1, hit(CY, BO, 7))],
        [(1, 1, ANN, 5, 5, None), (1, 2, ANN, 5, -5, 0), (1, 2, CY, 7, 7, None)],
    ),
    "amended-again-and-struck": (
        [hit(ANN, BO, 5), Amend(1, hit(ANN, BO, 7)), Amend(1, hit(ANN, BO, 2)), Strike(1)],
        [
            (1, 1, ANN, 5, 5, None),
            (1, 2, ANN, 5, -5, 0),
            (1, 2, ANN, 7, 7, None),
            (1, 3, ANN, 7, -7, 2),
            (1, 3, ANN, 2, 2, None),
            (1, 4, ANN, 2, -2, 4),
        ],
    ),
    "amend-that-says-the-same": (
        [hit(ANN, BO, 5), Amend(1, hit(ANN, BO, 5))],
        [(1, 1, ANN, 5, 5, None)],
    ),
    "a-row-of-0-points": (
        [Hold(ANN, False, True), hit(ANN, BO, 21), hit(ANN, CY, 4), Undo(3)],
        [(2, 2, ANN, 21, 21, None), (3, 3, ANN, 4, 0, None), (3, 4, ANN, 4, 0, 1)],
    ),
}


@pytest.mark.parametrize(("entries", "rows"), LEDGERS.values(), ids=LEDGERS)
def test_the_ledger_answers_wrong_rows_with_rows(table, entries, rows):
    record(table, *entries)

    assert ledger(table) == [(*row[:3], "combat", *row[3:]) for row in rows]
    check_books(table)


def test_a_correction_that_keeps_a_game_over_keeps_when_it_ended(table):
    ended_at = record(table, hit(ANN, BO, 3), Draw()).ended_at

    record(table, Strike(1))

    assert the_game(table).ended_at == ended_at


@pytest.mark.parametrize(
    ("before", "correction"),
    [
        *(
            ([PassTurn(BO), hit(BO, CY, 21)], correction)
            for correction in (Undo(2), Undo(), Strike(2), Amend(2, hit(BO, CY, 20)))
        ),
        # Both would leave game 1 over, but game 2 began without Di.
        ([Concede(DI), hit(BO, ANN, 21)], Strike(1)),
        ([Concede(DI), hit(BO, ANN, 21)], Amend(1, Concede(CY))),
    ],
    ids=brief,
)
def test_a_game_that_a_later_game_builds_on_stays_over_and_conceded(table, before, correction):
    record(table, *before)
    commands.start_game(table, 2, first=ANN)

    with refused("game_built_on"):
        record(table, correction)


def test_the_points_before_a_game_follow_corrections_of_the_games_before_it(table):
    record(table, hit(CY, DI, 10), hit(ANN, BO, 4), Draw())
    commands.start_game(table, 2, first=ANN)
    assert (the_game(table, 1).before, the_game(table, 2).before) == ([0, 0, 0, 0], [4, 0, 10, 0])

    record(table, Strike(1))

    assert the_game(table, 2).before == [4, 0, 0, 0]
    check_books(table)


@pytest.mark.parametrize(
    ("ruleset", "before"), [(COALITION_906, [9, 0, 0]), (COALITION_2026, [0, 0, 0])]
)
def test_the_points_before_a_game_are_those_that_conceding_leaves(db, ruleset, before):
    table = set_up(3, ruleset=ruleset)
    record(table, hit(ANN, BO, 9), Draw())
    commands.start_game(table, 2, first=ANN, turn_order=(ANN, BO, CY))
    record(table, Concede(ANN), Draw(), game=2)
    commands.start_game(table, 3, first=BO, turn_order=(BO, CY))

    assert the_game(table, 3).before == before


def test_a_game_is_free_again_when_the_later_game_was_taken_back(table):
    record(table, Concede(DI), hit(BO, ANN, 21))
    commands.start_game(table, 2, first=ANN)
    commands.take_back_game(table, 2)

    record(table, Undo(2))

    assert the_game(table).status == "in progress"
    check_books(table)


def test_a_finished_set_leaves_a_result_for_each_player_that_follows_corrections(table):
    _play_out(table)

    assert results(table) == [
        (ANN, 1, 21, 3, 1),
        (BO, 1, 21, 3, 1),
        (CY, 3, 10, 3, 0),
        (DI, 4, 0, 3, 0),
    ]
    table.refresh_from_db()
    assert table.finished_at == the_game(table, 3).ended_at
    check_books(table)
    record(table, Amend(1, hit(CY, BO, 21)), game=1)
    assert results(table) == [
        (CY, 1, 31, 3, 1),
        (BO, 2, 21, 3, 1),
        (ANN, 3, 0, 3, 0),
        (DI, 3, 0, 3, 0),
    ]
    record(table, Undo(2), game=3)
    table.refresh_from_db()
    assert (results(table), table.finished_at) == ([], None)
    check_books(table)


@pytest.mark.django_db
def test_a_correction_that_ends_the_last_game_finishes_the_set():
    table = set_up(2, ruleset=LEVELER)
    record(table, hit(ANN, BO, 3))

    record(table, Amend(1, hit(ANN, BO, 99)))

    assert [row[:2] for row in results(table)] == [(ANN, 1), (BO, 2)]
    check_books(table)


def test_a_set_ends_early_when_fewer_than_two_can_play_on_and_undo_takes_that_back(table):
    record(table, hit(BO, ANN, 4), Concede(ANN), Concede(BO), Concede(CY))
    assert results(table) == [
        (DI, 1, 21, 1, 1),
        (ANN, 2, 0, 1, 0),
        (BO, 2, 0, 1, 0),
        (CY, 2, 0, 1, 0),
    ]

    record(table, Undo(4))

    assert results(table) == []
    check_books(table)


def test_repair_rebuilds_what_is_stored_beside_the_log(table):
    _play_out(table)
    before = results(table)
    SetResult.objects.all().delete()
    Game.objects.update(length=0, before=None, recent={"lines": [], "targets": []})
    Game.objects.filter(number=1).update(
        status="in progress", winner=None, state=the_game(table, 3).state
    )
    GameSet.objects.update(finished_at=None, seating=[])

    commands.repair(table)

    assert results(table) == before
    assert the_game(table, 2).before == [21, 0, 0, 0]
    check_books(table)


def _play_out(table) -> None:
    """Ann wins game 1, Bo wins game 2, and Cy has 10 when game 3 is drawn."""
    record(table, hit(ANN, BO, 21))
    commands.start_game(table, 2, first=CY)
    record(table, hit(BO, CY, 21), game=2)
    commands.start_game(table, 3, first=DI)
    record(table, hit(CY, DI, 10), Draw(), game=3)
