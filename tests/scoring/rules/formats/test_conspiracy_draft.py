"""The draft of Conspiracy: rounds and their direction, and what is public of each player."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.pages import wording
from scoring.rules.errors import RuleError
from scoring.rules.formats.conspiracy_draft import (
    CONSPIRACY_DRAFT,
    BeginRound,
    DraftFaceUp,
    EndDraft,
    LeaveDraft,
    PassPacks,
    Reveal,
    TakeNote,
    TurnDown,
)
from scoring.rules.formats.conspiracy_draft.state import Note
from scoring.rules.moves import PassTurn
from scoring.rules.taps import Meanwhile, Seen
from scoring.setlog.codec import read_state, write_state
from tests.scoring.rules.asking import ended, of_each, out
from tests.scoring.rules.play import ANN, BO, CY, DI, NAMES, game, play, refusal

START = game(CONSPIRACY_DRAFT, players=4)


def draft(*entries):
    return play(*entries, start=START)


def all_in_words(log):
    return [wording.plain(line.move.sentence(), NAMES) for line in log.lines]


@pytest.mark.parametrize(
    ("rounds", "headline", "passes"),
    [
        (0, "Pass left · round 1", {ANN: BO, BO: CY, CY: DI, DI: ANN}),
        (1, "Pass right · round 2", {ANN: DI, DI: CY, CY: BO, BO: ANN}),
        (2, "Pass left · round 3", {ANN: BO, BO: CY, CY: DI, DI: ANN}),
    ],
)
def test_packs_go_left_then_right_and_so_on(rounds, headline, passes):
    state = draft(*[BeginRound()] * rounds).state

    assert (state.headline, state.passes) == (headline, passes)


def test_a_player_who_left_is_passed_over():
    log = draft(LeaveDraft(BO))

    assert out(log) == {BO: "left the draft"}
    assert log.state.passes == {ANN: CY, CY: DI, DI: ANN}
    log.append(BeginRound())
    assert log.state.passes == {ANN: DI, DI: CY, CY: ANN}


def test_three_rounds_are_usual():
    """003 51: Most drafts have three rounds, of a booster pack each for all."""
    usual = [draft(*[BeginRound()] * rounds).state.is_usual for rounds in range(4)]

    assert usual == [True, True, False, False]


@pytest.mark.parametrize(
    ("moves", "headline"),
    [
        ([PassPacks()], "Pass left · round 1 · pick 2"),
        ([PassPacks()] * 14, "Pass left · round 1 · pick 15"),
        ([PassPacks(), PassPacks(), BeginRound()], "Pass right · round 2"),
        ([PassPacks(), BeginRound(), PassPacks()], "Pass right · round 2 · pick 2"),
    ],
)
def test_picks_are_counted_by_round_where_a_table_likes(moves, headline):
    """003 53: All draft and pass together, so that no packs pile up."""
    assert draft(*moves).state.headline == headline


def test_a_pack_has_a_card_less_after_each_pick():
    left = [draft(*[PassPacks()] * picks).state.pack_left for picks in (0, 1, 14, 15, 16)]

    assert left == [15, 14, 1, 0, 0]


def test_two_phones_that_tap_a_pick_at_once_mean_one():
    seen = START.seen

    assert Seen(PassPacks(), seen).at(START, {}) == PassPacks()
    with pytest.raises(Meanwhile):
        Seen(PassPacks(), seen).at(draft(PassPacks()).state, {})


def test_a_draft_that_was_stored_before_picks_were_counted_is_read():
    stored = write_state(draft(BeginRound()).state)
    assert stored["own"] == [2, 0]

    read = read_state(stored | {"own": [2]})

    assert (read.round, read.passed) == (2, 0)


def test_a_card_is_turned_down_with_its_note_or_goes_into_a_pack():
    log = draft(
        DraftFaceUp(ANN, "Noble Banneret"),
        DraftFaceUp(BO, "Cogwork Librarian"),
        TakeNote(ANN, "noble banneret", name="Elf", down=True),
        TurnDown(BO, "Cogwork Librarian", into_pack=True),
    )

    assert of_each(log, "face_up") == {ANN: (), BO: (), CY: (), DI: ()}
    assert all_in_words(log)[2:] == [
        "Ann notes Elf for noble banneret and turns it face down",
        "Bo puts Cogwork Librarian into a booster pack",
    ]


def test_cards_stay_face_up_until_they_are_turned_down():
    """003 47: A card drafted face up stays so; some are turned down once, for an effect."""
    log = draft(
        DraftFaceUp(ANN, "Noble Banneret"),
        DraftFaceUp(ANN, "Smuggler Captain"),
        DraftFaceUp(ANN, "Noble Banneret"),
        DraftFaceUp(BO, "Noble Banneret"),
        TurnDown(ANN, "noble banneret"),
    )

    assert log.state.players[ANN].face_up == ("Smuggler Captain", "Noble Banneret")
    assert log.state.players[BO].face_up == ("Noble Banneret",)


def test_revealed_cards_and_notes_stay_in_order():
    """003 48: A card that is revealed as it is drafted then lies face down with the others."""
    log = draft(
        Reveal(CY, "Garbage Fire"),
        TakeNote(CY, "Garbage Fire", 4),
        TakeNote(CY, "Garbage Fire", 0),
        TakeNote(ANN, "Noble Banneret", name="Llanowar Elves"),
        TakeNote(ANN, "Spire Phantasm", 1, "Fork"),
    )

    ann, _, cy, _ = log.state.players.values()
    assert (cy.revealed, cy.notes) == (
        ("Garbage Fire",),
        (Note("Garbage Fire", 4), Note("Garbage Fire", 0)),
    )
    assert ann.notes == (
        Note("Noble Banneret", None, "Llanowar Elves"),
        Note("Spire Phantasm", 1, "Fork"),
    )
    assert all_in_words(log) == [
        "Cy reveals Garbage Fire",
        "Cy notes 4 for Garbage Fire",
        "Cy notes 0 for Garbage Fire",
        "Ann notes Llanowar Elves for Noble Banneret",
        "Ann notes 1, Fork for Spire Phantasm",
    ]


def test_the_end_of_a_draft_has_no_winner():
    log = draft(BeginRound(), EndDraft())

    assert ended(log) == ("ended", None, "the draft is over")
    assert (log.state.winners, log.state.drew) == ((), ())


@pytest.mark.parametrize(
    ("before", "move", "code"),
    [
        ([], TakeNote(ANN, "Garbage Fire"), "nothing_noted"),
        ([], TurnDown(ANN, "Fork"), "not_face_up"),
        ([DraftFaceUp(BO, "Fork")], TurnDown(ANN, "Fork"), "not_face_up"),
        ([], TakeNote(ANN, "Fork", 1, down=True), "not_face_up"),
        ([EndDraft()], PassPacks(), "game_over"),
        ([LeaveDraft(BO)], DraftFaceUp(BO, "Fork"), "not_in_game"),
        ([LeaveDraft(BO)], Reveal(BO, "Fork"), "not_in_game"),
        ([LeaveDraft(BO)], TakeNote(BO, "Fork", 1), "not_in_game"),
        ([LeaveDraft(BO)], LeaveDraft(BO), "not_in_game"),
        ([LeaveDraft(BO), LeaveDraft(CY)], LeaveDraft(DI), "last_at_draft"),
        ([], PassTurn(), "not_of_this_format"),
    ],
)
def test_impossible_moves_are_refused(before, move, code):
    """003 47: A card drafted face up stays so; some are turned down once, for an effect.
    003 48: A card that is revealed as it is drafted then lies face down with the others.
    """
    assert refusal(draft(*before), move).code == code


def test_a_name_with_braces_is_quoted_as_it_is():
    refused = refusal(draft(DraftFaceUp(ANN, "A{x}")), TurnDown(ANN, "{player}"))

    assert refused.message(NAMES).startswith("Ann has no {player} face up.")


def test_a_forgotten_note_and_who_goes_home_can_be_entered_after_the_end():
    log = draft(EndDraft(), TakeNote(ANN, "Garbage Fire", 3), LeaveDraft(BO))

    assert (log.state.players[ANN].notes, out(log)) == (
        (Note("Garbage Fire", 3),),
        {BO: "left the draft"},
    )
    assert log.state.is_over


def test_changes_are_worded_as_before_and_after():
    log = draft(DraftFaceUp(ANN, "Fork"), TakeNote(ANN, "Fork", 3, "Elf"), BeginRound())

    assert draft(PassPacks()).state.changes(START) == ["pick 1 → 2"]
    assert log.state.changes(START) == ["round 1 → 2"]
    assert log.state.players[ANN].changes(START.players[ANN]) == [
        "face up: nothing → Fork",
        "noted: nothing → 3, Elf for Fork",
    ]
    assert log.state.players[BO].changes(START.players[BO]) == []


seats = st.integers(1, 4)
cards = st.sampled_from(["Fork", "fork", "Ogre"])
moves = st.one_of(
    st.builds(BeginRound),
    st.builds(PassPacks),
    st.builds(DraftFaceUp, seats, cards),
    st.builds(TurnDown, seats, cards),
    st.builds(LeaveDraft, seats),
    st.builds(TakeNote, seats, cards, st.none() | st.integers(0, 9), st.just("") | cards),
)


@given(st.lists(moves, max_size=30))
def test_packs_go_round_all_who_are_there_and_come_back(entries):
    log = draft()
    for entry in entries:
        try:
            log.append(entry)
        except RuleError:
            continue
        state = log.state
        way = [state.in_game[0]]
        while (to := state.passes[way[-1]]) != way[0]:
            way.append(to)
        assert sorted(way) == sorted(state.in_game)
        assert len(way) >= 2
        shown, down = (
            sum(isinstance(line.move, of) for line in log.lines) for of in (DraftFaceUp, TurnDown)
        )
        assert sum(len(player.face_up) for player in state.players.values()) == shown - down
