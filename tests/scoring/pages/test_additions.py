"""What formats add to pages is looked up for those that have something to add."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from scoring.models import GameSet
from scoring.pages import additions
from scoring.play import commands
from scoring.rules.formats import RULESETS
from tests.scoring.rules.play import ANN, BO

from ..tables import KEY, address, holder, tap_id

SCORING = Path(additions.__file__).parents[1]
HTMX = {"HX-Request": "true"}


def modules_run(ask: Callable[[], object]) -> set[str]:
    """Return the modules of the scoring app of which anything runs, by their paths."""
    paths = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            paths.add(frame.f_code.co_filename)

    sys.setprofile(note)
    try:
        ask()
    finally:
        sys.setprofile(None)
    return {
        str(Path(path).relative_to(SCORING)) for path in paths if Path(path).is_relative_to(SCORING)
    }


def hit(table: GameSet, key: str = KEY) -> set[str]:
    client, where = holder(table, key), address(table, "hit", 1)
    tap = {"tap_id": tap_id(1), "source": ANN, "target": BO, "kind": "combat", "amount": 1}
    answers = []
    modules = modules_run(lambda: answers.append(client.post(where, tap, headers=HTMX)))
    assert answers[0].status_code == 200
    return modules


def test_a_hit_in_coalition_passes_nothing_of_other_formats(table):
    modules = hit(table)

    assert "pages/board.py" in modules
    assert not [
        module for module in modules if "conspiracy" in module or module.startswith("groups/")
    ]
    assert not modules & {"pages/formats.py"}


@pytest.mark.django_db
def test_a_hit_in_conspiracy_looks_for_the_seals_of_its_browser():
    table = commands.create_set(RULESETS["conspiracy"], ["Ann", "Bo", "Cy"], key=KEY)
    commands.start_game(table, 1, first=ANN)

    assert "conspiracy/sealing.py" in hit(table)


def test_coalition_adds_nothing(table):
    assert additions.of(table) is additions._NOTHING
