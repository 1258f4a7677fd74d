"""What everybody at the table is told of the latest event, besides the numbers of the rows."""

import pytest

from scoring.rules.moves import ChangePoison, Concede, CrownMonarch, Hold, Lose, PassTurn, Win

from .asking import news
from .play import ANN, BO, CY, DI, hit, play, together

TOLD = {
    "an ordinary hit": ([hit(ANN, BO, 3)], []),
    "life and poison on their rows": ([hit(ANN, BO, 3, infect=True)], []),
    "two players out at once": (
        [together(hit(ANN, BO, 25, "other"), hit(ANN, CY, 25, "other"))],
        ["Bo is out: no life left", "Cy is out: no life left"],
    ),
    "poison": ([ChangePoison({CY: 10})], ["Cy is out by poison"]),
    "the turn": ([PassTurn()], ["Bo’s turn begins"]),
    "the turn by an attack": ([hit(BO, ANN, 1)], ["Bo’s turn begins"]),
    "the monarch": (
        [CrownMonarch(BO), hit(ANN, BO, 1)],
        ["Ann is the monarch and draws a card at their end step"],
    ),
    "the active player left, the monarch": (
        [CrownMonarch(ANN), Concede(ANN)],
        [
            "Ann leaves the game",
            "The active player left: it is Bo’s turn already",
            "Bo is the monarch and draws a card at their end step",
        ],
    ),
    "a win by points": ([hit(ANN, BO, 21)], ["Ann wins: 21 VP"]),
    "a win with its bonus": (
        [hit(DI, BO, 3), Lose((ANN, BO, CY), "decked")],
        [
            "Ann is out: decked",
            "Bo is out: decked",
            "Cy is out: decked",
            "Di wins: last player in the game",
            "Di +18 VP win bonus",
        ],
    ),
    "points void": (
        [hit(ANN, BO, 3), Concede(ANN)],
        [
            "Ann: 3 VP of this game become 0",
            "Ann leaves the game",
            "The active player left: it is Bo’s turn already",
        ],
    ),
    "nobody can lose": ([Hold(BO, True, False), hit(ANN, BO, 25, "other")], []),
    "a card wins": ([Win(BO, "a card")], ["Bo wins: a card", "Bo +21 VP win bonus"]),
}


@pytest.mark.parametrize(("moves", "told"), TOLD.values(), ids=TOLD)
def test_all_that_an_event_brought_about_is_told_in_order(moves, told):
    assert news(play(*moves)) == told
