"""Leveler: damage and empty libraries bring the next sub-decks."""

import pytest

from scoring.rules.damage import DealDamage
from scoring.rules.formats.leveler import LEVELER, OVERDRAWN, Overdraw, UseUpLibrary
from scoring.rules.moves import Lose
from tests.scoring.rules.asking import ended, of_each, out
from tests.scoring.rules.at_random import games
from tests.scoring.rules.play import ANN, BO, CY, game, hit, play

START = game(LEVELER, players=3)


def test_a_game_starts_with_30_life_on_the_first_level():
    """002 6: Players begin at 30 life.
    002 7: The first sub-deck is the library.
    """
    log = play(start=START)

    assert of_each(log, "life") == {ANN: 30, BO: 30, CY: 30}
    assert of_each(log, "taken") == {ANN: 0, BO: 0, CY: 0}
    assert of_each(log, "level") == {ANN: 1, BO: 1, CY: 1}


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ([], ("exile", "exile")),
        ([hit(ANN, BO, 10)], ("reached", "exile")),
        ([hit(ANN, BO, 20)], ("reached", "reached")),
        ([UseUpLibrary((BO,))], ("no exile", "exile")),
        ([UseUpLibrary((BO,))] * 2, ("no exile", "no exile")),
    ],
)
def test_each_mark_has_its_word(entries, words):
    """002 8: The other two wait outside the game."""
    player = play(*entries, start=START).state.players[BO]

    assert player.marks == ((10, words[0]), (20, words[1]))


@pytest.mark.parametrize("before", [[], [hit(ANN, BO, 10)], [hit(ANN, BO, 20)]])
def test_drawing_from_an_empty_library_loses_at_every_level(before):
    log = play(*before, Overdraw((BO,)), start=START)

    assert out(log) == {BO: OVERDRAWN}


def test_all_who_overdraw_together_share_the_draw_and_who_lost_before_does_not():
    log = play(Lose((CY,)), Overdraw((ANN, BO)), start=START)

    assert (ended(log), log.state.drew) == (("drawn", None, "all players lost"), (ANN, BO))


def test_nobody_has_taken_damage_and_stayed_below_its_level():
    """002 12: All three are state-based actions: they happen at once, and again until nothing
    changes.
    """
    for log in games(LEVELER):
        dealt = [line.move for line in log.lines if isinstance(line.move, DealDamage)]
        for seat in log.state.in_game:
            player = log.state.players[seat]
            assert player.level >= 1 + (player.taken >= 10) + (player.taken >= 20)
            hits = [hit for move in dealt for hit in move.hits if hit.target == seat]
            assert player.taken == sum(hit.amount for hit in hits)
