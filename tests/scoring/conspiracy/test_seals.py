"""What a browser can do about the seals of a table."""

from scoring.conspiracy.boards import seals
from scoring.rules.formats.conspiracy import CONSPIRACY, PutAgenda
from scoring.rules.formats.conspiracy.zone import sealed
from scoring.rules.moves import Concede, Draw
from tests.scoring.rules.play import ANN, BO, game, play

FIRST, SECOND, OF_BO = (
    sealed(player, f"{number:032x}", "Hymn of the Wilds", ("Forest",))
    for number, player in enumerate((ANN, ANN, BO))
)
SEALED = [PutAgenda(move.player, move.seal) for move in (FIRST, SECOND, OF_BO)]


def places(*moves, tags):
    state = play(*SEALED, *moves, start=game(CONSPIRACY, players=3)).state
    shown = seals(state, sorted(state.players), frozenset(move.seal[:12] for move in tags))
    own, must_tell = ([one[:2] for one in shown[key]] for key in ("own", "must_tell"))
    return own, shown["must_open"], must_tell


def test_a_browser_opens_what_it_sealed_while_its_player_is_in_the_game():
    assert places(tags=[FIRST, OF_BO]) == ([(ANN, 1), (BO, 1)], 0, [])
    assert places(SECOND, tags=[FIRST, SECOND]) == ([(ANN, 1)], 0, [])


def test_of_who_left_a_browser_opens_its_own_seals_and_the_names_of_others_are_told():
    assert places(Concede(BO), tags=[FIRST, OF_BO]) == ([(ANN, 1)], 1, [])
    assert places(Concede(BO), tags=[FIRST]) == ([(ANN, 1)], 0, [(BO, 1)])
    assert places(FIRST, Draw(), tags=[]) == ([], 0, [(ANN, 2), (BO, 1)])
