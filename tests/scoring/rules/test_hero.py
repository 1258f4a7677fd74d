"""The hero's zone (906.8, 906.9)."""

import pytest

from scoring.rules.moves import MoveHero, PassTurn
from scoring.rules.state import Zone

from .play import ANN, BO, CY, every_ruleset, game, play, refusal

INSIDE = [zone for zone in Zone if zone is not Zone.OUTSIDE]


def at(zone):
    """Return the moves that take Ann's hero to ``zone`` on her first turn."""
    steps = {Zone.OUTSIDE: [], Zone.HAND: [Zone.HAND]}.get(zone, [Zone.HAND, zone])
    return [MoveHero(ANN, step) for step in steps]


@every_ruleset
@pytest.mark.parametrize("to", [zone for zone in INSIDE if zone is not Zone.HAND])
def test_hero_goes_from_outside_to_hand_first(ruleset, to):
    assert refusal(play(start=game(ruleset)), MoveHero(ANN, to)).code == "hero_first_to_hand"


@pytest.mark.parametrize("zone", list(Zone))
def test_hero_to_where_it_already_is_is_refused(zone):
    assert refusal(play(*at(zone)), MoveHero(ANN, zone)).code == "hero_already_there"


@pytest.mark.parametrize(
    ("start", "to"), [(start, to) for start in INSIDE for to in Zone if start is not to]
)
def test_hero_inside_goes_anywhere_on_anybodys_turn(start, to):
    log = play(*at(start), PassTurn(CY), MoveHero(ANN, to))

    assert log.state.players[ANN].hero is to


def test_hero_goes_to_hand_on_the_own_turn_only():
    assert refusal(play(), MoveHero(BO, Zone.HAND)).code == "hero_not_your_turn"
    assert play(PassTurn(), MoveHero(BO, Zone.HAND)).state.players[BO].hero is Zone.HAND


def test_hero_that_came_from_inside_leaves_the_turns_one_way_open():
    """Ann's hero left outside on an earlier turn; its way back outside is no taking to hand."""
    log = play(*at(Zone.GRAVEYARD), PassTurn(ANN), MoveHero(ANN, Zone.OUTSIDE))

    log.append(MoveHero(ANN, Zone.HAND))

    assert log.state.players[ANN].hero is Zone.HAND
