"""A game's result, entered at once: checked by the rules, one event like any other."""

from dataclasses import replace

import pytest

from scoring.rules import recap, sets
from scoring.rules.corrections import Amend, Strike
from scoring.rules.errors import GameIsOver
from scoring.rules.formats import (
    COALITION_906,
    COALITION_2026,
    COALITION_README,
    COALITION_README_21,
)
from scoring.rules.moves import ChangeLife, PassTurn
from scoring.rules.results import EnterResult, How

from .asking import ENTERED, effects_in_words, ended, ledger, out, points
from .play import ANN, BO, CY, DI, NAMES, game, game_of, hit, play, play_set, refusal

DAY = "2026-03-12"
ALL = (ANN, BO, CY, DI)


def result(*points, winner=None, how=How.NOT_NOTED, conceded=()):
    """Return the result of a game in which the seats from 1 on have these VP at its end."""
    return EnterResult(DAY, dict(enumerate(points, 1)), winner, how, conceded)


def test_an_entered_result_ends_the_game_with_the_vp_that_it_names():
    log = play(result(21, 5, 0, 20, winner=ANN, how=How.VICTORY_POINTS))

    assert ended(log) == ("won", ANN, "victory points")
    assert points(log) == {ANN: 21, BO: 5, CY: 0, DI: 20}
    assert out(log) == {}
    assert ledger(log) == [(1, seat, ENTERED, 0, by) for seat, by in ((1, 21), (2, 5), (4, 20))]
    assert log.state.entered_for == DAY
    assert log.state.ruleset.ending(log.state) == "21 VP (entered)"
    assert effects_in_words(log) == ["Ann wins: 21 VP"]


def test_a_result_whose_seats_stand_in_another_order_is_booked_the_same():
    """PostgreSQL keeps the keys of JSON in an order of its own."""
    entered = result(4, 5, 6, 7)
    reordered = replace(entered, points=dict(reversed(entered.points.items())))

    assert ledger(play(reordered)) == ledger(play(entered))


@pytest.mark.parametrize(
    ("points", "said", "end", "left"),
    [
        ((21, 5, 0, 0), {"conceded": (CY, DI)}, "won", {CY: "conceded", DI: "conceded"}),
        (
            (21, 5, 0, 0),
            {"how": How.LAST_STANDING, "conceded": (CY,)},
            "won",
            {BO: "lost", CY: "conceded", DI: "lost"},
        ),
        (
            (21, 5, 0, 9),
            {"how": How.CONCEDED_TO, "conceded": (CY,)},
            "won",
            dict.fromkeys(ALL[1:], "conceded"),
        ),
        ((21, 5, 21, 9), {"how": How.VICTORY_POINTS}, "drawn", {}),
        ((4, 5, 6, 7), {"how": How.ALL_LOST}, "drawn", dict.fromkeys(ALL, "lost")),
        ((4, 5, 6, 7), {"how": How.TIME}, "drawn", {}),
    ],
)
def test_an_entered_result_says_who_left_the_game_and_how_it_ended(points, said, end, left):
    winner, how = ANN if end == "won" else None, said.get("how", How.NOT_NOTED)

    log = play(result(*points, winner=winner, **said))

    assert (ended(log), out(log)) == ((end, winner, how.value), left)


def test_who_conceded_with_the_penalty_plays_no_later_game():
    """906.10g; who conceded together with all others does (906.10h)."""
    played = play(result(21, 5, 0, 9, winner=ANN, how=How.CONCEDED_TO, conceded=(CY,)))

    assert played.state.barred == {CY}


@pytest.mark.parametrize(
    ("ruleset", "how", "fits"),
    [
        (COALITION_906, How.NOT_NOTED, {21}),
        (COALITION_2026, How.LAST_STANDING, {21}),
        (COALITION_README, How.NOT_NOTED, set(range(5, 27))),
        (COALITION_README, How.VICTORY_POINTS, {26}),
        (COALITION_README, How.CONCEDED_TO, {26}),
        (COALITION_README_21, How.VICTORY_POINTS, {26}),
        (COALITION_README_21, How.CONCEDED_TO, {21}),
    ],
)
def test_a_winner_has_the_bonus(ruleset, how, fits):
    start = game(ruleset)

    taken = set()
    for total in range(30):
        log = play(start=start)
        entered = result(total, 0, 0, 0, winner=ANN, how=how)
        if total in fits:
            log.append(entered)
            taken.add(log.state.players[ANN].points)
        else:
            assert refusal(log, entered).code == "bonus_does_not_fit"
    assert taken == fits


@pytest.mark.parametrize(
    ("entered", "code"),
    [
        (EnterResult(DAY, {ANN: 21, BO: 0, CY: 0}, ANN), "points_missing"),
        (result(21, 22, 0, 0, winner=ANN), "over_cap"),
        (result(21, 21, 0, 0, winner=ANN), "cap_wins"),
        (result(0, 0, 21, 0), "cap_wins"),
        (result(0, 0, 20, 0, how=How.VICTORY_POINTS), "ends_otherwise"),
        (result(16, 0, 0, 0, winner=ANN), "bonus_does_not_fit"),
        (result(21, 0, 0, 0, winner=ANN, conceded=(ANN,)), "winner_conceded"),
        (result(21, 3, 0, 0, winner=ANN, conceded=(BO,)), "conceded_points"),
        (result(0, 0, 0, 0, conceded=ALL), "last_one_wins"),
        (result(0, 0, 0, 4, conceded=(ANN, BO, CY)), "last_one_wins"),
        (result(21, 0, 0, 0, winner=ANN, how=How.TIME), "ends_otherwise"),
        (result(4, 0, 0, 0, how=How.CONCEDED_TO), "ends_otherwise"),
        (result(21, 0, 0, 0, winner=ANN, how=How.CONCEDED_TO, conceded=ALL[1:]), "ends_otherwise"),
        (EnterResult("12.3.2026", dict.fromkeys(ALL, 0), None), "malformed"),
    ],
)
def test_what_the_rules_do_not_allow_is_refused(entered, code):
    assert refusal(play(), entered).code == code


def test_a_refusal_names_the_player_and_what_would_fit():
    told = refusal(play(), result(16, 0, 0, 0, winner=ANN)).message(NAMES)

    assert told == "Ann won, and can't have 16 VP: with the bonus a winner has 21 then."


def test_a_result_is_entered_only_for_a_game_in_which_nothing_happened():
    entered = result(21, 0, 0, 0, winner=ANN)

    for before in (hit(ANN, BO, 3), ChangeLife({BO: 1}), PassTurn()):
        assert refusal(play(before), entered).code == "game_has_events"
    assert isinstance(refusal(play(entered), hit(ANN, BO, 3)), GameIsOver)


def test_an_entered_result_is_amended_and_taken_back_like_any_event():
    amended = play(result(21, 5, 0, 0, winner=ANN), Amend(1, result(5, 21, 0, 0, winner=BO)))
    struck = play(result(21, 5, 0, 0, winner=ANN), Strike(1))

    assert (ended(amended)[1], points(amended)) == (BO, {ANN: 5, BO: 21, CY: 0, DI: 0})
    assert (struck.state, struck.lines) == (game(), [])
    assert refusal(amended, Amend(1, result(5, 20, 0, 0, winner=BO))).code == "bonus_does_not_fit"


def test_what_nobody_noted_is_not_counted():
    """The turn order, and what was scored in one turn; the winner did outlast all others."""
    played = play_set(
        game_of(ANN, result(21, 5, 0, 20, winner=ANN)),
        game_of(ANN, result(21, 5, 0, 0, winner=ANN)),
    )

    sums = sets.sums(played.state, ANN, map(recap.turn_order, played.games))
    stats = recap.stats(played.games[0])
    assert {name: sums[name] for name in ("games_first", "points_first", "games_last")} == {
        "games_first": 0,
        "points_first": 0,
        "games_last": 0,
    }
    assert (sums["games_played"], sums["games_won"], sums["games_at_cap"]) == (2, 2, 2)
    assert stats[ANN] == recap.Stats(best_turn=0, monarch_turns=0, outlasted=3)
    assert stats[DI] == recap.Stats()
