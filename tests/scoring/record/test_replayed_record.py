"""Whatever is recorded, the books say what the log says, and the log says it anywhere."""

from collections.abc import Callable
from datetime import UTC, datetime
from random import Random
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.models import GameSet
from scoring.record import commands, queries
from scoring.record.simulation import random_move
from scoring.rules.corrections import Amend, Entry, Strike, Undo
from scoring.rules.damage import DealDamage
from scoring.rules.errors import RuleError
from scoring.rules.move import Move
from scoring.rules.moves import Draw, PassTurn
from scoring.rules.state import GameState
from scoring.setlog import codec
from tests.lengths import long
from tests.scoring.rules.play import ANN, BO, CY, DI, every_ruleset, hit

from ..tables import (
    check_books,
    check_export,
    events,
    everything,
    exported,
    ledger,
    read_log,
    record,
    set_up,
    tap_id,
    the_game,
)

STEPS = 30


@every_ruleset
@pytest.mark.parametrize("seed", [0, *long(1, 2, 3)])
@pytest.mark.django_db
def test_after_every_step_the_books_say_what_the_log_says(ruleset, seed):
    chance = Random(f"{ruleset.key} {seed}")
    table = set_up(chance.randint(3, 5), ruleset=ruleset, first=None, seed=seed)
    taken = 0

    for _ in range(STEPS):
        step = _next_step(chance, table)
        before = everything()
        try:
            step()
            taken += 1
        except RuleError:
            assert everything() == before
        table.refresh_from_db()
        check_books(table)

    assert taken > STEPS / 4
    check_export(table)


def test_a_repeated_line_of_an_import_is_stored_once(table):
    document = exported(table)
    line = {"type": "life", "changes": {"Ann": 2}, "id": str(tap_id(1))}
    document["games"][0]["events"] = [line, {"type": "turn"}, line, {"type": "strike", "event": 2}]

    imported = commands.store_set(read_log(document))

    assert [entry["type"] for _, entry, _ in events(imported)] == ["life", "turn", "strike"]
    assert events(imported)[-1] == (3, {"type": "strike", "event": 2}, 2)
    check_books(imported)


def test_an_import_preserves_times_and_makes_up_none_and_no_ids(table):
    times = "2026-11-21T12:00:00+01:00", "2026-11-21T12:00:00", "2026-11-21T11:00:00Z"
    document = exported(table)
    lines = [{"type": "turn"}, {"type": "turn", "player": "Di"}]
    document["games"][0]["events"] = lines
    assert exported(commands.store_set(read_log(document))) == document
    document["games"][0]["events"] = [*lines, *({"type": "turn", "at": time} for time in times)]

    check_export(commands.store_set(read_log(document)))


def test_a_game_without_a_time_at_its_end_ended_with_the_last_time_before_it(table):
    """Also if that was in the game before: nothing ends when it is imported."""
    commands.record(table, 1, PassTurn(), at=datetime(2026, 3, 6, 20, tzinfo=UTC))
    record(table, Draw())
    commands.start_game(table, 2, first=BO)
    record(table, Draw(), game=2)
    document = exported(table)
    for game in document["games"]:
        game["events"][-1].pop("at", None)

    imported = commands.store_set(read_log(document))

    assert {the_game(imported, game).ended_at.isoformat() for game in (1, 2)} == {
        "2026-03-06T20:00:00+00:00"
    }


def test_a_game_is_stored_with_its_times_as_if_it_were_tapped(table):
    """Opened again by a correction, a game ended when it did for the first time."""
    said = [PassTurn(), Draw(), Undo(2), hit(ANN, BO, 3), Amend(4, hit(ANN, BO, 2))]
    for minute, entry in enumerate([*said, Draw()]):
        commands.record(table, 1, entry, at=datetime(2026, 3, 6, 20, minute, tzinfo=UTC))
    document = exported(table)

    imported = commands.store_set(read_log(document))

    game = the_game(imported)
    assert (game.started_at.minute, game.ended_at.minute, game.first_ended_at.minute) == (0, 1, 1)
    assert events(imported) == events(table)
    assert ledger(imported) == [(4, 5, ANN, "combat", 2, 2, None)]


def test_a_long_game_is_stored_in_as_many_statements_as_a_short_game(table):
    document = exported(table)
    asked = []
    for length in (4, 60):  # SQLite takes 999 values in a statement
        turns = [{"type": "turn"}] * length
        strikes = [{"type": "strike", "event": number + 1} for number in range(length // 2)]
        document["games"][0]["events"] = turns + strikes
        with CaptureQueriesContext(connection) as queries_of_it:
            commands.store_set(read_log(document))
        asked.append(len(queries_of_it))

    assert asked[0] == asked[1]


def test_the_export_leaves_out_games_that_were_taken_back(table):
    record(table, hit(ANN, BO, 3), Undo(1))
    commands.change_start(table, 1, first=DI)
    record(table, hit(DI, ANN, 2))

    document = exported(table)

    assert [game["starting_player"] for game in document["games"]] == ["Di"]
    check_export(table)


def _next_step(chance: Random, table: GameSet) -> Callable[[], object]:
    """Return what happens next at a table: a start, a move, a correction, or something seldom."""
    played = queries.games(table)
    if played and chance.random() < 0.25:
        number = chance.randint(1, len(played))
        correction = _correction(chance, played[number - 1].length)
        return _recorded(chance, table, number, correction)
    if played and not played[-1].ended_at:
        if chance.random() < 0.04:
            return lambda: commands.take_back_game(table, len(played))
        state = codec.read_state(played[-1].state)
        return _recorded(chance, table, len(played), _move(chance, state))
    if table.called:
        return lambda: commands.reopen_set(table)
    if played and chance.random() < 0.2:
        return lambda: commands.call_set(table)
    return _start(chance, table, len(played) + 1)


def _recorded(chance: Random, table: GameSet, number: int, entry: Entry) -> Callable[[], object]:
    tap = UUID(int=chance.getrandbits(128), version=4)
    return lambda: commands.record(table, number, entry, tap_id=tap)


def _start(chance: Random, table: GameSet, number: int) -> Callable[[], object]:
    seats = list(table.names)
    dropped = [chance.choice(seats)] if number > 1 and chance.random() < 0.2 else []
    first = chance.choice([None, *seats])
    return lambda: commands.start_game(table, number, first=first, dropped=dropped)


def _correction(chance: Random, length: int) -> Entry:
    number = chance.randint(1, max(length, 1))
    return chance.choice([Undo(), Strike(number), Amend(number, _hit(chance, [ANN, BO, CY]))])


def _move(chance: Random, state: GameState) -> Move:
    """Return a move, often a hit by anybody, also by who is out, that the points are cut at."""
    if chance.random() < 0.5:
        return random_move(chance, state)
    return _hit(chance, list(state.players))


def _hit(chance: Random, seats: list[int]) -> DealDamage:
    return hit(chance.choice(seats), chance.choice(seats), chance.choice([3, 8, 21, 400]))
