"""What the rules take can be written down and read again, whatever odd values a move has."""

from __future__ import annotations

import json
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coalition_site.lib.untrusted import TEXT_MAX, Node
from scoring.play.simulation import random_move
from scoring.rules import fields
from scoring.rules.corrections import Amend
from scoring.rules.damage import DealDamage
from scoring.rules.engine import decide
from scoring.rules.errors import RuleError
from scoring.rules.formats import RULESETS
from scoring.rules.formats.conspiracy import CONSPIRACY, GoadCreature
from scoring.rules.log import GameLog
from scoring.rules.moves import ChangeLife, ChangePoison, Lose, Win
from scoring.rules.state import new_game
from scoring.setlog import codec, document

from .play import ANN, BO, game, refusal
from .play import play as log_of

NAMES = ("Ann", "Bo", "Cy", "Di", "Ev", "Fay", "Gus", "Hal")
GAMES = 40
WORDS = ("Ogre", " Ogre ", "é", "👩\u200d🚀", "x" * TEXT_MAX)
NO_WORDS = ("", " ", "\n", "\u200b", "\0", "a\tb", "\ud800", "\uffff", "x" * (TEXT_MAX + 1))

texts = st.sampled_from(4 * WORDS + NO_WORDS)


@cache
def states(ruleset):
    """Return states of games played at random, the first at its start."""
    sizes = [size for size in range(1, len(NAMES) + 1) if ruleset.allows(size)]
    found = []
    for seed in range(GAMES):
        dice = Random(seed)
        log = GameLog(new_game(ruleset, tuple(range(1, dice.choice(sizes) + 1))))
        for _ in range(seed):
            try:
                log.append(random_move(dice, log.state))
            except (RuleError, IndexError):  # nobody is left to invent a move for
                continue
        found.append(log.state)
    return found


def seats(state):
    return st.sampled_from([*(4 * tuple(state.players)), 0, len(state.players) + 1, 9])


def numbers(lowest, highest):
    return st.sampled_from([lowest - 1, lowest, lowest + 1, 0, highest, highest + 1])


def lists(of, most=3):
    return st.lists(of, max_size=most).map(tuple)


def values(state, spec):
    """Return what a field of a move can have, and what it can't."""
    match spec:
        case fields.Seat():
            return seats(state) | st.none()
        case fields.SeatList():
            return lists(seats(state))
        case fields.Number(lowest=lowest, highest=highest):
            return numbers(lowest, highest) | st.none()
        case fields.Changes(most=most):
            return st.dictionaries(seats(state), numbers(-most, most), max_size=3)
        case fields.RecordList(of=of):
            return lists(built(state, of))
        case fields.Choice(of=of) if of is not str:
            return st.sampled_from(of)
        case fields.Choice(choices=choices):
            return st.sampled_from([*choices, "", "Ogre"])
        case fields.TextList(most=most):
            return lists(texts, most + 1)
        case fields.Flag():
            return st.booleans()
        case fields.Text(longest=longest):
            return texts | st.sampled_from(["f" * longest, "f" * (longest + 1)])
    raise TypeError(spec)


def built(state, of):
    return st.builds(
        of, **{name: values(state, spec) for name, (spec, _) in fields.specs(of).items()}
    )


@st.composite
def reported(draw, ruleset):
    """Return a state and a move of its format, with values that are at times odd."""
    state = draw(st.sampled_from(states(ruleset)))
    of = draw(st.sampled_from(sorted(ruleset.moves, key=lambda move: move.type)))
    return state, draw(built(state, of))


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda one: one.key)
def test_whatever_is_decided_is_written_down_and_read_again(ruleset):
    taken = set()

    @settings(max_examples=200, database=None, derandomize=True)
    @given(reported(ruleset))
    def check(said):
        state, move = said
        try:
            after = decide(state, move).state
        except RuleError:
            return
        taken.add(type(move))
        assert kept(move) == move
        assert imported(state, move) == move
        assert codec.read_state(json.loads(json.dumps(codec.write_state(after)))) == after

    check()
    assert len(taken) > len(ruleset.moves) / 4


def kept(move):
    """Return a move as the database gives it back."""
    stored = json.loads(json.dumps(codec.write_entry(move, codec.KEY_BY_SEAT)))
    checked = codec.read_move(Node(stored, ""), codec.SEAT_BY_KEY)
    assert codec.stored_move(stored) == checked
    return checked


def imported(state, move):
    """Return a move as a set log gives it back."""
    names = NAMES[: len(state.players)]
    lines = (document.LoggedEntry(move),)
    written = document.write(
        document.SetLog(state.ruleset, names, (document.LoggedGame(1, lines),))
    )
    stored = json.dumps(written, ensure_ascii=False).encode()
    return document.read(Node(json.loads(stored), "")).games[0].events[0].entry


@pytest.mark.parametrize(
    ("move", "told"),
    [
        (GoadCreature(ANN, "", BO), "Creature: must be a text."),
        (DealDamage(()), "Hits: must not be empty."),
        (ChangeLife({ANN: 0}), "Life: must not be 0."),
        (ChangePoison({ANN: 10_000}), "Poison: must be a whole number from -9999 to 9999."),
        (Lose((ANN, ANN)), "Who loses: stands here twice."),
        (Win(ANN, "\uffff"), "Reason: has a character that can't be shown."),
    ],
)
def test_what_no_log_could_keep_is_refused_with_words(move, told):
    log = log_of(start=game(CONSPIRACY))

    refused = refusal(log, move)

    assert (refused.code, refused.message({})) == ("malformed", told)


def test_an_amendment_is_judged_like_a_move():
    log = log_of(ChangeLife({ANN: 1}))

    assert refusal(log, Amend(1, ChangeLife({ANN: 0}))).code == "malformed"
