"""Conceding, alone and all together (906.10g, 906.10h; 000)."""

import pytest

from scoring.rules.formats import (
    COALITION_906,
    COALITION_2026,
    COALITION_README,
    COALITION_README_21,
)
from scoring.rules.moves import Concede, ConcedeTo, Hold, Lose

from .asking import BONUS, COMBAT, CONCESSION, IN_PROGRESS, ended, ledger, out, points
from .play import ANN, BO, CY, DI, every_ruleset, game, hit, play


@every_ruleset
def test_conceding_voids_the_points_of_the_game(ruleset):
    log = play(hit(BO, CY, 7), hit(BO, DI, 4), Concede(BO), start=game(ruleset))

    assert ledger(log) == [
        (1, BO, COMBAT, 7, 7),
        (2, BO, COMBAT, 4, 4),
        (3, BO, CONCESSION, 0, -11),
    ]
    assert points(log) == {ANN: 0, BO: 0, CY: 0, DI: 0}
    assert out(log) == {BO: "conceded"}
    assert log.state.barred == {BO}
    assert ended(log) == IN_PROGRESS


@pytest.mark.parametrize(
    ("ruleset", "bonus"),
    [(COALITION_906, 18), (COALITION_README, 5), (COALITION_README_21, 5), (COALITION_2026, 18)],
)
def test_conceding_as_the_last_opponent_has_the_penalty_too(ruleset, bonus):
    moves = hit(ANN, BO, 3), hit(DI, BO, 9), Concede(BO), Concede(CY), Concede(DI)
    log = play(*moves, start=game(ruleset))

    assert ledger(log) == [
        (1, ANN, COMBAT, 3, 3),
        (2, DI, COMBAT, 9, 9),
        (5, DI, CONCESSION, 0, -9),
        (5, ANN, BONUS, 0, bonus),
    ]
    assert ended(log) == ("won", ANN, "last player standing")
    assert log.state.barred == {BO, CY, DI}


@pytest.mark.parametrize(
    ("ruleset", "so_far", "bonus"),
    [
        (COALITION_906, 20, 1),
        (COALITION_906, 21, None),
        (COALITION_README, 0, 26),
        (COALITION_README, 21, 5),
        (COALITION_README_21, 0, 21),
        (COALITION_README_21, 18, 3),
        (COALITION_README_21, 21, None),
    ],
)
def test_conceding_together_gives_one_bonus_and_no_penalty(ruleset, so_far, bonus):
    """Ann is on hold as can't win, so that she may have 21 and the game still go on."""
    scored = [hit(ANN, BO, so_far)] if so_far else []
    log = play(Hold(ANN, False, True), hit(BO, CY, 8), *scored, ConcedeTo(ANN), start=game(ruleset))

    last = 3 + len(scored)
    assert ledger(log)[1 + len(scored) :] == ([(last, ANN, BONUS, 0, bonus)] if bonus else [])
    assert points(log) == {ANN: so_far + (bonus or 0), BO: 8, CY: 0, DI: 0}
    assert out(log) == {BO: "conceded", CY: "conceded", DI: "conceded"}
    assert log.state.barred == set()
    assert ended(log) == ("won", ANN, "conceded to")


@every_ruleset
def test_conceding_together_spares_who_is_left_and_nobody_who_conceded_before(ruleset):
    moves = hit(BO, CY, 8), hit(DI, CY, 4), Concede(DI), Lose((CY,), "decked"), ConcedeTo(ANN)
    log = play(*moves, start=game(ruleset))

    assert (points(log)[BO], points(log)[DI]) == (8, 0)
    assert out(log) == {BO: "conceded", CY: "decked", DI: "conceded"}
    assert log.state.barred == {DI}
    assert ended(log) == ("won", ANN, "conceded to")


@pytest.mark.parametrize("move", [Concede(BO), ConcedeTo(ANN), ConcedeTo(BO)])
def test_conceding_is_never_refused_against_a_hold(move):
    log = play(Hold(BO, True, True), Hold(ANN, True, True), move)

    assert out(log)
