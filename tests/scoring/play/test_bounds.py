"""A game's log that is full is refused more, by taps, pages and imports alike."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from scoring.models import EventRow, GameSet
from scoring.play import commands
from scoring.rules.corrections import Entry, Undo
from scoring.rules.formats import COALITION_906
from scoring.rules.log import ENTRIES_MAX, LAST_ENTRIES
from scoring.rules.moves import PassTurn
from scoring.setlog import document
from tests.scoring.rules.play import ANN

from ..tables import KEY, check_books, record, refused

MOVES_MAX = ENTRIES_MAX - LAST_ENTRIES


def log_of(*entries: Entry) -> document.SetLog:
    lines = tuple(document.LoggedEntry(entry) for entry in entries)
    return document.SetLog(COALITION_906, ("Ann", "Bo"), (document.LoggedGame(ANN, lines),))


@pytest.fixture
def nearly_full(db: None) -> GameSet:
    """A table whose log takes nothing but corrections and the end."""
    return commands.store(log_of(*[PassTurn()] * MOVES_MAX), key=KEY)


def test_a_log_that_is_nearly_full_is_refused_a_move_and_takes_an_undo(nearly_full):
    with refused("log_is_nearly_full"):
        record(nearly_full, PassTurn())

    assert record(nearly_full, Undo()).length == MOVES_MAX + 1
    check_books(nearly_full)


@pytest.mark.django_db
def test_an_import_of_a_log_that_is_too_long_stores_nothing(tmp_path: Path):
    file = tmp_path / "set.json"
    file.write_text(json.dumps(document.write(log_of(*[PassTurn()] * (ENTRIES_MAX + 1)))))

    with pytest.raises(CommandError, match=r"game 1, event 2001: The log of this game is full"):
        call_command("import_set", str(file))

    assert not EventRow.objects.exists()
