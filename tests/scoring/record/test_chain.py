"""A log's chain of hashes: its head goes with every export, and anybody can make it again."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from coalition_site.lib.untrusted import Node
from scoring.models import EventRow, Game, GameSet
from scoring.record import chaining, commands, queries
from scoring.rules.corrections import Amend, Strike, Undo
from scoring.rules.moves import Draw, PassTurn
from scoring.setlog import document as setlog
from tests.scoring.rules.play import ANN, BO, CY, hit

from ..tables import address, record, run, set_up, tap_id, the_game
from ..test_management import written
from .test_tampering import unguarded

SAID = [hit(ANN, BO, 3), PassTurn(), hit(CY, BO, 4), Amend(1, hit(ANN, BO, 5)), Draw()]


@pytest.fixture
def table(db: None) -> GameSet:
    table = set_up(3)
    for number, entry in enumerate(SAID):
        commands.record(table, 1, entry, tap_id=tap_id(number), by=1)
    return table


def head(table: GameSet) -> str:
    return chaining.head(queries.set_log(table))


def test_the_head_goes_with_every_export_and_is_that_of_the_document(table, tmp_path: Path):
    code = table.code
    path = written(tmp_path, json.loads(run("export_set", code)[1]))

    heads = [run("export_set", code, "--head"), run("replay", path, "--head")]
    page = Client().get(address(table, "export"))

    assert heads == [(0, f"{head(table)}\n")] * 2
    assert page["Log-Head"] == head(table)


def test_an_imported_log_has_the_head_that_it_had(table):
    document = json.loads(json.dumps(setlog.write(queries.set_log(table))))

    imported = commands.store_set(setlog.read(Node(document, "")))

    assert head(imported) == head(table)
    assert the_game(imported).head == the_game(table).head
    assert run("verify_ledger") == (0, "sets checked: 2, 0 wrong\n")


CHANGED: dict[str, Any] = {
    "names": lambda log: log["players"].reverse(),
    "who began": lambda log: log["games"][0].update(starting_player="Bo"),
    "who left": lambda log: log["games"][0].update(dropped=["Cy"]),
    "a number": lambda log: log["games"][0]["events"][0]["hits"][0].update(amount=4),
    "an id": lambda log: log["games"][0]["events"][0].update(id=str(tap_id(9))),
    "no id": lambda log: log["games"][0]["events"][0].pop("id"),
    "a time": lambda log: log["games"][0]["events"][0].update(at="2026-03-06T12:00:00+00:00"),
    "an order": lambda log: log["games"][0]["events"].reverse(),
    "one less": lambda log: log["games"][0]["events"].pop(),
    "one more": lambda log: log["games"][0]["events"].append({"type": "turn"}),
    "called": lambda log: log.update(called=True),
    "a game more": lambda log: log["games"].append({"starting_player": "Ann", "events": []}),
}


@pytest.mark.parametrize("change", CHANGED)
def test_whatever_is_changed_in_a_log_changes_its_head(table, change):
    document = json.loads(json.dumps(setlog.write(queries.set_log(table))))

    CHANGED[change](document)

    assert chaining.head(setlog.read(Node(document, ""))) != head(table)


def test_a_game_that_the_first_release_wrote_on_goes_on_with_the_chain(table):
    """Its rows have no hash, and what the game keeps of the chain is behind."""
    with unguarded():
        EventRow.objects.filter(seq__in=(2, 3, 5)).update(hash=None)
    for kept in (None, f"1:{'0' * 64}"):
        Game.objects.update(head=kept)
        record(table, Strike(1) if kept else Undo(5))

    expected = the_game(table).head

    assert run("verify_ledger") == (0, "sets checked: 1, 0 wrong\n")
    Game.objects.update(head=None)
    assert run("verify_ledger")[0] == 1
    assert run("verify_ledger", "--repair")[0] == 0
    assert the_game(table).head == expected
