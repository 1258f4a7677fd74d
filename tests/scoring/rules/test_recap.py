"""What players did in a game: who was out when and by what, and whom they outlasted."""

import pytest

from scoring.rules import recap
from scoring.rules.corrections import Undo
from scoring.rules.formats.coalition import COALITION_906
from scoring.rules.formats.conspiracy import CONSPIRACY
from scoring.rules.formats.leveler import LEVELER
from scoring.rules.formats.realm_wars import REALM_WARS
from scoring.rules.moves import Concede, CrownMonarch, Draw, Lose, Win
from scoring.rules.sets import SetState

from .play import ANN, BO, CY, DI, game, hit, play, together

LEVELS, VOTES, WAR = game(LEVELER), game(CONSPIRACY), game(REALM_WARS)


def test_the_games_of_a_set_add_up():
    first, second = play(hit(ANN, BO, 3), CrownMonarch(ANN)), play(hit(ANN, CY, 4))

    assert recap.of_games([first, second], ANN) == ["7 damage dealt", "crowned once"]


@pytest.mark.parametrize(
    ("hits", "since"),
    [
        ([(ANN, BO, 3), (BO, ANN, 2)], (1, 1)),
        ([(ANN, BO, 3), (BO, ANN, 5), (ANN, BO, 1), (ANN, CY, 2)], (2, 1)),
        ([(ANN, BO, 3), (BO, ANN, 3)], None),
    ],
    ids=["never behind", "overtaken, then level, then ahead", "level at the end"],
)
def test_since_when_a_player_was_ahead_for_good(hits, since):
    """The fourth hit is in the second game."""
    logs = [play(*(hit(*one) for one in game)) for game in (hits[:3], hits[3:]) if game]
    state = SetState(COALITION_906, (ANN, BO, CY, DI), tuple(log.state for log in logs))

    found = recap.took_the_lead(state, logs, ANN)

    assert (found and (found[0], found[1].number)) == since


@pytest.mark.parametrize(
    ("start", "entries", "expected"),
    [
        (LEVELS, [hit(ANN, CY, 30), Concede(ANN), Lose((DI,), "x")], (1, 3, 0, 2)),
        (LEVELS, [Concede(DI), together(hit(ANN, BO, 30), hit(ANN, CY, 30))], (3, 1, 1, 0)),
        (LEVELS, [Lose((DI,), "x"), Win(ANN)], (3, 1, 1, 0)),
        (VOTES, [Lose((DI,), "x"), Draw()], (1, 1, 1, 0)),
        (LEVELS, [Concede(DI), Undo(), Win(ANN)], (3, 0, 0, 0)),
    ],
    ids=["one by one", "together", "the winner outlasts all", "a draw", "taken back"],
)
def test_how_many_opponents_each_player_outlasted(start, entries, expected):
    outlasted = recap.outlasted(play(*entries, start=start))

    assert outlasted == dict(zip((ANN, BO, CY, DI), expected, strict=True))


def test_teams_leave_as_one_so_nobody_outlasts_others():
    assert recap.outlasted(play(Concede(DI), start=WAR)) == {}
