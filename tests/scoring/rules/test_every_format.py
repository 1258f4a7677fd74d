"""What holds for every format: random moves, refused or not, leave a game that can be kept."""

import json
from random import Random

import pytest

from coalition_site.lib.untrusted import Node
from scoring.play.inventing import moves_with_a_page
from scoring.play.simulation import random_move
from scoring.rules.corrections import Undo
from scoring.rules.errors import RuleError
from scoring.rules.formats import RULESETS
from scoring.rules.formats.conspiracy import PutAgenda
from scoring.rules.log import GameLog, recall_recent
from scoring.rules.state import new_game
from scoring.setlog import codec
from scoring.setlog import document as setlog

GAMES = 12
EVENTS = 60
NAMES = ("Ann", "Bo", "Cy", "Di", "Ev", "Fay", "Gus", "Hal")

every_ruleset = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda one: one.key)


def sizes(ruleset):
    return [size for size in range(1, len(NAMES) + 1) if ruleset.allows(size)]


def games(ruleset):
    """Yield games of some random moves, with the players' number."""
    for seed in range(GAMES):
        dice = Random(seed)
        size = dice.choice(sizes(ruleset))
        log = GameLog(new_game(ruleset, tuple(range(1, size + 1))))
        for _ in range(EVENTS):
            if log.state.is_over:
                break
            try:
                log.append(random_move(dice, log.state))
            except RuleError:
                continue
        yield size, log


@every_ruleset
def test_every_move_of_a_format_of_its_own_happens(ruleset):
    happened = {kind for _, log in games(ruleset) for kind in log.ever}

    assert set(moves_with_a_page(new_game(ruleset, (1, 2)))) - happened == set()


@every_ruleset
def test_recent_events_survive_json(ruleset):
    for _, log in games(ruleset):
        lately = recall_recent(log.lines)
        kept = json.loads(json.dumps(codec.write_recent(lately)))
        read = codec.read_recent(kept)
        assert read == lately
        assert [line.news for line in read.lines] == [line.news for line in lately.lines]


@every_ruleset
def test_a_log_is_written_read_and_played_to_the_same_end(ruleset):
    for size, log in games(ruleset):
        moves = tuple(setlog.LoggedEntry(line.move) for line in log.lines)
        written = setlog.write(setlog.SetLog(ruleset, NAMES[:size], (setlog.LoggedGame(1, moves),)))
        read = setlog.read(Node(json.loads(json.dumps(written)), ""))
        played = setlog.play(read)
        assert played.failure is None
        assert played.games[0].state == log.state
        assert json.dumps(setlog.outcome(played))


@every_ruleset
def test_undoing_everything_leads_back_to_the_start(ruleset):
    for _, log in games(ruleset):
        while log.lines and is_taken(log, Undo()):
            pass
        assert not log.lines or isinstance(log.lines[-1].move, PutAgenda)  # a seal stays
        assert log.state == GameLog(log.start, [line.move for line in log.lines]).state


def is_taken(log, entry):
    """Add an entry to a log where the rules allow it, and say whether they do."""
    try:
        log.append(entry)
    except RuleError:
        return False
    return True


def test_no_two_formats_give_a_type_of_event_two_meanings():
    types = [move.type for move in all_moves()]

    assert len(types) == len(set(types))
    assert set(codec.MOVES) == set(types)


@every_ruleset
def test_events_of_other_formats_are_refused_by_their_type(ruleset):
    others = {move.type for move in all_moves() - ruleset.moves}
    size = sizes(ruleset)[0]
    for type in others:
        document = setlog.write(setlog.SetLog(ruleset, NAMES[:size], (setlog.LoggedGame(1),)))
        document["games"][0]["events"] = [{"type": type}]
        with pytest.raises(setlog.MalformedDocument) as caught:
            setlog.read(Node(document, ""))
        assert caught.value.path == "games[0].events[0].type"


def all_moves():
    """Return the moves of all formats, once each."""
    return {move for ruleset in RULESETS.values() for move in ruleset.moves}
