"""State-based actions and the ends of a game."""

import pytest

from scoring.rules.formats import COALITION_906, COALITION_2026, COALITION_README
from scoring.rules.moves import ChangeLife, ChangePoison, Draw, Hold, Lose, Win

from .asking import BONUS, COMBAT, IN_PROGRESS, ended, ledger, out, points
from .play import ANN, BO, CY, DI, every_ruleset, game, hit, play, together

ANN_AT_21 = (Hold(ANN, False, True), hit(ANN, CY, 21))


@pytest.mark.parametrize(
    ("move", "left"),
    [
        (ChangeLife({BO: -24}), {}),
        (ChangeLife({BO: -25}), {BO: "life"}),
        (ChangePoison({BO: 9}), {}),
        (ChangePoison({BO: 10}), {BO: "poison"}),
        (hit(None, BO, 24, "other"), {}),
        (hit(None, BO, 25, "other"), {BO: "life"}),
        (hit(None, BO, 9, "other", infect=True), {}),
        (hit(None, BO, 10, "other", infect=True), {BO: "poison"}),
        (hit(ANN, BO, 1, toxic=9), {}),
        (hit(ANN, BO, 1, toxic=10), {BO: "poison"}),
        (together(hit(ANN, BO, 9, infect=True), hit(CY, BO, 1, infect=True)), {BO: "poison"}),
        (together(hit(None, BO, 25, "other"), hit(CY, BO, 10, infect=True)), {BO: "life"}),
        (ChangeLife({BO: -25, CY: -25}), {BO: "life", CY: "life"}),
    ],
)
@every_ruleset
def test_player_is_out_at_0_life_or_10_poison(ruleset, move, left):
    log = play(move, start=game(ruleset))

    assert out(log) == left
    assert ended(log) == IN_PROGRESS


AT_21, TIED = ("won", ANN, "victory points"), ("drawn", None, "victory points")
LAST, NOBODY = ("won", ANN, "last player standing"), ("drawn", None, "all players lost")
ALL = (ANN, BO, CY, DI)
UNSOURCED = [hit(None, seat, 25, "other") for seat in ALL]


@pytest.mark.parametrize(
    ("moves", "end", "left"),
    [
        # One at 21 wins, and who was losing is not told as out.
        ([hit(ANN, BO, 21)], AT_21, {}),
        ([together(hit(ANN, BO, 25), hit(ANN, CY, 25, "other"))], AT_21, {}),
        # Two or more at 21 at once: a draw; one who is also losing counts.
        ([together(hit(ANN, BO, 21), hit(CY, DI, 21))], TIED, {}),
        ([together(hit(ANN, BO, 25), hit(BO, ANN, 21))], TIED, {}),
        ([together(hit(ANN, BO, 21), hit(BO, CY, 21), hit(CY, ANN, 30))], TIED, {}),
        # Who would win and lose at once loses.
        ([together(hit(ANN, BO, 21), UNSOURCED[0])], IN_PROGRESS, {ANN: "life"}),
        (
            [together(hit(ANN, BO, 21, infect=True), hit(BO, ANN, 10, infect=True))],
            IN_PROGRESS,
            {ANN: "poison", BO: "poison"},
        ),
        # One player left wins, none left is a draw.
        ([ChangeLife({BO: -25, CY: -30, DI: -25})], LAST, dict.fromkeys(ALL[1:], "life")),
        (
            [Lose((BO,), "decked"), ChangePoison({CY: 10}), ChangeLife({DI: -25})],
            LAST,
            {BO: "decked", CY: "poison", DI: "life"},
        ),
        ([ChangeLife(dict.fromkeys(ALL, -25))], NOBODY, dict.fromkeys(ALL, "life")),
        ([together(hit(ANN, BO, 21), *UNSOURCED)], NOBODY, dict.fromkeys(ALL, "life")),
        # The one left wins on hold or not.
        ([ANN_AT_21[0], Lose(ALL[1:])], LAST, dict.fromkeys(ALL[1:], "card effect")),
        # By cards and by agreement.
        ([Win(BO)], ("won", BO, "card effect"), {}),
        ([Lose((BO, CY), "decked")], IN_PROGRESS, {BO: "decked", CY: "decked"}),
        ([Draw()], ("drawn", None, "agreed"), {}),
        ([Lose((BO,)), Draw("time")], ("drawn", None, "time"), {BO: "card effect"}),
    ],
)
@every_ruleset
def test_state_based_actions_end_a_game_or_put_players_out(ruleset, moves, end, left):
    log = play(*moves, start=game(ruleset))

    assert ended(log) == end
    assert out(log) == left


@pytest.mark.parametrize("so_far", [0, 20])
@pytest.mark.parametrize(
    ("ruleset", "bonus"),
    [
        (COALITION_906, lambda so_far: 21 - so_far),
        (COALITION_README, lambda so_far: 5),
        (COALITION_2026, lambda so_far: 21 - so_far),
    ],
    ids=["coalition-906", "coalition-readme", "coalition-2026"],
)
@pytest.mark.parametrize(
    "last", [Win(ANN), Lose((BO, CY, DI)), ChangeLife({BO: -99, CY: -99, DI: -99})]
)
def test_winner_by_any_means_gets_the_bonus(ruleset, bonus, so_far, last):
    scored = [hit(ANN, CY, so_far)] if so_far else []
    log = play(*scored, last, start=game(ruleset))

    number = len(scored) + 1
    assert ledger(log)[len(scored) :] == [(number, ANN, BONUS, 0, bonus(so_far))]
    assert points(log) == {ANN: so_far + bonus(so_far), BO: 0, CY: 0, DI: 0}


@pytest.mark.parametrize(
    ("ruleset", "rows", "total"),
    [
        (COALITION_906, [], 21),
        (COALITION_README, [(3, ANN, BONUS, 0, 5)], 26),
        (COALITION_2026, [], 21),
    ],
)
def test_bonus_of_a_winner_who_has_21_already(ruleset, rows, total):
    log = play(*ANN_AT_21, Lose((BO, CY, DI)), start=game(ruleset))

    assert ledger(log) == [(2, ANN, COMBAT, 21, 21), *rows]
    assert points(log)[ANN] == total


@pytest.mark.parametrize(
    "last",
    [
        Draw(),
        Lose((ANN, BO, CY, DI)),
        together(hit(ANN, BO, 30), hit(BO, ANN, 30)),
    ],
)
@every_ruleset
def test_draw_gives_nobody_a_bonus(ruleset, last):
    log = play(hit(ANN, BO, 4), hit(CY, ANN, 3), last, start=game(ruleset))

    assert ended(log)[:2] == ("drawn", None)
    assert all(reason in (COMBAT, "hero") for _, _, reason, _, _ in ledger(log))
    assert points(log)[CY] == 3


def test_player_out_neither_wins_nor_stops_a_win():
    """Ann was put out at 21; Bo, who comes to 21 later, wins alone."""
    log = play(
        together(hit(ANN, CY, 21), hit(None, ANN, 25, "other")), hit(BO, CY, 21, infect=True)
    )

    assert ended(log) == ("won", BO, "victory points")
    assert points(log) == {ANN: 21, BO: 21, CY: 0, DI: 0}
