"""A damaged backup is noticed before it is needed, and a check leaves nothing behind."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError
from django.db import connection

from coalition_site.ops.backups import checking, postgresql, sqlite
from scoring.models import EventRow, Game
from scoring.play import audit, commands
from scoring.rules.moves import ChangeLife
from tests.coalition_site.test_backups import printed
from tests.coalition_site.test_upgrading import load
from tests.elsewhere import contents, on_database, on_empty_database, postgres_programs
from tests.scoring.tables import set_up

__all__ = ["postgres_programs"]
pytestmark = pytest.mark.usefixtures("transactional_db", "postgres_programs")
TAPS = 6


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """A backup of one table with some taps."""
    table = set_up(2)
    for _ in range(TAPS):
        commands.record(table, 1, ChangeLife({1: -1}))
    printed("backup", tmp_path / "kept")
    return tmp_path / "kept"


def proof(backup: Path) -> dict[str, Any]:
    return json.loads(backup.with_name("kept.json").read_text())


def refusal(*words: Any) -> tuple[int, str]:
    """Return how a command ends that refuses."""
    with pytest.raises(CommandError) as refused:
        printed(*words)
    return refused.value.returncode, str(refused.value)


def test_a_backup_has_its_checksum_and_counts_beside_it(backup):
    told = proof(backup)

    assert told.pop("written")
    assert told == {
        "file": "kept",
        "database": connection.vendor,
        "bytes": backup.stat().st_size,
        "sha256": sha256(backup.read_bytes()).hexdigest(),
        "sets": 1,
        "events": EventRow.objects.count(),
        "check": None,
    }
    assert told["events"] >= TAPS


def places(size: int) -> list[int]:
    """Return where ten bytes are overwritten: all over the file, its compressed parts too."""
    return [*(size * part // 16 for part in range(1, 16)), size - 10]


def test_ten_overwritten_bytes_are_noticed_wherever_they_are(backup):
    whole, before = backup.read_bytes(), contents()
    damaged = f"{backup} is damaged: its bytes are not those that were written. Take another " + (
        "backup. Nothing was changed."
    )

    for place in places(len(whole)):
        ten = bytes(byte ^ 0x55 for byte in whole[place : place + 10])
        backup.write_bytes(whole[:place] + ten + whole[place + 10 :])

        assert refusal("restore", backup, "--replace") == (1, damaged)
        assert refusal("backup", "--verify", backup) == (1, damaged)
        assert proof(backup)["check"]["fault"] == damaged
    assert contents() == before


def test_a_right_backup_is_restored_elsewhere_and_all_its_logs_are_played(backup, monkeypatch):
    played = []
    play = checking._play

    def watch(*words: Any, **output: Any) -> None:
        played.append(connection.settings_dict["NAME"])
        play(*words, **output)

    monkeypatch.setattr(checking, "_play", watch)
    own, before, events = connection.settings_dict["NAME"], contents(), EventRow.objects.count()

    told = printed("backup", "--verify", backup)

    check = proof(backup)["check"]
    assert told == (
        "sets checked: 1, 0 wrong\n"
        f"{backup} is right: 1 set with {events} events, all played, in {check['seconds']} "
        "seconds\n"
    )
    assert (check["fault"], bool(check["at"])) == ("", True)
    assert played != [own]
    assert connection.settings_dict["NAME"] == own
    assert contents() == before
    assert_nothing_is_left(played[0])


def assert_nothing_is_left(name: str) -> None:
    if connection.vendor == "sqlite":
        assert not Path(name).parent.exists()
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
        assert cursor.fetchone() is None


def test_the_newest_backup_of_a_folder_is_checked(backup, tmp_path):
    older = json.dumps(proof(backup) | {"written": "2020-01-01T00:00:00+00:00"})
    newer = json.dumps(proof(backup) | {"written": "2120-01-01T00:00:00+00:00"})
    (tmp_path / "older.json").write_text(older)
    (tmp_path / "older").touch()
    (tmp_path / "removed.json").write_text(newer)
    (tmp_path / "other.json").write_text("[]")

    assert f"{backup} is right" in printed("backup", "--verify", tmp_path)


def test_a_folder_without_backups_is_not_checked(tmp_path):
    assert refusal("backup", "--verify", tmp_path) == (
        2,
        f"NOT CHECKED: {tmp_path} has no backup with a proof beside it.",
    )


@pytest.fixture
def _interrupts() -> Iterator[None]:
    """Let SIGINT interrupt, though a shell that runs tests in the background has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_interrupts")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_check_that_is_stopped_leaves_nothing(backup, monkeypatch, number):
    names = []

    def faults(*words: Any) -> list[str]:
        names.append(connection.settings_dict["NAME"])
        os.kill(os.getpid(), number)
        return []

    monkeypatch.setattr(audit, "faults", faults)
    own, before = connection.settings_dict["NAME"], contents()

    assert refusal("backup", "--verify", backup) == (
        2,
        "Stopped: NOT CHECKED, and nothing is left behind.",
    )

    assert_nothing_is_left(names[0])
    assert connection.settings_dict["NAME"] == own
    assert contents() == before
    assert proof(backup)["check"] is None
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_a_backup_whose_logs_are_wrong_is_named(tmp_path):
    commands.record(set_up(2), 1, ChangeLife({1: -1}))
    Game.objects.update(length=9)
    printed("backup", tmp_path / "kept")

    code, words = refusal("backup", "--verify", tmp_path / "kept")

    assert (code, words) == (
        1,
        f"{tmp_path / 'kept'} is as it was written, but its logs are not right: see above. The "
        "same may be wrong in the database: run verify_ledger.",
    )
    assert proof(tmp_path / "kept")["check"]["fault"] == words


def test_a_backup_of_an_older_version_is_migrated_before_its_logs_are_played(tmp_path):
    with on_empty_database(tmp_path):
        load()
        printed("backup", tmp_path / "kept")
        before = contents()

        assert f"{tmp_path / 'kept'} is right" in printed("backup", "--verify", tmp_path / "kept")

        assert contents() == before


def test_a_backup_with_fewer_events_than_were_written_is_named(backup):
    events = proof(backup)["events"]
    more = proof(backup) | {"events": events + 1}
    backup.with_name("kept.json").write_text(json.dumps(more))

    assert refusal("backup", "--verify", backup) == (
        1,
        f"{backup} has 1 set with {events} events, and its proof names 1 set with {events + 1} "
        "events.",
    )


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"check": {"at": 1}}', "\0"])
def test_a_proof_that_can_not_be_read_checks_nothing(backup, content):
    place = backup.with_name("kept.json")
    place.write_text(content)
    words = f"{place} can't be read, so {backup.name} can't be checked."

    assert refusal("backup", "--verify", backup) == (2, f"NOT CHECKED: {words}")


def test_a_backup_without_proof_is_restored_on_request_only(backup, tmp_path):
    backup.with_name("kept.json").unlink()
    before = contents()
    words = (
        f"{backup}.json: No such file or directory. Without it nobody knows whether kept is as it "
        "was written. Copy it too."
    )

    assert refusal("backup", "--verify", backup) == (2, f"NOT CHECKED: {words}")
    with on_empty_database(tmp_path):
        assert refusal("restore", backup) == (
            1,
            f"{words} Where an older version wrote it, or the checksum is lost, add --unproven. "
            "Nothing was changed.",
        )
        assert contents() == {}
        printed("restore", backup, "--unproven")
        assert contents() == before


def test_a_proof_that_is_there_counts_whatever_is_asked(backup):
    backup.write_bytes(backup.read_bytes()[:-10] + b"overwrites")

    code, words = refusal("restore", backup, "--replace", "--unproven")

    assert (code, words.startswith(f"{backup} is damaged: its bytes")) == (1, True)


def test_a_check_whose_result_can_not_be_noted_says_so(backup, monkeypatch):
    def fail(*words: Any) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(checking.proofs, "write", fail)
    told: list[str] = []

    assert checking.check(backup, told.append).check
    assert told[-1] == f"The check could not be noted beside {backup}: Read-only file system"


# --- PostgreSQL's place ---
on_postgresql = pytest.mark.skipif("connection.vendor != 'postgresql'")


def run(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


@on_postgresql
def test_what_a_killed_check_left_behind_is_thrown_away(backup):
    name = f"{connection.settings_dict['NAME']}_check"
    run(f"CREATE DATABASE {name}")
    run(f"COMMENT ON DATABASE {name} IS '{postgresql.THROWN_AWAY}'")

    printed("backup", "--verify", backup)

    assert_nothing_is_left(name)


@on_postgresql
def test_somebody_elses_database_is_left_alone(backup):
    name = f"{connection.settings_dict['NAME']}_check"
    run(f"CREATE DATABASE {name}")
    try:
        code, words = refusal("backup", "--verify", backup)
        with on_database(NAME=name):
            assert contents() == {}
    finally:
        run(f"DROP DATABASE {name}")

    assert code == 2
    assert f'{name} can\'t be created: database "{name}" already exists' in words


@on_postgresql
def test_a_role_that_may_create_no_database_is_named(backup):
    run("CREATE ROLE checks LOGIN PASSWORD 'checks'")
    try:
        with on_database(USER="checks", PASSWORD="checks"):
            code, words = refusal("backup", "--verify", backup)
    finally:
        run("DROP ROLE checks")

    assert (code, words.partition(": ")[0]) == (2, "NOT CHECKED")
    assert words.endswith(
        "permission denied to create database. As postgres: ALTER ROLE checks CREATEDB"
    )


@pytest.mark.skipif("connection.vendor != 'sqlite'")
def test_a_check_on_sqlite_is_readable_by_its_owner_only():
    with sqlite.elsewhere() as name:
        assert Path(name).parent.stat().st_mode & 0o077 == 0
