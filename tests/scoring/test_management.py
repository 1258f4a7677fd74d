"""The commands of the set log: what they print, their exit codes, and what they leave behind."""

import io
import json
import os
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from coalition_site.lib.untrusted import Node
from scoring.models import EventRow, Game, GameSet
from scoring.record import commands, queries
from scoring.setlog import document as setlog
from tests.scoring.rules.play import ANN, BO, hit

from .grouped import group
from .record.test_tampering import unguarded
from .tables import everything, record, run, set_up

GOLDEN = sorted((Path(__file__).parent.parent / "golden").glob("*/*.log.json"))
LOG: dict[str, Any] = {
    "version": 1,
    "format": "coalition",
    "ruleset": "coalition-906",
    "players": ["Ann", "Zoë 👩‍🚀"],
    "games": [
        {
            "starting_player": "Ann",
            "events": [
                {
                    "type": "damage",
                    "hits": [
                        {"source": "Ann", "target": "Zoë 👩‍🚀", "amount": 4, "kind": "combat"}
                    ],
                    "id": "6f1c2a34-0000-4000-8000-000000000001",
                    "at": "2026-03-01T20:15:00+00:00",
                },
                {"type": "draw", "reason": "time"},
            ],
        }
    ],
}


def written(folder: Path, document: Any) -> str:
    """Write a JSON document and return its path."""
    path = folder / "log.json"
    path.write_text(json.dumps(document))
    return str(path)


def expected(document: dict[str, Any]) -> dict[str, Any]:
    """Return the outcome of a log by the rules, repeated lines left out."""
    log = setlog.without_repeats(setlog.read(Node(document, "")))
    return setlog.outcome(setlog.play(log))


def test_replay_reads_standard_input_and_answers_an_array_with_an_array(tmp_path, monkeypatch):
    typed = io.BytesIO(json.dumps([LOG, LOG]).encode())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(typed))

    code, out = run("replay", "-")

    assert (code, json.loads(out)) == (0, [expected(LOG)] * 2)
    assert run("replay", written(tmp_path, [])) == (0, "[]\n")


def test_replay_exits_1_and_says_where_when_a_log_can_not_be_played(tmp_path):
    undo = {"starting_player": "Ann", "events": [{"type": "undo"}]}
    broken = {**LOG, "games": [*LOG["games"], undo]}

    code, out = run("replay", written(tmp_path, [LOG, broken]))

    assert code == 1
    assert [outcome["error"] for outcome in json.loads(out)] == [
        None,
        {"game": 2, "event": 1, "message": "There is nothing to undo in this game."},
    ]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "this is not JSON: Expecting value (line 1, column 1)"),
        (b'{"version": 1}', "the field format is missing"),
        (json.dumps([LOG, {**LOG, "players": 3}]).encode(), "[1].players: must be a list"),
    ],
)
def test_replay_exits_2_with_the_place_for_what_is_no_set_log(tmp_path, data, told):
    path = tmp_path / "log.json"
    path.write_bytes(data)

    assert run("replay", str(path)) == (2, f"{path}: {told}")
    assert run("replay", "nowhere.json") == (2, "nowhere.json: No such file or directory")


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.name)
def test_export_import_export_gives_the_same_document(db, tmp_path, path):
    if json.loads(path.with_name(path.name.replace(".log.", ".outcome.")).read_text())["error"]:
        pytest.skip("a log that can't be played is not stored")

    first = run("import_set", str(path))[1].split()[0]
    exported = run("export_set", first)[1]
    second = run("import_set", written(tmp_path, json.loads(exported)))[1].split()[0]

    assert run("export_set", second) == (0, exported)
    assert run("export_set", "nothere") == (1, "There is no set with the code nothere.")
    assert expected(json.loads(exported)) == expected(json.loads(path.read_text()))
    assert run("verify_ledger") == (0, "sets checked: 2, 0 wrong\n")


def test_a_tap_while_its_set_is_verified_is_no_fault(db, monkeypatch):
    table, read, taps = set_up(), queries.rows, iter([hit(ANN, BO, 3)])

    def rows(game: Game) -> list[EventRow]:
        record(table, *taps)
        return read(game)

    monkeypatch.setattr(queries, "rows", rows)

    assert run("verify_ledger") == (0, "sets checked: 1, 0 wrong\n")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"called": True, "games": []}, (2, "called: must not be true before the first game")),
        ({"version": 2}, (2, "version: must be a whole number from 1 to 1")),
        (
            {"games": [{"starting_player": "Ann", "events": [{"type": "undo"}]}]},
            (1, "game 1, event 1: There is nothing to undo in this game. Nothing was stored."),
        ),
    ],
)
def test_import_refuses_whole_and_stores_nothing(db, tmp_path, change, told):
    path = written(tmp_path, {**LOG, **change})

    assert run("import_set", path) == (told[0], f"{path}: {told[1]}")
    assert not any(everything().values())


def test_a_playgroup_is_exported_as_far_as_somebody_reads(db):
    reading, writing = os.pipe()
    os.close(reading)

    with open(writing, "w") as out:
        call_command("export_group", group().code, stdout=out)


def test_simulate_plays_the_same_sets_for_the_same_seed_and_the_books_are_right(db):
    for _ in range(2):
        assert run("simulate", "--sets", "6", "--seed", "3")[0] == 0

    logs = [setlog.write(queries.set_log(game_set)) for game_set in GameSet.objects.order_by("pk")]
    assert logs[:6] == logs[6:]
    assert all(game_set.finished_at for game_set in GameSet.objects.all())
    assert run("verify_ledger") == (0, "sets checked: 12, 0 wrong\n")


def test_demo_plays_a_month_and_leaves_a_game_to_go_on_with(db, client):
    code, out = run("demo", "--seed", "4")
    link = out.split("Keep its score: ")[1].strip()

    assert code == 0
    assert client.get(link, follow=True).status_code == 200
    table = GameSet.objects.get(finished_at=None)
    assert table.games.get().ended_at is None
    books = "sets checked: 9, 0 wrong\nplaygroups checked: 1, 0 wrong\n"
    assert run("verify_ledger") == (0, books)


def test_repair_takes_games_that_were_taken_back_with_it(table):
    commands.take_back_game(table, 1)
    commands.start_game(table, 1, first=BO)
    whole = everything()
    Game.objects.filter(taken_back=True).update(length=5)
    assert run("verify_ledger")[0] == 1

    assert run("verify_ledger", "--repair") == (0, REPAIRED.format(code=table.code))
    assert everything() == whole


REPAIRED = (
    "set {code}, game 1: its stored latest events are not what its log gives\n"
    "sets checked: 1, 1 wrong, 1 repaired\n"
)


def test_a_log_that_cannot_be_played_is_reported_and_left_to_people(transactional_db):
    table = set_up()
    record(table, hit(ANN, BO, 3))
    with unguarded():
        EventRow.objects.update(entry={"type": "turn", "to": 9})
    whole = everything()

    code, out = run("verify_ledger", "--repair")

    assert (code, out.splitlines()[-1]) == (1, "sets checked: 1, 1 wrong, 0 repaired")
    assert "its log can't be played" in out
    assert everything() == whole


def test_simulate_plays_evenings_of_a_playgroup_and_of_none_without_one(db):
    of = group()

    status, printed = run("simulate", "--sets=1", "--evenings=2", f"--group={of.code}")

    assert (status, printed) == (0, "1 sets played\n2 evenings played\n")
    assert not of.sets.filter(finished_at__gt=timezone.now()).exists()
    assert of.evenings.exclude(ended_at=None).count() == 2
    assert run("verify_ledger")[0] == 0
    with pytest.raises(CommandError, match="Evenings are of a playgroup"):
        call_command("simulate", evenings=2)
    for option in ("--sets=-1", "--evenings=-1"):
        assert run("simulate", option)[1].endswith("invalid count value: '-1'")
