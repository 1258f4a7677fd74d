"""What decides a set: by table, and by play that goes on at random from there."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from scoring.record.simulation import random_move
from scoring.rules import deciding, engine, sets
from scoring.rules.deciding import Cause, Course, Decision, Verdict
from scoring.rules.errors import RuleError
from scoring.rules.formats import COALITION_906, COALITION_2026, COALITION_README
from scoring.rules.move import Move
from scoring.rules.moves import ChangeLife, Concede, ConcedeTo, Draw, Hold, Lose, Win
from scoring.rules.ruleset import Ruleset
from scoring.rules.sets import SetState
from scoring.rules.state import GameState, new_game

from .play import ANN, BO, CY, every_ruleset, hit

LOSES, CONCEDES, SCORES = Cause


def course(
    *moves: Move,
    before: tuple[int, ...] = (0, 0, 0),
    number: int = 3,
    ruleset: Ruleset = COALITION_906,
    absent: tuple[int, ...] = (),
) -> Course:
    """Return a set in its game ``number`` after ``moves``; Ann, Bo and Cy had ``before``."""
    points = dict(enumerate(before, 1))
    game = new_game(ruleset, tuple(seat for seat in points if seat not in absent))
    for move in moves:
        game = engine.decide(game, move).state
    return Course(number, points, game)


def decides(at: Course) -> list[tuple[Cause, int, tuple[int, ...], bool, int]]:
    """Return what would decide a set: what happens, to whom, for whom, unless, by how much."""
    return [
        (one.cause, one.player, one.verdict.first, one.verdict.unless_conceding, one.points)
        for one in deciding.deciding(at)
    ]


EITHER_OF_TWO = [
    (LOSES, ANN, (BO,), False, 0),
    (CONCEDES, ANN, (BO,), False, 0),
    (LOSES, BO, (ANN,), False, 0),
    (CONCEDES, BO, (ANN,), False, 0),
]


DECIDED = {
    "nobody has points yet": (course(), None),
    "a lead of a whole game": (course(before=(22, 0, 0)), Verdict((ANN,))),
    "a lead that one game can level": (course(before=(21, 0, 0)), None),
    "the bonus comes on top": (course(before=(22, 0, 0), ruleset=COALITION_README), None),
    "a lead over cap and bonus": (
        course(before=(27, 0, 0), ruleset=COALITION_README),
        Verdict((ANN,)),
    ),
    "two games are left": (course(before=(22, 0, 0), number=2), None),
    "a concession can cost the whole set": (
        course(before=(42, 0, 0), ruleset=COALITION_2026),
        Verdict((ANN,), True),
    ),
    "who plays no more can't catch up": (course(before=(5, 0, 9), absent=(CY,)), None),
    "who plays no more keeps the lead": (course(before=(0, 0, 22), absent=(CY,)), Verdict((CY,))),
    "points of this game can be conceded": (
        course(hit(ANN, BO, 2), before=(20, 0, 0)),
        Verdict((ANN,), True),
    ),
    "the rival is out": (course(Lose((BO,)), before=(22, 21, 0)), Verdict((ANN,))),
    "the last game is over": (course(Win(BO), before=(20, 0, 0)), Verdict((BO,))),
    "two are level in the end": (course(Win(BO), before=(21, 0, 0)), Verdict((ANN, BO))),
    "level, and in life too": (
        course(Win(BO), before=(21, 0, 0), ruleset=COALITION_2026),
        Verdict((ANN, BO)),
    ),
    "level, but ahead by life": (
        course(ChangeLife({ANN: 1}), Win(BO), before=(21, 0, 0), ruleset=COALITION_2026),
        Verdict((ANN,)),
    ),
    "too few can play on": (course(Concede(BO), before=(0, 9), number=2), Verdict((ANN,))),
    "a draw after two games": (course(Draw(), before=(30, 0, 0), number=2), Verdict((ANN,))),
    "a draw that leaves it open": (course(Draw(), before=(21, 0, 0), number=2), None),
}


@pytest.mark.parametrize(("at", "expected"), DECIDED.values(), ids=DECIDED)
def test_a_set_is_decided_by_what_the_others_can_still_reach(at, expected):
    assert deciding.verdict(at) == expected


DECIDING = {
    "nothing": (course(), []),
    "nothing in game 1": (course(number=1), []),
    "nothing once it is decided": (course(before=(30, 0, 0)), []),
    "the only rival loses": (
        course(before=(30, 25, 0)),
        [(LOSES, BO, (ANN,), False, 0), (CONCEDES, BO, (ANN,), False, 0)],
    ),
    "two rivals": (course(before=(30, 25, 25)), []),
    "a rival who can't lose may still concede": (
        course(Hold(BO, True, False), before=(30, 25, 0)),
        [(CONCEDES, BO, (ANN,), False, 0)],
    ),
    "a rival may be killed by somebody who catches up": (course(before=(30, 25, 9)), []),
    "two left in the last game": (course(Lose((CY,)), before=(9, 5, 0)), EITHER_OF_TWO),
    "nobody would survive the hit": (
        course(Lose((CY,)), hit(ANN, BO, 10), ChangeLife({BO: -13}), before=(9, 5, 9)),
        EITHER_OF_TWO,
    ),
    "who kills the last may catch up": (
        course(Lose((CY,)), before=(5, 0, 24), ruleset=COALITION_README),
        [(CONCEDES, ANN, (CY,), False, 0), (CONCEDES, BO, (CY,), False, 0)],
    ),
    "near to the game's points": (
        course(hit(ANN, BO, 14), before=(5, 0, 0)),
        [(SCORES, ANN, (ANN,), False, 7), (SCORES, ANN, (ANN,), True, 3)],
    ),
    "near, but another is first then": (
        course(hit(BO, ANN, 14), before=(22, 0, 20)),
        [
            (LOSES, CY, (ANN,), False, 0),
            (CONCEDES, CY, (ANN,), False, 0),
            (SCORES, BO, (ANN,), False, 7),
        ],
    ),
}


@pytest.mark.parametrize(("at", "expected"), DECIDING.values(), ids=DECIDING)
def test_what_would_decide_a_set(at, expected):
    assert decides(at) == expected


# Play at random

SETS, CONTINUATIONS, MOVES = 400, 3, 50


def first(state: SetState) -> tuple[int, ...]:
    assert state.is_finished
    return tuple(sorted(one.player for one in sets.standings(state) if one.rank == 1))


def some_move(dice: Random, game: GameState) -> Move:
    """Return a move of random play, in which games end sooner than at a table."""
    if dice.random() > 0.15:
        return random_move(dice, game)
    seat, other = (dice.choice(game.in_game) for _ in range(2))
    hard = hit(seat, other, dice.choice((5, 9, 21, 30)))
    ending = (Concede(seat), Lose((seat,)), Lose((seat, other)), Win(seat), ConcedeTo(seat), Draw())
    return dice.choice((hard, hard, hard, *ending))


def after(state: SetState, move: Move) -> SetState | None:
    try:
        game = engine.decide(state.games[-1], move).state
    except RuleError:
        return None
    return replace(state, games=(*state.games[:-1], game))


def next_game(dice: Random, state: SetState) -> SetState:
    """Go on between two games: one may leave, or the set be called."""
    if dice.random() < 0.1:
        return replace(state, called=True)
    gone = dice.sample(state.able, 1) if len(state.able) > 2 and dice.random() < 0.1 else []
    able = [seat for seat in state.able if seat not in gone]
    game = sets.start_game(state, dice.choice(able), dropped=gone)
    return replace(state, games=(*state.games, game), dropped=state.dropped | set(gone))


def some_moves(dice: Random, state: SetState, number: int) -> SetState:
    for _ in range(number):
        if state.is_playing:
            state = after(state, some_move(dice, state.games[-1])) or state
    return state


def play_on(dice: Random, state: SetState, games: int = 9) -> SetState:
    """Play at random to the end of the set, or to the start of its ``games``-th game from here."""
    while games and not state.is_finished:
        if not state.is_playing:
            state, games = next_game(dice, state), games - 1
        elif games:
            state = some_moves(dice, state, MOVES)
            state = after(state, Draw()) or state
    return state


def some_set(dice: Random, ruleset: Ruleset) -> SetState | None:
    """Return a set of random play in the middle of a game; None if it has ended before."""
    sizes = [size for size in range(2, 6) if ruleset.allows(size)]
    seats = tuple(range(1, dice.choice(sizes) + 1))
    state = SetState(ruleset, seats, (new_game(ruleset, seats),))
    state = play_on(dice, state, dice.randrange(ruleset.games))
    state = some_moves(dice, state, dice.randint(0, 20))
    return state if state.is_playing else None


def course_of(state: SetState) -> Course:
    number = len(state.games)
    before = dict(zip(state.seats, sets.points_before(state, number), strict=True))
    return Course(number, before, state.games[-1])


def ways(dice: Random, state: SetState, decision: Decision) -> Iterator[SetState]:
    """Yield the set after the event of a decision, in each way in which it may happen."""
    game, seat = state.games[-1], decision.player
    match decision.cause:
        case Cause.CONCEDES:
            tried = [Concede(seat)]
        case Cause.LOSES:
            life = game.players[seat].life
            amounts = (life, life + 1, life + 9, max(life, dice.randint(1, 30)))
            tried = [Lose((seat,)), ChangeLife({seat: -life})]
            tried += [hit(other, seat, by) for other in game.in_game for by in amounts if by > 0]
        case Cause.SCORES:
            tried = [hit(seat, other, decision.points) for other in game.opponents_of(seat)]
    for then in filter(None, (after(state, move) for move in tried)):
        game = then.games[-1]
        if decision.cause is Cause.SCORES or game.is_over or game.players[seat].out:
            yield then


def check(dice: Random, state: SetState, expected: Verdict, counts: dict[str, int]) -> None:
    """Play a set on at random, again and again, and see that those are first who must be."""
    for _ in range(CONTINUATIONS):
        end = state if state.is_finished else play_on(dice, state)
        if not (expected.unless_conceding and end.barred & set(expected.first)):
            assert first(end) == tuple(sorted(expected.first)), (expected, end)
            counts["unless" if expected.unless_conceding else "surely"] += 1


@every_ruleset
def test_what_is_called_decided_is_so_in_every_continuation_and_in_the_end(ruleset):
    counts: Counter[str] = Counter()
    for seed in range(SETS):
        dice = Random(seed)
        state = some_set(dice, ruleset)
        if state is None:
            continue
        course = course_of(state)
        if verdict := deciding.verdict(course):
            check(dice, state, verdict, counts)
        if not (end := play_on(dice, state)).called:
            assert deciding.verdict(course_of(end)) == Verdict(first(end))
        for decision in deciding.deciding(course):
            counts[decision.cause.value] += 1
            for then in ways(dice, state, decision):
                check(dice, then, decision.verdict, counts)

    assert min(counts[kind] for kind in ("concedes", "loses", "scores", "surely", "unless")) > 5
