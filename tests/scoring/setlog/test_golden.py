"""Whole sets as text: played line by line, and compared with what they came to."""

import json
from pathlib import Path

import pytest

from coalition_site.lib.untrusted import load
from scoring.rules.formats import RULESETS
from scoring.setlog import document

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
LOGS = sorted(GOLDEN.glob("*/*.log.json"))

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
