"""Recording: an event, its ledger rows and the stored state go together, and once for each tap."""

from datetime import UTC, datetime

import pytest
from django.core.serializers import serialize as as_json

from scoring.models import EventRow
from scoring.play import chaining, commands
from scoring.rules.corrections import Amend, Strike, Undo
from scoring.rules.formats import COALITION_906
from scoring.rules.log import ENTRIES_MAX, LAST_ENTRIES
from scoring.rules.moves import Draw, Lose, MoveHero, PassTurn, Win
from scoring.rules.state import Zone
from scoring.setlog import chain, document
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
            "hash": chain.seal(link, None, None, False, posted),
        }
    ]
    assert ledger(table) == [
        (1, 1, ANN, "combat", 4, 4, None),
        (1, 1, ANN, "hero", 2, 2, None),
    ]


def test_the_game_that_is_returned_is_the_one_that_is_stored(table):
    returned = record(table, hit(ANN, BO, 21))

    assert [as_json("json", [game]) for game in (returned, the_game(table))] == [
        as_json("json", [the_game(table)])
    ] * 2


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


def test_a_tap_repeated_in_another_game_of_the_set_is_refused(table):
    commands.record(table, 1, PassTurn(), tap_id=tap_id(1))
    record(table, Draw())
    commands.start_game(table, 2, first=BO)

    with refused("id_with_other_content"):
        commands.record(table, 2, PassTurn(), tap_id=tap_id(1))


def test_the_same_tap_id_at_another_table_is_another_tap(table):
    other = set_up(key="another-key")

    commands.record(table, 1, hit(ANN, BO, 3), tap_id=tap_id(1))
    commands.record(other, 1, hit(ANN, CY, 5), tap_id=tap_id(1))

    assert (points(table)[ANN], points(other)[ANN]) == (3, 5)


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
    table = commands.store(document.SetLog(COALITION_906, ("Ann", "Bo"), (game,)), key=KEY)

    with refused("log_is_nearly_full"):
        record(table, PassTurn())

    assert record(table, Undo()).length == len(lines) + 1
    check_books(table)
