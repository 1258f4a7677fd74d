"""Undo, strike and amend: nothing is deleted, and what came later is played again."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from scoring.rules.corrections import Amend, Strike, Undo
from scoring.rules.formats import COALITION_2026
from scoring.rules.moves import Concede, Draw, Hold, PassTurn, Win
from scoring.setlog import document

from .asking import COMBAT, IN_PROGRESS, ended, ledger, life
from .play import ANN, BO, CY, DI, game_of, hit, play, play_set, refusal


def numbers(log):
    return [line.number for line in log.lines]


def test_undo_after_undo_takes_back_the_event_before():
    log = play(hit(ANN, BO, 3), hit(BO, CY, 4), hit(CY, DI, 5), Undo(), Undo())

    assert (numbers(log), log.taken_back) == ([1], {3: 4, 2: 5})


@pytest.mark.parametrize("named", [1, 3, 99])
def test_undo_of_what_is_not_the_latest_any_more_is_refused(named):
    log = play(hit(ANN, BO, 3), hit(BO, CY, 4))

    assert refusal(log, Undo(named)).code == "not_the_latest"


@pytest.mark.parametrize("entries", [[], [hit(ANN, BO, 3), Undo()], [PassTurn(), Strike(1)]])
def test_undo_of_nothing_is_refused(entries):
    assert refusal(play(*entries), Undo()).code == "nothing_to_undo"


def test_strike_plays_again_what_came_later():
    """Without the 4 the 20 is no longer cut: it is the 20 that leaves Ann below the cap."""
    log = play(hit(ANN, BO, 4), Hold(ANN, False, True), hit(ANN, CY, 20))
    assert [row[4] for row in ledger(log)] == [4, 17]

    log.append(Strike(1))

    assert ledger(log) == [(3, ANN, COMBAT, 20, 20)]
    assert life(log) == {ANN: 25, BO: 25, CY: 5, DI: 25}
    assert (numbers(log), log.taken_back) == ([2, 3], {1: 4})


def test_amended_event_can_be_amended_struck_and_undone():
    again = play(hit(ANN, BO, 3), Amend(1, hit(ANN, BO, 4)), Amend(1, hit(ANN, BO, 5)))
    struck = play(hit(ANN, BO, 3), Amend(1, hit(ANN, BO, 4)), Strike(1))
    undone = play(hit(ANN, BO, 3), Amend(1, hit(ANN, BO, 4)), Undo())

    assert (ledger(again), again.amended, again.taken_back) == (
        [(1, ANN, COMBAT, 5, 5)],
        {1: 3},
        {},
    )
    assert (ledger(struck), struck.taken_back) == ([], {1: 3})
    assert (ledger(undone), undone.taken_back) == ([], {1: 3})


ID, OTHER_ID = UUID(int=1), UUID(int=2)


def logged(entry, id=None, at=None):
    return document.LoggedEntry(entry, id, at)


def one_game(*lines):
    """Return a set of two whose one game has these lines, played."""
    games = (document.LoggedGame(ANN, lines),)
    return document.play(document.SetLog(COALITION_2026, ("Ann", "Bo"), games))


def test_repeated_id_with_the_same_content_keeps_its_number_and_does_nothing():
    played = one_game(
        logged(hit(ANN, BO, 3), ID, datetime(2026, 1, 1, tzinfo=UTC)),
        logged(hit(ANN, BO, 3), ID, datetime(2026, 1, 2, tzinfo=UTC)),
        logged(hit(ANN, BO, 4), OTHER_ID),
        logged(Undo(), UUID(int=3)),
        logged(Undo(), UUID(int=3)),
        logged(hit(ANN, BO, 5)),
        logged(hit(ANN, BO, 5)),
    )

    assert played.failure is None
    assert ledger(played.games[0]) == [
        (1, ANN, COMBAT, 3, 3),
        (6, ANN, COMBAT, 5, 5),
        (7, ANN, COMBAT, 5, 5),
    ]
    assert played.games[0].taken_back == {3: 4}


@pytest.mark.parametrize("other", [hit(ANN, BO, 4), hit(BO, ANN, 3), PassTurn(), Undo()])
def test_repeated_id_with_other_content_is_refused(other):
    played = one_game(logged(hit(ANN, BO, 3), ID), logged(other, ID))

    assert (played.failure.game, played.failure.event) == (1, 2)
    assert played.failure.refusal.code == "id_with_other_content"
    assert ledger(played.games[0]) == [(1, ANN, COMBAT, 3, 3)]


def test_number_of_a_repeated_event_can_not_be_corrected():
    played = one_game(logged(hit(ANN, BO, 3), ID), logged(hit(ANN, BO, 3), ID), logged(Strike(2)))

    assert (played.failure.game, played.failure.event) == (1, 3)
    assert played.failure.refusal.code == "no_such_event"


def test_a_log_without_its_repeated_lines_corrects_the_same_events():
    lines = (
        *(logged(hit(ANN, BO, 3), ID), logged(hit(ANN, BO, 3), ID), logged(hit(ANN, BO, 4))),
        *(logged(Amend(3, hit(ANN, BO, 5)), OTHER_ID), logged(Amend(3, hit(ANN, BO, 5)), OTHER_ID)),
        *(logged(PassTurn()), logged(Strike(6)), logged(Win(BO))),
    )
    again = document.LoggedGame(ANN, (logged(hit(ANN, BO, 3), ID), logged(PassTurn())))
    log = document.SetLog(COALITION_2026, ("Ann", "Bo"), (document.LoggedGame(ANN, lines), again))

    game, other = document.play(document.without_repeats(log)).games

    assert ledger(game)[:2] == [(1, ANN, COMBAT, 3, 3), (2, ANN, COMBAT, 5, 5)]
    assert (game.amended, game.taken_back, game.count) == ({2: 3}, {4: 5}, 6)
    assert numbers(other) == [1]


def test_id_is_unique_in_the_set_not_in_the_game():
    games = (
        document.LoggedGame(ANN, (logged(Win(ANN), ID),)),
        document.LoggedGame(BO, (logged(Win(ANN), ID), logged(PassTurn()))),
    )
    played = document.play(document.SetLog(COALITION_2026, ("Ann", "Bo"), games))

    assert played.failure is None
    assert ended(played.games[1]) == IN_PROGRESS
    assert numbers(played.games[1]) == [2]


def test_later_players_must_fit_a_corrected_earlier_game():
    """Cy's concession became Bo's: now Cy plays game 2 and Bo can't start it."""
    corrected = game_of(ANN, Concede(CY), Draw(), Amend(1, Concede(BO)))

    fits = play_set(corrected, game_of(CY))
    does_not = play_set(corrected, game_of(BO))

    assert list(fits.games[1].state.players) == [CY, DI, ANN]
    assert does_not.failure.refusal.code == "not_there"
