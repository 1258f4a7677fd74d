"""Who fell when: how many opponents each player outlasted."""

from __future__ import annotations

from scoring.rules import feats
from scoring.rules.corrections import Undo
from scoring.rules.formats import CONSPIRACY, LEVELER, REALM_WARS
from scoring.rules.moves import Concede, Draw, Lose, Win

from .play import ANN, BO, CY, DI, game, hit, play, together


def outlasted(*entries, ruleset=LEVELER) -> dict[int, int]:
    return dict(sorted(feats.outlasted(play(*entries, start=game(ruleset))).items()))


def test_whoever_falls_later_has_outlasted_more():
    fell = outlasted(hit(ANN, CY, 30), Concede(ANN), Lose((DI,), "it was time"))

    assert fell == {ANN: 1, BO: 3, CY: 0, DI: 2}


def test_who_fall_by_one_event_fall_together():
    fell = outlasted(Concede(DI), together(hit(ANN, BO, 30), hit(ANN, CY, 30)))

    assert fell == {ANN: 3, BO: 1, CY: 1, DI: 0}


def test_whoever_wins_outlasts_all_and_the_others_who_still_played_those_who_fell():
    assert outlasted(Lose((DI,), "x"), Win(ANN)) == {ANN: 3, BO: 1, CY: 1, DI: 0}


def test_who_share_a_draw_outlasted_those_who_fell():
    assert outlasted(Lose((DI,), "x"), Draw(), ruleset=CONSPIRACY) == {ANN: 1, BO: 1, CY: 1, DI: 0}


def test_a_fall_that_was_taken_back_does_not_count():
    assert outlasted(Concede(DI), Undo(), Win(ANN)) == {ANN: 3, BO: 0, CY: 0, DI: 0}


def test_in_a_team_nobody_falls_alone():
    assert outlasted(Concede(DI), ruleset=REALM_WARS) == {}
