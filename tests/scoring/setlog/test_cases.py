"""The shared cases, where they stand beside the repository: each is played and compared."""

import pytest

from coalition_site.lib.untrusted import Node
from scoring.setlog import document
from tests.shared import load_shared, skip_module_without

FILES = ("coalition.json", "coalition-random.json")

skip_module_without("cases")


def cases():
    for file in FILES:
        for at, case in enumerate(load_shared(f"cases/{file}")):
            yield pytest.param(case, id=f"{file}-{at}-{case.get('name', 'random')}")


def without_words(outcome):
    """Return an outcome with only the place of its error: the words are each program's own."""
    error = outcome["error"]
    return {**outcome, "error": error and (error["game"], error["event"])}


@pytest.mark.parametrize("case", list(cases()))
def test_case_has_the_expected_outcome(case):
    outcome = document.outcome(document.play(document.read(Node(case["log"], ""))))

    assert without_words(outcome) == without_words(case["expect"])
    assert outcome["error"] is None or outcome["error"]["message"]
