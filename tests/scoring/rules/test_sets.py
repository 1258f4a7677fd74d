"""Sets: how games start, who is still there, how players stand, and when it is over."""

import pytest

from scoring.rules import recap
from scoring.rules.errors import CannotStart
from scoring.rules.formats import COALITION_906, COALITION_2026, COALITION_README, RULESETS
from scoring.rules.moves import (
    ChangeLife,
    Concede,
    CrownMonarch,
    Draw,
    Hold,
    Lose,
    MoveHero,
    PassTurn,
    SwapPlaces,
    Win,
)
from scoring.rules.sets import NextStart, SetState, next_start, standings, start_game, sums
from scoring.rules.state import Zone
from scoring.setlog import document

from .asking import points
from .play import ANN, BO, CY, DI, every_ruleset, game, game_of, hit, play_set

ALL_OVER = (game_of(ANN, Draw()), game_of(BO, Draw()), game_of(CY, Draw()))
BO_DROPPED = (game_of(ANN, Draw()), game_of(ANN, Draw(), dropped=(BO,)))


def ranking(played):
    return [(row.rank, row.player, row.victory_points) for row in standings(played.state)]


def failed(played):
    """Return where and how a set could not be played, and how many games it then has."""
    failure = played.failure
    return failure.game, failure.event, failure.refusal.code, len(played.games)


@every_ruleset
def test_game_starts_fresh_whatever_the_game_before_left(ruleset):
    moves = MoveHero(ANN, Zone.HAND), CrownMonarch(BO), Hold(CY, True, True), hit(ANN, BO, 5)
    played = play_set(game_of(ANN, *moves, Draw()), game_of(BO), ruleset=ruleset)

    assert played.games[1].state == game(ruleset, first=BO)


@pytest.mark.parametrize(
    ("games", "failure"),
    [
        ([game_of(ANN, turn_order=(BO, ANN, CY, DI))], (1, 0, "wrong_turn_order", 0)),
        ([game_of(ANN, turn_order=(ANN, BO, CY))], (1, 0, "wrong_turn_order", 0)),
        ([game_of(ANN), game_of(BO)], (2, 0, "game_in_progress", 1)),
        ([*ALL_OVER, game_of(DI)], (4, 0, "no_further_game", 3)),
        ([game_of(ANN, Concede(BO), Draw()), game_of(BO)], (2, 0, "not_there", 1)),
        ([game_of(ANN, Draw()), game_of(BO, dropped=(BO,))], (2, 0, "not_there", 1)),
        ([*BO_DROPPED, game_of(ANN, dropped=(BO,))], (3, 0, "not_there", 2)),
        ([*BO_DROPPED, game_of(BO)], (3, 0, "not_there", 2)),
        ([game_of(ANN, Draw()), game_of(ANN, dropped=(BO, CY, DI))], (2, 0, "too_few_players", 1)),
        (
            [game_of(ANN, Concede(BO), Concede(CY), Concede(DI)), game_of(ANN)],
            (2, 0, "no_further_game", 1),
        ),
    ],
)
@every_ruleset
def test_game_that_can_not_start_is_refused_with_event_0(ruleset, games, failure):
    assert failed(play_set(*games, ruleset=ruleset)) == failure


def test_refused_start_leaves_the_set_as_it_was():
    """Who is named as dropped by a game that can't start is still there."""
    before = play_set(game_of(ANN, hit(ANN, BO, 3), Draw()))
    refused = play_set(
        game_of(ANN, hit(ANN, BO, 3), Draw()), game_of(BO, dropped=(BO,)), called=True
    )

    assert refused.state == before.state
    assert next_start(refused.state) == NextStart(False, ((BO, CY, DI),))


@every_ruleset
def test_a_player_who_dropped_is_skipped_and_keeps_the_points(ruleset):
    played = play_set(
        game_of(ANN, hit(DI, BO, 9), Draw()),
        game_of(CY, hit(CY, ANN, 2), Draw(), dropped=(DI,)),
        game_of(ANN),
        ruleset=ruleset,
    )

    seated = [list(each.state.players) for each in played.games]
    assert seated == [[ANN, BO, CY, DI], [CY, ANN, BO], [ANN, BO, CY]]
    assert ranking(played) == [(1, DI, 9), (2, CY, 2), (3, ANN, 0), (3, BO, 0)]


@pytest.mark.parametrize(
    ("games", "called", "finished"),
    [
        ([], False, False),
        ([game_of(ANN)], False, False),
        ([game_of(ANN, Draw())], False, False),
        ([game_of(ANN, Draw())], True, True),
        ([*ALL_OVER[:2], game_of(CY)], False, False),
        (ALL_OVER, False, True),
        (ALL_OVER, True, True),
        # Fewer than two can play on.
        ([game_of(ANN, Concede(BO), Concede(CY), Draw())], False, False),
        ([game_of(ANN, Concede(BO), Concede(CY), Concede(DI))], False, True),
        (
            [game_of(ANN, Concede(BO), Draw()), game_of(ANN, Concede(ANN), dropped=(CY,))],
            False,
            True,
        ),
        ([game_of(ANN, Draw()), game_of(ANN, Concede(ANN), dropped=(CY, DI))], False, True),
    ],
)
@every_ruleset
def test_set_is_finished_after_three_games_or_called_or_with_nobody_to_play(
    ruleset, games, called, finished
):
    played = play_set(*games, ruleset=ruleset, called=called)

    assert played.failure is None
    assert played.state.is_finished is finished


@pytest.mark.parametrize("games", [[game_of(ANN)], [game_of(ANN, Draw()), game_of(ANN)]])
def test_set_called_during_a_game_is_refused(games):
    played = play_set(*games, called=True)

    assert failed(played) == (len(games), 0, "game_in_progress", len(games))
    assert not played.state.called


@every_ruleset
def test_no_game_follows_a_finished_set(ruleset):
    state = play_set(game_of(ANN, Draw()), ruleset=ruleset, called=True).state

    with pytest.raises(CannotStart) as caught:
        start_game(state, ANN)

    assert caught.value.code == "no_further_game"


@pytest.mark.parametrize(
    ("ruleset", "expected"),
    [
        (COALITION_906, [(1, BO, 24), (2, ANN, 22), (3, CY, 0), (3, DI, 0)]),
        (COALITION_README, [(1, BO, 24), (2, ANN, 12), (3, CY, 0), (3, DI, 0)]),
        (COALITION_2026, [(1, BO, 24), (2, ANN, 22), (3, CY, 0), (3, DI, 0)]),
    ],
)
def test_standing_sums_the_games_of_the_set(ruleset, expected):
    """Ann: 6, the bonus, and 1 in the game in progress. Bo: 4 and 20."""
    played = play_set(
        game_of(ANN, hit(ANN, BO, 6), hit(BO, ANN, 4), Win(ANN)),
        game_of(BO, hit(BO, CY, 20), Draw()),
        game_of(CY, hit(ANN, CY, 1)),
        ruleset=ruleset,
    )

    assert ranking(played) == expected


@pytest.mark.parametrize(
    ("ruleset", "expected"),
    [
        (COALITION_906, [(1, BO, 8), (2, CY, 5), (3, ANN, 0), (3, DI, 0)]),
        (COALITION_README, [(1, BO, 8), (2, CY, 5), (3, ANN, 0), (3, DI, 0)]),
        (COALITION_2026, [(1, CY, 5), (2, ANN, 0), (2, BO, 0), (2, DI, 0)]),
    ],
)
def test_conceding_later_voids_the_game_or_the_whole_set(ruleset, expected):
    """The entry voids the game's 4 points; in the 2026 rules the standing shows 0 besides."""
    played = play_set(
        game_of(ANN, hit(BO, ANN, 8), hit(CY, ANN, 5), Draw()),
        game_of(BO, hit(BO, ANN, 4), Concede(BO)),
        ruleset=ruleset,
    )

    assert [points(each)[BO] for each in played.games] == [8, 0]
    assert ranking(played) == expected


@every_ruleset
def test_there_is_no_next_start_before_the_first_game_in_a_game_and_after_the_last(ruleset):
    for games in ([], [game_of(ANN)], [*ALL_OVER[:2], game_of(ANN)], ALL_OVER):
        assert next_start(play_set(*games, ruleset=ruleset).state) is None
    assert next_start(play_set(ALL_OVER[0], ruleset=ruleset, called=True).state) is None


@pytest.mark.parametrize(
    ("moves", "groups"),
    [
        ([Draw()], [(ANN, BO, CY, DI)]),
        ([hit(BO, ANN, 3), Draw()], [(ANN, CY, DI), (BO,)]),
        ([hit(BO, ANN, 3), hit(DI, ANN, 3), hit(CY, ANN, 9), Draw()], [(ANN,), (BO, DI), (CY,)]),
        # Who conceded can't play on, so they don't choose.
        ([hit(BO, ANN, 3), Concede(ANN), Draw()], [(CY, DI), (BO,)]),
        ([hit(BO, ANN, 3), hit(CY, ANN, 2), Concede(ANN), Concede(DI), Draw()], [(CY,), (BO,)]),
    ],
)
@every_ruleset
def test_next_start_goes_by_the_lowest_standings_of_those_who_can_play_on(ruleset, moves, groups):
    played = play_set(game_of(ANN, *moves), ruleset=ruleset)

    if ruleset is COALITION_2026:
        assert next_start(played.state) == NextStart(True, tuple(groups))
    else:
        assert next_start(played.state) == NextStart(False, (groups[0],))


@every_ruleset
def test_next_start_counts_all_games_so_far(ruleset):
    played = play_set(
        game_of(ANN, hit(ANN, BO, 3), hit(BO, ANN, 5), hit(CY, ANN, 1), hit(DI, ANN, 1), Draw()),
        game_of(CY, hit(CY, BO, 3), hit(ANN, BO, 1), Draw(), dropped=(DI,)),
        ruleset=ruleset,
    )

    lowest = ((ANN, CY), (BO,))
    assert next_start(played.state).groups == (lowest if ruleset is COALITION_2026 else lowest[:1])


def test_outcome_names_the_next_start():
    games = (game_of(ANN, hit(BO, ANN, 3), Draw()),)

    chosen = document.outcome(play_set(*games))["set"]["next_start"]
    ordered = document.outcome(play_set(*games, ruleset=COALITION_2026))["set"]["next_start"]

    assert chosen == {"chosen_by": ["Ann", "Cy", "Di"]}
    assert ordered == {"turn_order": [["Ann", "Cy", "Di"], ["Bo"]]}


LIVES = ChangeLife({ANN: -10, BO: 5, CY: -3})


@pytest.mark.parametrize(
    ("last_game", "expected"),
    [
        # Everybody has 0 points: life decides, 30, 25, 22, 15.
        ([LIVES, Draw()], [(1, BO), (2, DI), (3, CY), (4, ANN)]),
        ([Draw()], [(1, ANN), (1, BO), (1, CY), (1, DI)]),
        ([ChangeLife({CY: -3}), Draw()], [(1, ANN), (1, BO), (1, DI), (4, CY)]),
        # Who is out by then counts 0, whatever life was left.
        ([LIVES, Lose((BO,)), Draw()], [(1, DI), (2, CY), (3, ANN), (4, BO)]),
        (
            [ChangeLife({ANN: -30}), Lose((BO,)), Draw()],
            [(1, CY), (1, DI), (3, ANN), (3, BO)],
        ),
        # Even below the 0 of who is out: a life total below 0 under a hold is a life total.
        (
            [Hold(ANN, True, False), ChangeLife({ANN: -30}), Lose((BO,)), Draw()],
            [(1, CY), (1, DI), (3, BO), (4, ANN)],
        ),
    ],
)
def test_life_at_the_end_of_game_3_breaks_ties_in_2026(last_game, expected):
    played = play_set(*ALL_OVER[:2], game_of(CY, *last_game), ruleset=COALITION_2026)

    assert ranking(played) == [(rank, seat, 0) for rank, seat in expected]


def test_a_player_not_in_game_3_comes_last_of_the_tied():
    """Ann conceded, Bo dropped, Cy lost game 3 (0 life), Di lives; nobody has points."""
    played = play_set(
        game_of(ANN, Concede(ANN), Draw()),
        game_of(BO, Draw()),
        game_of(CY, Lose((CY,)), dropped=(BO,)),
        ruleset=COALITION_2026,
    )

    assert ranking(played) == [(1, DI, 21), (2, CY, 0), (3, ANN, 0), (3, BO, 0)]


@pytest.mark.parametrize(
    ("ruleset", "games", "called"),
    [
        (COALITION_906, [*ALL_OVER[:2], game_of(CY, LIVES, Draw())], False),
        (COALITION_README, [*ALL_OVER[:2], game_of(CY, LIVES, Draw())], False),
        (COALITION_2026, [game_of(ANN, Draw()), game_of(BO, LIVES, Draw())], True),
        (COALITION_2026, [game_of(ANN, LIVES, Draw())], False),
        (COALITION_2026, [*ALL_OVER[:2], game_of(CY, LIVES)], False),
    ],
)
def test_life_breaks_no_ties_elsewhere_or_in_a_set_finished_early_or_not_yet(
    ruleset, games, called
):
    played = play_set(*games, ruleset=ruleset, called=called)

    assert ranking(played) == [(1, ANN, 0), (1, BO, 0), (1, CY, 0), (1, DI, 0)]


def test_a_set_for_three_goes_on_with_two():
    """The number of players is asked at the set's start, not in its later games."""
    games = game_of(ANN, Concede(BO), Draw()), game_of(ANN)
    played = play_set(*games, ruleset=COALITION_README, players=3)

    assert played.failure is None
    assert list(played.games[1].state.players) == [ANN, CY]


@pytest.mark.parametrize(
    "ruleset", [one for one in RULESETS.values() if one.games == 1], ids=lambda one: one.key
)
def test_nobody_leaves_before_the_only_game(ruleset):
    seats = tuple(range(1, max(filter(ruleset.allows, range(9))) + 1))

    with pytest.raises(CannotStart) as refusal:
        start_game(SetState(ruleset, seats), 2, dropped=(1,))

    assert refusal.value.code == "nobody_leaves_before"


@pytest.mark.parametrize(
    ("moves", "last"),
    [
        ([SwapPlaces(BO, DI), hit(ANN, BO, 5), PassTurn()], BO),  # they sat there by mistake
        ([hit(ANN, BO, 5), PassTurn(), SwapPlaces(ANN, DI)], DI),
    ],
)
def test_who_was_last_is_who_had_the_last_of_the_first_turns(moves, last):
    played = play_set(game_of(ANN, *moves, Draw()))
    orders = [recap.turn_order(game) for game in played.games]

    of = {seat: sums(played.state, seat, orders) for seat in (ANN, BO, DI)}

    assert (of[ANN]["games_first"], of[ANN]["points_first"]) == (1, 5)
    assert [seat for seat in of if of[seat]["games_last"]] == [last]
