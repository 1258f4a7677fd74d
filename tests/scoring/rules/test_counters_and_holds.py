"""Life and poison without damage, and what cards say about losing and winning."""

import pytest

from scoring.rules.corrections import Strike
from scoring.rules.moves import ChangeLife, ChangePoison, ExchangeLife, Hold, Lose, SetLife, Win
from scoring.rules.words import plain

from .asking import COMBAT, IN_PROGRESS, ended, ledger, life, out, poison
from .play import ANN, BO, CY, DI, NAMES, every_ruleset, game, hit, play, refusal, together

OFF = (False, False)


@every_ruleset
def test_life_and_poison_change_at_the_same_time_and_score_nothing(ruleset):
    poisons = ChangePoison({ANN: 4, CY: 9}), ChangePoison({CY: -9, ANN: -1})
    log = play(ChangeLife({ANN: 7, CY: -3}), *poisons, start=game(ruleset))

    assert life(log) == {ANN: 32, BO: 25, CY: 22, DI: 25}
    assert poison(log) == {ANN: 3, BO: 0, CY: 0, DI: 0}
    assert ledger(log) == []


@every_ruleset
def test_a_life_total_becomes_a_number_and_two_are_exchanged_by_an_event_each(ruleset):
    """What is gained or lost follows from the totals of that moment, after a correction too."""
    moves = ChangeLife({ANN: 7, CY: -3}), SetLife(BO, 12), ExchangeLife(ANN, CY), SetLife(BO, 12)
    log = play(*moves, start=game(ruleset))

    assert life(log) == {ANN: 22, BO: 12, CY: 32, DI: 25}
    assert ledger(log) == []
    assert refusal(log, ExchangeLife(ANN, ANN)).code == "malformed"
    log.append(Strike(1))
    assert life(log) == {ANN: 25, BO: 12, CY: 25, DI: 25}
    log.append(SetLife(BO, 0))
    assert out(log) == {BO: "life"}
    assert refusal(log, ExchangeLife(ANN, BO)).code == "not_in_game"


@pytest.mark.parametrize(
    ("move", "steps", "last", "held"),
    [
        (ChangeLife, [9999] * 9, 9983, 99_999),
        (ChangeLife, [9999] * 9, 9984, None),
        (ChangeLife, [-9999] * 10, -34, -99_999),
        (ChangeLife, [-9999] * 10, -35, None),
        (ChangePoison, [9999] * 10, 9, 99_999),
        (ChangePoison, [9999] * 10, 10, None),
        (ChangePoison, [3], -3, 0),
        (ChangePoison, [3], -4, None),
    ],
)
def test_life_and_poison_stay_within_bounds(move, steps, last, held):
    log = play(Hold(BO, True, False), *[move({BO: by}) for by in steps])

    if held is None:
        assert refusal(log, move({BO: last})).code == "out_of_bounds"
    else:
        log.append(move({BO: last}))
        assert (life if move is ChangeLife else poison)(log)[BO] == held


@pytest.mark.parametrize("deadly", [ChangeLife({BO: -30}), ChangePoison({BO: 10})])
def test_a_player_who_cannot_lose_stays_until_the_hold_is_taken_off(deadly):
    log = play(Hold(BO, True, False), deadly)
    assert out(log) == {}

    log.append(Hold(BO, *OFF))

    assert out(log) == {BO: "life" if isinstance(deadly, ChangeLife) else "poison"}


def test_a_player_who_cannot_lose_at_0_life_wins_at_21():
    log = play(Hold(ANN, True, False), ChangeLife({ANN: -25}), hit(ANN, BO, 21))

    assert ended(log) == ("won", ANN, "victory points")


def test_a_player_who_cannot_win_at_21_plays_on_until_the_hold_is_taken_off():
    log = play(Hold(ANN, False, True), hit(ANN, BO, 21))
    assert ended(log) == IN_PROGRESS

    log.append(Hold(ANN, *OFF))

    assert ended(log) == ("won", ANN, "victory points")
    assert ledger(log) == [(2, ANN, COMBAT, 21, 21)]


def test_a_player_who_cannot_win_at_21_makes_no_draw_and_loses_at_0_life():
    at_21 = hit(ANN, BO, 21)
    drawn = play(Hold(ANN, False, True), together(at_21, hit(CY, BO, 21, infect=True)))
    lost = play(Hold(ANN, False, True), together(at_21, hit(None, ANN, 25, "other")))

    assert ended(drawn) == ("won", CY, "victory points")
    assert (out(lost), ended(lost)) == ({ANN: "life"}, IN_PROGRESS)


def test_both_holds_taken_off_at_0_life_and_21_points_lose():
    deadly = together(hit(ANN, BO, 21), hit(None, ANN, 25, "other"))
    log = play(Hold(ANN, True, True), deadly, Hold(ANN, *OFF))

    assert out(log) == {ANN: "life"}
    assert ended(log) == IN_PROGRESS


@pytest.mark.parametrize(
    ("hold", "move", "end", "left"),
    [
        (Hold(BO, False, True), Lose((BO,)), IN_PROGRESS, {BO: "card effect"}),
        (Hold(BO, True, False), Win(BO), ("won", BO, "card effect"), {}),
        (Hold(BO, *OFF), Win(BO), ("won", BO, "card effect"), {}),
    ],
)
def test_hold_stops_nothing_else(hold, move, end, left):
    log = play(hold, move)

    assert ended(log) == end
    assert out(log) == left


def test_several_gain_and_one_gains():
    said = plain(ChangeLife({ANN: 1, BO: 1, CY: -2}).sentence(), NAMES)

    assert said == "Ann and Bo gain 1 life; Cy loses 2 life"
