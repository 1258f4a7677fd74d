"""What holds for every format: what the rules take can be kept, whatever odd values a move has."""

import json
from contextlib import suppress
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coalition_site.lib.untrusted import TEXT_MAX, MalformedDocument, Node
from scoring.record.inventing import moves_with_a_page
from scoring.rules import fields, possible
from scoring.rules.corrections import Amend, Undo
from scoring.rules.damage import DealDamage
from scoring.rules.engine import decide
from scoring.rules.errors import RuleError
from scoring.rules.formats import RULESETS
from scoring.rules.formats.conspiracy import CONSPIRACY, GoadCreature, PutAgenda, TurnUp
from scoring.rules.log import GameLog, recall_recent
from scoring.rules.moves import ChangeLife, ChangePoison, Concede, Lose, PassTurn, Win
from scoring.rules.state import new_game
from scoring.setlog import codec, document

from .at_random import GAMES, games, sizes
from .play import ANN, BO, game, play, refusal
from .play import NAMES as NAME_BY_SEAT

NAMES = tuple(NAME_BY_SEAT.values())
ALL_MOVES = {move for ruleset in RULESETS.values() for move in ruleset.moves}
WORDS = ("Ogre", " Ogre ", "é", "👩\u200d🚀", "x" * TEXT_MAX)
NO_WORDS = ("", " ", "\n", "\u200b", "\0", "a\tb", "\ud800", "\uffff", "x" * (TEXT_MAX + 1))

texts = st.sampled_from(4 * WORDS + NO_WORDS)
every_ruleset = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda one: one.key)


@every_ruleset
def test_every_move_of_a_format_of_its_own_happens(ruleset):
    happened = {kind for log in games(ruleset) for kind in log.ever}

    assert set(moves_with_a_page(new_game(ruleset, (1, 2)))) - happened == set()
    assert ruleset.has_turns is (PassTurn in happened)


@every_ruleset
def test_recent_events_survive_json(ruleset):
    for log in games(ruleset):
        lately = recall_recent(log.lines)
        read = codec.read_recent(json.loads(json.dumps(codec.write_recent(lately))))
        assert read == lately
        assert [line.news for line in read.lines] == [line.news for line in lately.lines]


@every_ruleset
def test_undoing_everything_leads_back_to_the_start(ruleset):
    for played in games(ruleset):
        log = GameLog(played.start, [line.move for line in played.lines])
        with suppress(RuleError):
            while log.lines:
                log.append(Undo())
        assert not log.lines or isinstance(log.lines[-1].move, PutAgenda)  # a seal stays
        assert log.state == GameLog(log.start, [line.move for line in log.lines]).state


@pytest.mark.parametrize(
    ("key", "still"), [("coalition-906", set()), ("leveler", set()), ("conspiracy", {TurnUp})]
)
def test_whoever_left_does_nothing_more_but_turn_up_what_was_sealed(key, still):
    made = [made for log in games(RULESETS[key]) for made in made_after_leaving(log)]
    refusals = [(type(move), possible.refusal(state, move)) for state, move in made]

    assert {kind for kind, refused in refusals if not refused} == still
    codes = {refused.code for _, refused in refusals if refused}
    assert codes - {"game_has_begun", "no_vote"} == {"not_in_game"}
    assert len(dict(refusals)) > len(RULESETS[key].moves) / 2


def made_after_leaving(log):
    """Yield each move of a game, and the state if whoever makes it had conceded just before."""
    state = log.start
    for move in (line.move for line in log.lines):
        several = getattr(move, "players", ()) or getattr(move, "changes", ())
        who = {getattr(move, "player", None), *several}
        for seat in who.intersection(() if state.is_over else state.in_game):
            left = decide(state, Concede(seat)).state
            if not left.is_over:
                yield left, move
        state = decide(state, move).state


def test_no_two_formats_give_a_type_of_event_two_meanings():
    types = {move.type for move in ALL_MOVES}

    assert len(types) == len(ALL_MOVES)
    assert set(codec.MOVES) == types


@every_ruleset
def test_events_of_other_formats_are_refused_by_their_type(ruleset):
    names = NAMES[: sizes(ruleset)[0]]
    written = document.write(document.SetLog(ruleset, names, (document.LoggedGame(1),)))
    for move in ALL_MOVES - ruleset.moves:
        written["games"][0]["events"] = [{"type": move.type}]
        with pytest.raises(MalformedDocument) as caught:
            document.read(Node(written, ""))
        assert caught.value.path == "games[0].events[0].type"


# --- odd values ---
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
        case fields.Points(most=most):
            # What a result allows, too: any values would hardly ever make one.
            whole = [dict(enumerate(each, 1)) for each in product((0, 5, 21), repeat=2)]
            odd = st.dictionaries(seats(state), numbers(0, most), max_size=3)
            return odd | st.sampled_from(whole)
        case fields.Day():
            return st.sampled_from([*(4 * ("2026-03-12",)), "", "1992-12-31", "2026-W11-4"])
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
    state = draw(st.sampled_from(games(ruleset)[:GAMES])).state
    of = draw(st.sampled_from(sorted(ruleset.moves, key=lambda move: move.type)))
    return state, draw(built(state, of))


@every_ruleset
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
    stored = json.loads(json.dumps(codec.write_entry(move, codec.KEY_BY_SEAT)))
    checked = codec.read_move(Node(stored, ""), codec.SEAT_BY_KEY)
    assert codec.stored_move(stored) == checked
    return checked


def imported(state, move):
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
        (Lose((ANN, ANN)), "Who loses: appears twice."),
        (Win(ANN, "\uffff"), "Reason: has a character that can't be shown."),
    ],
)
def test_what_no_log_could_keep_is_refused_with_words(move, told):
    log = play(start=game(CONSPIRACY))

    refused = refusal(log, move)

    assert (refused.code, refused.message({})) == ("malformed", told)


def test_an_amendment_is_judged_like_a_move():
    log = play(ChangeLife({ANN: 1}))

    assert refusal(log, Amend(1, ChangeLife({ANN: 0}))).code == "malformed"
