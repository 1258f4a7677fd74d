"""Leveler: damage and empty libraries bring the next sub-decks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.damage import DealDamage
from scoring.rules.formats.leveler import LEVELER, OVERDRAWN, Overdraw, UseUpLibrary
from scoring.rules.moves import ChangeLife, Hold, Lose
from tests.scoring.rules.asking import effects_in_words, ended, news, of_each, out
from tests.scoring.rules.play import ANN, BO, CY, game, hit, play

START = game(LEVELER, players=3)


def levels(*entries):
    log = play(*entries, start=START)
    return {seat: player.level for seat, player in sorted(log.state.players.items())}


def test_a_game_starts_with_30_life_on_the_first_level():
    """002 6: Players begin at 30 life.
    002 7: The first sub-deck is the library.
    """
    log = play(start=START)

    assert of_each(log, "life") == {ANN: 30, BO: 30, CY: 30}
    assert of_each(log, "taken") == {ANN: 0, BO: 0, CY: 0}
    assert levels() == {ANN: 1, BO: 1, CY: 1}


@pytest.mark.parametrize(
    ("amounts", "level"), [([9], 1), ([10], 2), ([5, 5], 2), ([10, 9], 2), ([20], 3)]
)
def test_damage_taken_exiles_the_library(amounts, level):
    """002 10: At 10 damage in the game the library is exiled, while the second sub-deck is
    outside.
    002 11: At 20 damage it is exiled while the third sub-deck is outside.
    """
    assert levels(*(hit(ANN, BO, amount) for amount in amounts)) == {ANN: 1, BO: level, CY: 1}


@pytest.mark.parametrize(
    ("entries", "level"),
    [
        ([UseUpLibrary((BO,))], 2),
        ([UseUpLibrary((BO,)), hit(ANN, BO, 10)], 2),  # the second is no longer outside
        ([UseUpLibrary((BO,)), hit(ANN, BO, 20)], 3),
        ([hit(ANN, BO, 10), UseUpLibrary((BO,)), hit(ANN, BO, 10)], 3),
        ([UseUpLibrary((BO,))] * 3, 3),
    ],
)
def test_empty_libraries_and_damage_add_up_to_levels(entries, level):
    """002 11: At 20 damage it is exiled while the third sub-deck is outside."""
    assert levels(*entries)[BO] == level


def test_life_without_damage_is_no_damage_and_gains_take_none_away():
    log = play(
        ChangeLife({BO: -12}), hit(ANN, BO, 9), ChangeLife({BO: 9}), hit(ANN, BO, 1), start=START
    )

    assert (log.state.players[BO].taken, log.state.players[BO].level) == (10, 2)


def test_one_hit_of_twenty_shows_the_whole_chain():
    """002 12: All three are state-based actions: they happen at once, and again until nothing
    changes.
    """
    log = play(hit(ANN, BO, 23), start=START)

    assert effects_in_words(log) == [
        "Bo −23 life",
        "Bo, level 3: 23 damage taken, two libraries exiled",
    ]


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


ALREADY_AT_2 = "Bo: 10 damage taken, already at level 2: nothing is exiled"
LOST_WHEN_DRAWING = "Bo: your last library is used up. You lose when you have to draw"


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([hit(ANN, BO, 9)], []),
        ([hit(ANN, BO, 10)], ["Bo, level 2: exile your library, shuffle in your 30"]),
        ([hit(ANN, BO, 10), hit(ANN, BO, 9)], []),
        (
            [hit(ANN, BO, 10), hit(ANN, BO, 10)],
            ["Bo, level 3: exile your library, shuffle in your 20"],
        ),
        ([hit(ANN, BO, 20)], ["Bo, level 3: exile your library and your 30, shuffle in your 20"]),
        (
            [UseUpLibrary((BO,))],
            ["Bo, level 2: your library is empty, shuffle in your 30"],
        ),
        (
            [UseUpLibrary((BO, CY), "exiled")],
            [
                "Bo, level 2: your library is exiled, shuffle in your 30",
                "Cy, level 2: your library is exiled, shuffle in your 30",
            ],
        ),
        (
            [hit(ANN, BO, 10), UseUpLibrary((BO,))],
            ["Bo, level 3: your library is empty, shuffle in your 20"],
        ),
        ([UseUpLibrary((BO,))] * 3, [LOST_WHEN_DRAWING]),
        ([UseUpLibrary((BO,))] * 4, []),
        ([UseUpLibrary((BO,)), hit(ANN, BO, 10)], [ALREADY_AT_2]),
        ([UseUpLibrary((BO,)), hit(ANN, BO, 10), hit(ANN, BO, 1)], []),
        (
            [UseUpLibrary((BO,)), hit(ANN, BO, 20)],
            ["Bo, level 3: exile your library, shuffle in your 20"],
        ),
        (
            [*[UseUpLibrary((BO,))] * 2, hit(ANN, BO, 10)],
            ["Bo: 10 damage taken, already at level 3: nothing is exiled"],
        ),
        (
            [Hold(BO, True, False), Overdraw((BO,))],
            ["Bo, level 2: your library is empty, shuffle in your 30"],
        ),
    ],
)
def test_players_read_what_they_do_with_their_libraries(entries, expected):
    """002 9: An empty library takes in the next sub-deck that is still outside, shuffled."""
    assert news(play(*entries, start=START)) == expected


def test_the_chain_of_an_emptied_library_is_shown():
    log = play(hit(ANN, BO, 12), UseUpLibrary((BO, CY)), UseUpLibrary((BO,)), start=START)

    assert effects_in_words(log, 1) == [
        "Bo, level 3: library emptied",
        "Cy, level 2: library emptied",
    ]
    assert effects_in_words(log, 2) == ["Bo, no sub-deck left: library emptied"]


@pytest.mark.parametrize("before", [[], [hit(ANN, BO, 10)], [hit(ANN, BO, 20)]])
def test_drawing_from_an_empty_library_loses_at_every_level(before):
    log = play(*before, Overdraw((BO,)), start=START)

    assert out(log) == {BO: OVERDRAWN}


def test_all_who_overdraw_together_share_the_draw_and_who_lost_before_does_not():
    log = play(Lose((CY,)), Overdraw((ANN, BO)), start=START)

    assert (ended(log), log.state.drew) == (("drawn", None, "all players lost"), (ANN, BO))


moves = st.one_of(
    st.builds(
        hit, st.sampled_from([ANN, BO, CY]), st.sampled_from([ANN, BO, CY]), st.integers(1, 25)
    ),
    st.builds(lambda seat: UseUpLibrary((seat,)), st.sampled_from([ANN, BO, CY])),
    st.builds(
        lambda seat, by: ChangeLife({seat: by}), st.sampled_from([ANN, BO, CY]), st.integers(1, 40)
    ),
)


@given(st.lists(moves, max_size=25))
def test_nobody_has_taken_damage_and_stayed_below_its_level(entries):
    """002 12: All three are state-based actions: they happen at once, and again until nothing
    changes.
    """
    log = play(start=START)
    for entry in entries:
        if not log.state.is_over and all(seat in log.state.in_game for seat in named(entry)):
            log.append(entry)
    for seat in log.state.in_game:
        player = log.state.players[seat]
        assert player.level >= 1 + (player.taken >= 10) + (player.taken >= 20)
        assert player.taken == sum(
            one.amount
            for line in log.lines
            if isinstance(line.move, DealDamage)
            for one in line.move.hits
            if one.target == seat
        )


def named(entry):
    if isinstance(entry, DealDamage):
        return [seat for one in entry.hits for seat in (one.source, one.target)]
    return entry.players if isinstance(entry, UseUpLibrary) else list(entry.changes)
