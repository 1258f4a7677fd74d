"""The draft of Conspiracy: rounds and their direction, and what is public of each player."""

import pytest

from scoring.rules.formats.conspiracy_draft import (
    CONSPIRACY_DRAFT,
    BeginRound,
    DraftFaceUp,
    DrawTables,
    EndDraft,
    LeaveDraft,
    PassPacks,
    TakeNote,
    TurnDown,
)
from scoring.rules.formats.conspiracy_draft.state import Note
from scoring.rules.taps import Meanwhile, Seen
from scoring.setlog.codec import read_state, write_state
from tests.scoring.rules.asking import ended, out
from tests.scoring.rules.at_random import games
from tests.scoring.rules.play import ANN, BO, CY, DI, game, play, refusal

START = game(CONSPIRACY_DRAFT, players=4)


def draft(*entries):
    return play(*entries, start=START)


def test_a_player_who_left_is_passed_over():
    log = draft(LeaveDraft(BO))

    assert out(log) == {BO: "left the draft"}
    assert log.state.passes == {ANN: CY, CY: DI, DI: ANN}
    log.append(BeginRound())
    assert log.state.passes == {ANN: DI, DI: CY, CY: ANN}


@pytest.mark.parametrize(
    ("rounds", "headline", "passes", "is_usual"),
    [
        (0, "Pass left · round 1", {ANN: BO, BO: CY, CY: DI, DI: ANN}, True),
        (1, "Pass right · round 2", {ANN: DI, DI: CY, CY: BO, BO: ANN}, True),
        (2, "Pass left · round 3", {ANN: BO, BO: CY, CY: DI, DI: ANN}, False),
        (3, "Pass right · round 4", {ANN: DI, DI: CY, CY: BO, BO: ANN}, False),
    ],
)
def test_packs_go_left_then_right_in_three_rounds_or_more(rounds, headline, passes, is_usual):
    """003 51: Most drafts have three rounds, of a booster pack each for all."""
    state = draft(*[BeginRound()] * rounds).state

    assert (state.headline, state.passes, state.is_usual) == (headline, passes, is_usual)


@pytest.mark.parametrize(
    ("moves", "headline", "left"),
    [
        ([PassPacks()], "Pass left · round 1 · pick 2", 14),
        ([PassPacks()] * 16, "Pass left · round 1 · pick 17", 0),
        ([PassPacks(), PassPacks(), BeginRound()], "Pass right · round 2", 15),
        ([PassPacks(), BeginRound(), PassPacks()], "Pass right · round 2 · pick 2", 14),
    ],
)
def test_picks_are_counted_by_round_where_a_table_likes(moves, headline, left):
    """003 53: All draft and pass together, so that no packs pile up."""
    state = draft(*moves).state

    assert (state.headline, state.pack_left) == (headline, left)


def test_two_phones_that_tap_a_pick_at_once_mean_one():
    seen = START.seen

    assert Seen(PassPacks(), seen).at(START, {}) == PassPacks()
    with pytest.raises(Meanwhile):
        Seen(PassPacks(), seen).at(draft(PassPacks()).state, {})


def test_a_draft_that_was_stored_before_picks_were_counted_is_read():
    stored = write_state(draft(BeginRound()).state)
    assert stored["own"] == [2, 0, ()]

    read = read_state(stored | {"own": [2]})

    assert (read.round, read.passed) == (2, 0)


def test_tables_are_drawn_again_one_draw_after_the_other_for_each_game():
    assert refusal(draft(), DrawTables(1, 2)).code == "still_drafting"
    log = draft(EndDraft(), DrawTables(1, 2), DrawTables(3, 2), DrawTables(1, 3))

    assert [log.state.times_drawn(number) for number in (1, 2, 3, 4)] == [3, 1, 2, 1]
    for late in (DrawTables(1, 3), DrawTables(2, 3)):
        assert refusal(log, late).code == "drawn_again"


def test_cards_stay_face_up_until_they_are_turned_down():
    """003 47: A card drafted face up stays so; some are turned face down once, for an effect."""
    log = draft(
        *(DraftFaceUp(ANN, card) for card in ("Noble Banneret", "Smuggler Captain") * 2),
        DraftFaceUp(BO, "Cogwork Librarian"),
        DraftFaceUp(BO, "Noble Banneret"),
        TurnDown(ANN, "smuggler captain"),
        TakeNote(ANN, "noble banneret", name="Elf", down=True),
        TurnDown(BO, "Cogwork Librarian", into_pack=True),
    )

    assert log.state.players[ANN].face_up == ("Noble Banneret", "Smuggler Captain")
    assert log.state.players[BO].face_up == ("Noble Banneret",)


def test_a_forgotten_note_and_who_goes_home_can_be_entered_after_the_end():
    log = draft(EndDraft(), TakeNote(ANN, "Garbage Fire", 3), LeaveDraft(BO))

    assert (log.state.players[ANN].notes, out(log)) == (
        (Note("Garbage Fire", 3),),
        {BO: "left the draft"},
    )
    assert ended(log) == ("ended", None, "the draft is over")


def test_packs_go_round_all_who_are_there_and_come_back():
    for log in games(CONSPIRACY_DRAFT):
        shown, down = 0, 0
        for line in log.lines:
            state, move = line.after, line.move
            way = [state.in_game[0]]
            while (to := state.passes[way[-1]]) != way[0]:
                way.append(to)
            assert sorted(way) == sorted(state.in_game)
            assert len(way) >= 2
            shown += isinstance(move, DraftFaceUp)
            down += isinstance(move, TurnDown) or (isinstance(move, TakeNote) and move.down)
            assert sum(len(player.face_up) for player in state.players.values()) == shown - down
