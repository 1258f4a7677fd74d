"""The turn marker and the monarch: what moves them, and whom they pass on to."""

import pytest

from scoring.rules.moves import (
    ChangeLife,
    Concede,
    ConcedeTo,
    CrownMonarch,
    Draw,
    Hold,
    Lose,
    MoveHero,
    PassTurn,
    SwapPlaces,
    Win,
)
from scoring.rules.state import Zone

from .play import ANN, BO, CY, DI, every_ruleset, game, hit, play, refusal, together


@pytest.mark.parametrize(
    ("moves", "active"),
    [
        ([], CY),
        ([PassTurn()], DI),
        ([PassTurn(), PassTurn()], ANN),
        ([Lose((DI,)), PassTurn()], ANN),
        ([Lose((DI, ANN)), PassTurn()], BO),
        ([PassTurn(ANN)], ANN),
        ([SwapPlaces(DI, ANN), PassTurn()], ANN),
        ([SwapPlaces(CY, ANN), PassTurn()], BO),
        ([SwapPlaces(DI, ANN), SwapPlaces(ANN, BO), PassTurn(), PassTurn()], DI),
    ],
)
@every_ruleset
def test_turn_goes_to_the_next_in_the_game_or_the_named_player(ruleset, moves, active):
    log = play(*moves, start=game(ruleset, first=CY))

    assert log.state.active == active


@pytest.mark.parametrize(
    ("move", "active"),
    [
        (hit(BO, CY, 1), BO),
        (hit(BO, CY, 1, "hero"), ANN),
        (hit(BO, CY, 1, "other"), ANN),
        (together(hit(BO, CY, 1), hit(CY, BO, 1)), CY),
        (together(hit(CY, BO, 1), hit(DI, CY, 1, "hero")), CY),
    ],
)
@every_ruleset
def test_marker_follows_the_last_combat_hit_listed(ruleset, move, active):
    assert play(move, start=game(ruleset)).state.active == active


@pytest.mark.parametrize(
    ("moving", "is_new"),
    [
        ([hit(ANN, BO, 1)], False),
        ([PassTurn(ANN)], True),
        ([hit(BO, CY, 1), hit(ANN, CY, 1)], True),
        ([PassTurn(DI), Lose((DI,))], True),
        ([together(hit(BO, CY, 1), hit(ANN, CY, 1)), PassTurn(ANN)], True),
    ],
)
def test_new_turn_begins_also_for_the_same_player(moving, is_new):
    """A hero goes to hand once a turn: that shows whether a new turn has begun."""
    log = play(MoveHero(ANN, Zone.HAND), MoveHero(ANN, Zone.OUTSIDE), *moving)

    if is_new:
        log.append(MoveHero(ANN, Zone.HAND))
    else:
        assert refusal(log, MoveHero(ANN, Zone.HAND)).code == "hero_once_a_turn"


@pytest.mark.parametrize(
    ("moves", "monarch"),
    [([], None), ([CrownMonarch(CY)], CY), ([CrownMonarch(CY), CrownMonarch(None)], None)],
)
def test_nobody_is_monarch_until_a_card_says_so(moves, monarch):
    assert play(hit(ANN, BO, 1), *moves).state.monarch == monarch


@pytest.mark.parametrize(
    ("move", "monarch"),
    [
        (hit(BO, ANN, 1), BO),
        (hit(BO, ANN, 1, "hero"), ANN),
        (hit(BO, ANN, 1, "other"), ANN),
        (hit(BO, CY, 1), ANN),
        (hit(ANN, ANN, 1), ANN),
        # Of several the last one listed, and only hits on the monarch as of before the event.
        (together(hit(BO, ANN, 1), hit(CY, ANN, 1)), CY),
        (together(hit(CY, ANN, 1), hit(BO, ANN, 1)), BO),
        (together(hit(BO, ANN, 1), hit(ANN, ANN, 1)), ANN),
        # Whose source is still in the game.
        (together(hit(BO, ANN, 1), hit(CY, ANN, 1), hit(None, CY, 25, "other")), BO),
        (together(hit(CY, ANN, 1), hit(None, CY, 25, "other")), ANN),
        # The monarch leaves: the active player, who has attacked, becomes it.
        (hit(BO, ANN, 10, infect=True), BO),
        (together(hit(CY, DI, 1), hit(None, ANN, 25, "other")), CY),
        # A hit on who has only become the monarch by this event does not count.
        (together(hit(BO, CY, 1), hit(CY, DI, 1), hit(None, ANN, 25, "other")), CY),
        # The active attacker leaves too: the next in turn order.
        (together(hit(CY, ANN, 25, "other"), hit(CY, DI, 1), hit(None, CY, 25, "other")), DI),
        # The game is over: nothing moves the crown any more.
        (hit(BO, ANN, 21), ANN),
    ],
)
@every_ruleset
def test_monarch_changes_by_combat_damage_after_state_based_actions(ruleset, move, monarch):
    """003 25: Combat damage to the monarch makes the creature's controller the monarch."""
    assert play(CrownMonarch(ANN), move, start=game(ruleset)).state.monarch == monarch


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ([CrownMonarch(BO), Concede(BO)], (ANN, ANN)),
        ([CrownMonarch(ANN), Concede(ANN)], (BO, BO)),
        ([CrownMonarch(ANN), Lose((ANN, BO))], (CY, CY)),
        ([CrownMonarch(CY), PassTurn(DI), Lose((BO, CY, DI))], (ANN, ANN)),
        ([CrownMonarch(DI), ConcedeTo(BO)], (BO, BO)),
        ([CrownMonarch(CY), PassTurn(BO), Lose((ANN, BO, CY, DI))], (BO, CY)),
        ([CrownMonarch(CY), Win(BO)], (ANN, CY)),
        ([CrownMonarch(CY), Draw()], (ANN, CY)),
        ([CrownMonarch(CY), Hold(CY, True, False), ChangeLife({CY: -25})], (ANN, CY)),
        ([Lose((BO,))], (ANN, None)),
        ([PassTurn(DI), Lose((DI, ANN))], (BO, None)),
        # The attacker dies by the very event: the marker moves to Cy, and on from there.
        ([together(hit(CY, BO, 1), hit(None, CY, 25, "other"))], (DI, None)),
        # Also when it ends the game.
        ([Lose((ANN, BO, CY))], (DI, None)),
        ([PassTurn(DI), ConcedeTo(BO)], (BO, None)),
        ([hit(CY, BO, 21)], (CY, None)),
        ([together(hit(CY, BO, 21), hit(DI, BO, 21))], (DI, None)),
    ],
)
@every_ruleset
def test_marker_and_monarch_pass_on_from_a_player_who_left(ruleset, moves, expected):
    """003 27: A monarch who leaves passes it to the active player, or from the own turn to the
    next.
    """
    state = play(*moves, start=game(ruleset)).state

    assert (state.active, state.monarch) == expected
