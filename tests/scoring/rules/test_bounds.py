"""How long a game's log gets, and how many conspiracies a player has."""

import pytest

from scoring.rules.corrections import Amend, Strike, Undo
from scoring.rules.errors import LogIsNearlyFull, RuleError
from scoring.rules.formats.conspiracy import CONSPIRACY, PutAgenda, PutConspiracy
from scoring.rules.formats.conspiracy.zone import CONSPIRACIES_MAX, seal
from scoring.rules.log import ENTRIES_MAX, LAST_ENTRIES, GameLog, require_room
from scoring.rules.move import Move
from scoring.rules.moves import Concede, Draw, PassTurn
from scoring.rules.state import GameState
from scoring.setlog import document

from .play import ANN, BO, CY, DI, game, game_of, hit, play, play_set, refusal, snapshot

MOVES_MAX = ENTRIES_MAX - LAST_ENTRIES


def turns(number: int) -> list[PassTurn]:
    return [PassTurn()] * number


@pytest.mark.parametrize("entry", [Undo(), Strike(1), Draw(), PassTurn()])
def test_a_full_log_takes_nothing_corrections_count_as_entries(entry):
    log = play(*turns(MOVES_MAX), *[Undo()] * LAST_ENTRIES)

    assert (log.count, refusal(log, entry).code) == (ENTRIES_MAX, "log_is_full")


def after(log: GameLog, move: Move) -> GameState:
    return GameLog.recall(log.start, [line.move for line in log.lines] + [move]).state


@pytest.mark.parametrize("move", [PassTurn(), hit(ANN, BO, 1), Concede(DI)])
def test_the_last_entries_of_a_game_being_scored_take_no_move_that_goes_on(move):
    state = after(play(), move)

    require_room(MOVES_MAX, state, state, kept=LAST_ENTRIES)
    with pytest.raises(LogIsNearlyFull):
        require_room(MOVES_MAX + 1, state, state, kept=LAST_ENTRIES)


@pytest.mark.parametrize("move", [Draw("time"), hit(ANN, BO, 25)])
def test_the_last_entries_of_a_game_being_scored_take_what_ends_it(move):
    start = game(players=2)
    require_room(ENTRIES_MAX, start, after(GameLog(start), move), kept=LAST_ENTRIES)


def test_a_set_log_is_played_up_to_the_bound():
    whole = play_set(game_of(ANN, *turns(ENTRIES_MAX - 1), Draw()))
    beyond = play_set(game_of(ANN, *turns(ENTRIES_MAX), Draw()))

    assert whole.failure is None
    assert (beyond.failure.game, beyond.failure.event) == (1, ENTRIES_MAX + 1)
    assert beyond.failure.refusal.code == "log_is_full"


def test_a_repeated_line_of_a_set_log_counts_as_an_entry():
    line = document.LoggedEntry(PassTurn(), id=document.UUID(int=1))
    lines = document.LoggedGame(ANN, (line,) * (ENTRIES_MAX + 1))

    failure = play_set(lines).failure

    assert (failure.event, failure.refusal.code) == (ENTRIES_MAX + 1, "log_is_full")


def test_a_log_on_record_that_is_longer_is_still_read():
    entries = [PassTurn()] * (ENTRIES_MAX + 5)

    checked = GameLog(game(), entries, bounded=False)
    recalled = GameLog.recall(game(), entries)

    assert snapshot(checked) == snapshot(recalled)
    assert checked.count == ENTRIES_MAX + 5
    assert refusal(recalled, Undo()).code == "log_is_full"


def test_a_log_is_recalled_as_it_was_played():
    entries = [
        *(hit(ANN, BO, 3), hit(BO, CY, 4), hit(CY, DI, 5), PassTurn(), hit(DI, ANN, 6)),
        *(Amend(2, hit(BO, CY, 1)), Undo(), Strike(1), Amend(2, hit(BO, DI, 2)), Undo(4), Undo()),
        *(PassTurn(), Undo(12), Strike(2), hit(ANN, BO, 1)),
    ]
    for length in range(len(entries) + 1):
        strict = play(*entries[:length])
        recalled = GameLog.recall(game(), entries[:length])
        assert (snapshot(recalled), recalled.ever) == (snapshot(strict), strict.ever)


def test_a_log_is_recalled_up_to_an_event():
    entries = [hit(ANN, BO, 3), hit(BO, CY, 4), hit(CY, DI, 5), Strike(1)]

    recalled = GameLog.recall(game(), entries, upto=2)

    assert recalled.lines == play(*entries).lines[:1]
    assert (recalled.count, recalled.taken_back) == (4, {1: 4})


@pytest.mark.parametrize("correction", [Strike(2), Undo(2), Undo(), Amend(3, PassTurn())])
def test_what_is_recalled_corrects_only_what_is_in_force(correction):
    entries = [PassTurn(), Undo(), correction]

    with pytest.raises(RuleError) as caught:
        GameLog.recall(game(), entries)

    assert caught.value.code == "no_such_event"


def put(number: int, player: int = ANN) -> PutConspiracy | PutAgenda:
    """Return a conspiracy of a player, each second one face down."""
    if number % 2:
        return PutConspiracy(player, "Sovereign's Realm")
    return PutAgenda(player, seal(player, str(number), "Natural Unity", ["Elf"]))


def conspiracies(*more) -> GameLog:
    entries = [put(number) for number in range(CONSPIRACIES_MAX)]
    return GameLog(game(CONSPIRACY), [*entries, *more])


@pytest.mark.parametrize("number", [1000, 1001], ids=["face-down", "face-up"])
def test_a_player_has_so_many_conspiracies_and_no_more(number):
    assert refusal(conspiracies(), put(number)).code == "too_many_conspiracies"


def test_a_correction_gives_nobody_more_conspiracies_either():
    log = conspiracies(PutConspiracy(BO, "Sovereign's Realm"))

    refused = refusal(log, Amend(31, PutConspiracy(ANN, "Sovereign's Realm")))

    assert refused.code == "too_many_conspiracies"


def test_a_table_with_more_conspiracies_on_record_goes_on():
    entries = [PutConspiracy(ANN, "Sovereign's Realm")] * (CONSPIRACIES_MAX + 2)
    log = GameLog.recall(game(CONSPIRACY), entries)

    log.append(Undo())
    log.append(hit(ANN, BO, 3))

    assert len(log.lines) == CONSPIRACIES_MAX + 2
