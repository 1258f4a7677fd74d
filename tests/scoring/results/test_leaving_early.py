"""Who leaves a set early: the board counts what was missed as the set does, as nothing."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import product

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.groups import audit, leaderboard
from scoring.groups.leaderboard import Row, Wanted
from scoring.models import GameSet, Playgroup
from scoring.play import commands
from scoring.rules import sets
from scoring.rules.errors import RuleError
from scoring.rules.formats import COALITION_906
from scoring.rules.log import GameLog
from scoring.rules.move import Move
from scoring.rules.moves import Concede, Draw, Lose, Win
from scoring.rules.ruleset import Ruleset
from scoring.rules.sets import SetState
from scoring.rules.state import GameState

from ..browsing import words
from ..grouped import group, tallies
from ..rules.play import ANN, BO, CY, DI, NAMES, RULES, game_of, hit, play_set
from ..tables import check_books, results

MARCH = date(2026, 3, 6)
WEEK = timedelta(weeks=1)
SEATS = (ANN, BO, CY, DI)


def leave_early(of: Playgroup | None, day: date = MARCH, *, last: bool = True) -> GameSet:
    """Play a set in which Ann wins game 1 and drops, and Bo wins games 2 and, unless it is called
    before that, 3. The third is Cy."""
    at = datetime.combine(day, time(12), UTC)
    table = commands.create_set(COALITION_906, ["Ann", "Bo", "Cy"], seed=1, at=at, playgroup=of)
    commands.start_game(table, 1, first=ANN, at=at)
    commands.record(table, 1, Win(ANN), at=at)
    commands.start_game(table, 2, first=BO, dropped=(ANN,), at=at)
    commands.record(table, 2, Win(BO), at=at)
    if last:
        commands.start_game(table, 3, first=CY, at=at)
        commands.record(table, 3, Win(BO), at=at)
    else:
        commands.call_set(table)
    return table


@pytest.fixture
def thursday(db: None) -> Playgroup:
    made = group()
    for week in range(3):
        leave_early(made, MARCH + week * WEEK)
    return made


def test_the_board_ranks_as_the_sets_do(thursday):
    board = leaderboard.board(thursday, Wanted())

    assert results(thursday.sets.first()) == [
        (BO, 1, 42, 3, 2),
        (ANN, 2, 21, 3, 1),
        (CY, 3, 0, 3, 0),
    ]
    assert [
        (row.name, row.rank, row.per_game, round(row.won_share, 2), round(row.at_cap, 2))
        for row in board.rows
    ] == [("Bo", 1, 14.0, 0.67, 0.67), ("Ann", 2, 7.0, 0.33, 0.33), ("Cy", 3, 0.0, 0.0, 0.0)]
    assert list(audit.faults(thursday)) == []


def test_a_set_that_was_called_after_two_games_has_two_for_everybody(db):
    made = group()

    table = leave_early(made, last=False)

    assert [(row[0], row[6], row[7]) for row in tallies(made)] == [
        ("Ann", 2, 21),
        ("Bo", 2, 21),
        ("Cy", 2, 0),
    ]
    check_books(table)


def test_who_conceded_with_the_penalty_has_the_games_after_it_too():
    played = play_set(
        game_of(ANN, Win(ANN)),
        game_of(BO, Concede(ANN), Win(BO)),
        game_of(CY, Win(BO)),
        players=3,
    )

    assert [sets.sums(played.state, seat)["games_played"] for seat in (ANN, BO, CY)] == [3, 3, 3]


def test_the_pages_of_players_say_the_same(thursday):
    ann, bo = (thursday.players.get(name=name).pk for name in ("Ann", "Bo"))

    own = Client().get(reverse("player", args=[thursday.code, ann]))
    together = Client().get(reverse("versus", args=[thursday.code]), {"a": ann, "b": bo})

    assert "Games 9 Games won 3 VP 63 VP per game 7.0 21 reached 33 %" in words(own)
    assert "Ann 0 63 7.0 Bo 3 126 14.0" in words(together)


def test_the_board_says_how_games_that_were_missed_are_counted(thursday):
    page = words(Client().get(reverse("board", args=[thursday.code])))

    assert "game missed after leaving counts as 0 VP" in page


SEAT = st.sampled_from(SEATS)
HITS = st.builds(hit, SEAT, SEAT, st.integers(1, 21))
GAMES = st.tuples(*[st.lists(HITS | st.builds(Win, SEAT), max_size=3)] * 3)
MOMENTS = st.tuples(st.booleans(), st.integers(0, 2), st.integers(0, 3))
EVENINGS = st.lists(st.tuples(GAMES, MOMENTS), min_size=3, max_size=3)


@pytest.mark.parametrize("ruleset", RULES, ids=lambda ruleset: ruleset.key)
@settings(max_examples=50)
@given(evenings=EVENINGS)
def test_leaving_early_ranks_nobody_higher_than_staying_and_losing(ruleset, evenings):
    left, stayed = (
        [a_set(ruleset, games, *moment, leaves=leaves) for games, moment in evenings]
        for leaves in (True, False)
    )

    assert [
        mark for mark in ("per_game", "won_share") if rank(left, mark) < rank(stayed, mark)
    ] == []


def a_set(
    ruleset: Ruleset,
    games: Sequence[Sequence[Move]],
    concedes: bool,
    game: int,
    event: int,
    *,
    leaves: bool,
) -> SetState:
    """Play a set that Ann leaves: she concedes in a game, from 0, or drops after it. If she does
    not leave she loses there instead, and at once in all later games."""
    state = SetState(ruleset, SEATS)
    for number, moves in enumerate(games):
        if number == game and concedes:
            moves = [*moves[:event], Concede(ANN) if leaves else Lose((ANN,)), *moves[event:]]
        elif number > game:
            moves = [Lose((ANN,)), *moves]  # refused where she is gone
        dropped = {ANN} & set(state.able) if leaves and not concedes and number > game else set()
        played = a_game(sets.start_game(state, BO, dropped=dropped), moves)
        state = replace(state, games=(*state.games, played), dropped=state.dropped | dropped)
    return state


def a_game(start: GameState, moves: Iterable[Move]) -> GameState:
    log = GameLog(start)
    for move in (*moves, Draw()):
        with suppress(RuleError):
            log.append(move)
    return log.state


def rank(played: Sequence[SetState], mark: str) -> int | None:
    rows = [Row(seat, NAMES[seat]) for seat in SEATS]
    for state, row in product(played, rows):
        counted = sets.sums(state, seat := row.player_id)
        row.sets += 1
        row.victory_points += sets.victory_points(state, seat)
        row.games += counted["games_played"]
        row.games_won += counted["games_won"]
    return next(row.rank for row in leaderboard.rank_rows(rows, by=mark) if row.player_id == ANN)
