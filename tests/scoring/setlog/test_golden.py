"""Whole sets as text: played line by line, and compared with what they came to."""

import json
from pathlib import Path

import pytest

from coalition_site.lib.untrusted import load
from scoring.rules.formats import RULESETS
from scoring.setlog import document

from .words import retold

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
LOGS = sorted(GOLDEN.glob("*/*.log.json"))
WORDS = sorted(GOLDEN.glob("*/words.txt"))

every_set = pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)


def read(path):
    (log,) = document.read_all(load(path.read_bytes()))
    return log


def test_there_is_a_set_for_every_ruleset():
    assert {read(path).ruleset.key for path in LOGS} == set(RULESETS)


def test_sets_stand_by_their_format():
    assert [path.parent.name for path in LOGS] == [read(path).ruleset.format for path in LOGS]


@every_set
def test_set_comes_to_its_outcome(path):
    expected = path.with_name(path.name.replace(".log.", ".outcome."))

    outcome = document.outcome(document.play(read(path)))

    assert outcome == json.loads(expected.read_text(encoding="utf-8"))


@every_set
def test_set_is_written_as_it_was_read(path):
    log = read(path)

    assert document.read_all(load(json.dumps(document.write(log)))) == [log]


@pytest.mark.parametrize("path", WORDS, ids=lambda path: path.parent.name)
def test_players_read_the_same_words(path):
    """002 9: An empty library takes in the next sub-deck that is still outside, shuffled.
    002 10: At 10 damage in the game the library is exiled, while the second sub-deck is
    outside.
    002 11: At 20 damage it is exiled while the third sub-deck is outside.
    003 10: Where nobody else can be attacked: a planeswalker, or the player who goaded it.
    003 14: Goaded by several, it attacks who did not goad it; goaded by all, its player
    chooses.
    003 16: Council's dilemma: each vote adds to its effect; will of the council: most votes
    win.
    003 17: The effects happen in the stated order.
    003 22: Nothing happens between the votes and their effects.
    003 24: The monarch draws a card at the own end step.
    003 29: Whoever is the monarch already does not become it.
    003 30: The card of the end step is drawn by who was the monarch then.
    003 35: None is put into the command zone later.
    003 41: The card is named at the start, not when it is turned up.
    003 48: A card that is revealed as it is drafted then lies face down with the others.
    004 9: What triggers at the beginning of a turn or phase does so once for each player of the
    team.
    004 10: Teams have priority, not players.
    004 13: When both pass in a row the top of the stack resolves, and the active team has
    priority.
    """
    text = path.read_text(encoding="utf-8")

    assert retold(text, path.parent.name) == text
