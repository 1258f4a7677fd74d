"""A backup loses nothing, a restore does nothing by halves, and damage is noticed in time."""

import io
import json
import os
import sqlite3
import stat
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from hashlib import sha256
from pathlib import Path
from threading import Event
from typing import Any
from unittest.mock import Mock

import psycopg
import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import DatabaseError, OperationalError, connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from coalition_site.ops import backups
from scoring.models import EventRow, Game, GameSet, LedgerRow
from scoring.record import audit, commands, queries
from scoring.rules.moves import ChangeLife
from tests.coalition_site.test_upgrading import load
from tests.elsewhere import contents, on_database, on_empty_database, programs
from tests.scoring.live.test_hub import heard
from tests.scoring.tables import set_up
from tests.whole_site import PASSWORD, exports, settle

PATIENCE = 20  # seconds; only a failure waits so long
pytestmark = pytest.mark.usefixtures("transactional_db", "postgres_programs")
on_postgresql = pytest.mark.skipif("connection.vendor != 'postgresql'")
on_sqlite = pytest.mark.skipif("connection.vendor != 'sqlite'")


@pytest.fixture
def postgres_programs(settings: Any) -> None:
    settings.POSTGRES_BIN = str(programs())


def printed(command: str, *words: Any) -> str:
    out = io.StringIO()
    call_command(command, *map(str, words), stdout=out, stderr=io.StringIO())
    return out.getvalue()


def refusal(*words: Any) -> tuple[int, str]:
    with pytest.raises(CommandError) as refused:
        printed(*words)
    return refused.value.returncode, str(refused.value)


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    commands.record(set_up(2), 1, ChangeLife({1: -1}))
    printed("backup", tmp_path / "kept")
    return tmp_path / "kept"


def proof(backup: Path) -> Path:
    return backup.with_name(f"{backup.name}.json")


def test_a_restored_site_is_what_it_was_to_the_byte_and_goes_on(tmp_path):
    code = settle().code
    before, handed_out = contents(), exports()

    told = printed("backup", tmp_path / "kept")

    with on_empty_database(tmp_path):
        restored = printed("restore", tmp_path / "kept")
        assert contents() == before
        assert exports() == handed_out
        assert restored.endswith(f"{tmp_path / 'kept'} is restored.\n")
        assert User.objects.get(username="olga").check_password(PASSWORD)
        for change in (
            lambda: EventRow.objects.all()._raw_delete("default"),
            lambda: LedgerRow.objects.update(dealt=9),
        ):
            with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
                change()
        table = queries.find_set(code)
        topics = [f"s{table.pk}", f"g{table.playgroup_id}"]
        assert heard(topics, lambda: commands.record(table, 1, ChangeLife({1: -1}))) == topics
        assert printed("verify_ledger")
    assert told == f"{tmp_path / 'kept'}: {(tmp_path / 'kept').stat().st_size:,} bytes\n"
    assert contents() == before


def test_a_backup_in_the_middle_of_a_tap_has_nothing_of_it_and_keeps_nobody_waiting(tmp_path):
    table, is_written, goes_on = set_up(2), Event(), Event()
    before = contents()

    def tap() -> None:
        with transaction.atomic():
            commands.record(table, 1, ChangeLife({1: -1}))
            is_written.set()
            assert goes_on.wait(PATIENCE)
        connection.close()

    with ThreadPoolExecutor(1) as pool:
        tapped = pool.submit(tap)
        assert is_written.wait(PATIENCE), tapped.result(0)
        printed("backup", tmp_path / "kept")
        goes_on.set()
        tapped.result()

    with on_empty_database(tmp_path):
        printed("restore", tmp_path / "kept")
        assert contents() == before


def test_a_backup_signs_nobody_in_even_one_of_the_first_release_which_has_sessions(tmp_path):
    client, first, kept = Client(), tmp_path / "first", tmp_path / "kept"
    client.force_login(User.objects.create_user("olga"))
    session = str(client.session.session_key)

    printed("backup", kept)
    if connection.vendor == "sqlite":
        run("VACUUM INTO %s", str(first))
        unpacked = [file.read_bytes() for file in (kept, first)]
    else:
        backups._run("pg_dump", "--format=custom", f"--file={first}", backups._database())
        command = [programs() / "pg_restore", "--file=-"]
        unpacked = [subprocess.check_output([*command, file]) for file in (kept, first)]

    assert [session.encode() in one for one in unpacked] == [False, True]
    assert Session.objects.filter(session_key=session).exists()  # here it goes on
    for file in (kept, first):
        with on_empty_database(tmp_path):
            printed("restore", file, "--unproven")
            assert Session.objects.count() == 0
            Client().force_login(User.objects.get(username="olga"))
            assert Session.objects.count() == 1


def test_a_backup_is_for_its_owner_alone_and_has_nothing_but_its_proof_beside_it(backup):
    assert sorted(os.listdir(backup.parent)) == [backup.name, proof(backup).name]
    for path in backup.parent.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    checksum = sha256(backup.read_bytes()).hexdigest()
    assert json.loads(proof(backup).read_text())["sha256"] == checksum


def test_a_backup_that_fails_is_named_and_leaves_no_file(backup, tmp_path, monkeypatch):
    def fail(path: Path) -> None:
        path.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    before, files = backup.read_bytes(), sorted(os.listdir(tmp_path))
    with monkeypatch.context() as full:
        full.setattr(backups, "_write", fail)
        assert "No space left on device" in refusal("backup", tmp_path / "full")[1]
    assert sorted(os.listdir(tmp_path)) == files

    assert "exists already" in refusal("backup", backup)[1]
    assert backup.read_bytes() == before
    other = proof(tmp_path / "group")
    other.write_text('{"name": "sha256"}')
    assert "is no proof of a backup, and" in refusal("backup", tmp_path / "group")[1]
    assert other.read_text() == '{"name": "sha256"}'
    backup.unlink()  # a proof alone is of a backup that was killed
    assert f"{backup}: " in printed("backup", backup)
    assert "No such file or directory" in refusal("backup", tmp_path / "no" / "kept")[1]
    with on_empty_database(tmp_path):
        assert "nothing to back up yet" in refusal("backup", tmp_path / "new")[1]


def test_a_database_in_use_is_replaced_only_on_request(backup, tmp_path):
    before, code = contents(), GameSet.objects.get().code
    with on_empty_database(tmp_path):
        printed("restore", backup)
        commands.record(queries.find_set(code), 1, ChangeLife({2: -1}))
        later = contents()

        assert "is not empty" in refusal("restore", backup)[1]
        assert contents() == later
        printed("restore", backup, "--replace")
        assert contents() == before


@on_postgresql
def test_a_restore_that_is_killed_between_two_tables_changes_nothing(
    backup, tmp_path, settings, capfd
):
    folder, before = tmp_path / "bin", contents()
    folder.mkdir()
    (folder / "psql").symlink_to(programs() / "psql")
    (folder / "pg_restore").write_text(
        "#!/bin/sh\necho 'CREATE TABLE half (id int);'\nkill -9 $$\n"
    )
    (folder / "pg_restore").chmod(0o755)
    settings.POSTGRES_BIN = str(folder)

    assert "pg_restore failed" in refusal("restore", backup, "--replace")[1]

    assert contents() == before
    assert "NOTICE" not in capfd.readouterr().err  # of each table that would have been dropped


@pytest.mark.parametrize("content", [b"", b"hello", b"SQLite format 3\0", b"PGDMP", 0.3, 0.9])
def test_what_is_no_whole_backup_changes_nothing_even_without_a_proof(backup, content):
    whole, before = backup.read_bytes(), contents()
    if isinstance(content, float):
        content = whole[: int(len(whole) * content)]
    file = backup.with_name("other")
    file.write_bytes(content)

    assert "Nothing was changed" in refusal("restore", file, "--replace", "--unproven")[1]
    assert "No such file" in refusal("restore", file, "--replace")[1]
    file.unlink()
    told = f"{file} is not there. Nothing was changed."
    assert refusal("restore", file, "--replace", "--unproven") == (1, told)
    assert contents() == before


@on_sqlite
@pytest.mark.parametrize(
    "damage",
    [
        "ALTER TABLE scoring_gameset RENAME TO albums",  # as another site with accounts has it
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 2 WHERE rootpage = 3",
    ],
)
def test_a_database_of_another_program_or_damaged_inside_changes_nothing(backup, damage):
    before = contents()
    with closing(sqlite3.connect(backup)) as file:
        file.executescript(damage)
    proof(backup).unlink()

    assert "Nothing was changed" in refusal("restore", backup, "--replace", "--unproven")[1]
    assert contents() == before


def test_ten_overwritten_bytes_are_noticed_wherever_they_are(backup):
    whole, before = backup.read_bytes(), contents()
    for place in [*(len(whole) * part // 16 for part in range(1, 16)), len(whole) - 10]:
        ten = bytes(byte ^ 0x55 for byte in whole[place : place + 10])
        backup.write_bytes(whole[:place] + ten + whole[place + 10 :])

        for words in (
            ("restore", backup, "--replace"),
            ("restore", backup, "--replace", "--unproven"),
            ("backup", "--verify", backup),
        ):
            code, told = refusal(*words)
            assert (code, "is damaged" in told) == (1, True)
    assert contents() == before


def test_a_proof_names_the_kind_of_database_and_needs_nothing_but_that_and_the_checksum(backup):
    told = json.loads(proof(backup).read_text())
    del told["migrations"]  # as older versions wrote it

    proof(backup).write_text(json.dumps(told | {"sets": 1, "events": 1, "check": None}))
    assert "is right" in printed("backup", "--verify", backup)
    proof(backup).write_text(json.dumps(told | {"database": "other"}))
    for words, code in ((("restore", "--replace"), 1), (("backup", "--verify"), 2)):
        ended, told = refusal(*words, backup)
        assert (ended, "of the kind other" in told, "--unproven" in told) == (code, True, False)
    for unreadable in ("", "[]", "{}", "\0"):
        proof(backup).write_text(unreadable)
        assert refusal("backup", "--verify", backup)[0] == 2
    proof(backup).unlink()
    before = contents()
    assert refusal("backup", "--verify", backup)[0] == 2
    with on_empty_database(backup.parent):
        assert "add --unproven" in refusal("restore", backup)[1]
        assert contents() == {}
        printed("restore", backup, "--unproven")
        assert contents() == before


def test_a_backup_of_a_newer_version_asks_for_that_version(tmp_path):
    MigrationRecorder(connection).record_applied("scoring", "0999_later")
    printed("backup", tmp_path / "kept")
    MigrationRecorder(connection).record_unapplied("scoring", "0999_later")
    before = contents()

    for words, code in ((("restore", "--replace"), 1), (("backup", "--verify"), 2)):
        ended, told = refusal(*words, tmp_path / "kept")
        assert "newer version of the site, which knows scoring.0999_later" in told
        assert (ended, "--unproven" in told) == (code, False)
    assert contents() == before


def test_a_backup_of_an_older_version_is_migrated_before_its_logs_are_played(tmp_path):
    with on_empty_database(tmp_path):
        load()
        printed("backup", tmp_path / "kept")
        before = contents()
        assert f"{tmp_path / 'kept'} is right" in printed("backup", "--verify", tmp_path / "kept")
        assert contents() == before

    with on_empty_database(tmp_path):
        told = printed("restore", tmp_path / "kept")
        assert contents() == before

    assert "is restored. Run manage.py migrate" in told


def test_the_newest_backup_of_a_folder_is_checked(backup, tmp_path):
    (tmp_path / "empty").mkdir()
    for name in ("older", "older.json", "newer"):
        (tmp_path / name).touch()
    os.utime(tmp_path / "older", (1, 1))

    assert f"{backup} is right" in printed("backup", "--verify", tmp_path)
    assert refusal("backup", "--verify", tmp_path / "empty")[0] == 2


@pytest.mark.parametrize("error", [None, KeyboardInterrupt])
def test_a_check_plays_all_logs_elsewhere_and_leaves_nothing_behind(backup, monkeypatch, error):
    names, faults = [], audit.faults

    def watch(*words: Any) -> list[str]:
        names.append(connection.settings_dict["NAME"])
        if error:
            raise error
        return faults(*words)

    monkeypatch.setattr(audit, "faults", watch)
    own, before = connection.settings_dict["NAME"], contents()

    if error:
        with pytest.raises(error):
            printed("backup", "--verify", backup)
    else:
        assert printed("backup", "--verify", backup) == (
            f"sets checked: 1, 0 wrong\n{backup} is right.\n"
        )

    assert names != [own]
    assert connection.settings_dict["NAME"] == own
    assert contents() == before
    assert not exists(names[0])


def test_a_backup_whose_logs_are_wrong_is_named(tmp_path):
    commands.record(set_up(2), 1, ChangeLife({1: -1}))
    Game.objects.update(length=9)
    printed("backup", tmp_path / "kept")

    code, words = refusal("backup", "--verify", tmp_path / "kept")

    assert (code, "its logs are not right" in words) == (1, True)


@on_sqlite
def test_a_check_without_room_says_nothing_of_the_backup(backup, monkeypatch):
    read = backups._read

    def read_on_a_full_disk(path: Path) -> None:
        run("PRAGMA max_page_count = 10")
        read(path)

    monkeypatch.setattr(backups, "_read", read_on_a_full_disk)

    code, words = refusal("backup", "--verify", backup)

    assert (code, "has no room" in words) == (2, True)


def test_a_check_that_loses_its_database_says_nothing_of_the_backup(backup, monkeypatch):
    lost = Mock(side_effect=OperationalError("the connection is closed"))
    monkeypatch.setattr(backups, "_read", lost)

    told = "NOT CHECKED: The database does not do it: the connection is closed"
    assert refusal("backup", "--verify", backup) == (2, told)


def run(statement: str, *values: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchone() if cursor.description else None


def exists(name: str) -> bool:
    if connection.vendor == "sqlite":
        return Path(name).parent.exists()
    return run("SELECT 1 FROM pg_database WHERE datname = %s", name) is not None


@on_postgresql
def test_what_a_killed_check_left_behind_is_thrown_away_but_not_what_another_check_uses(backup):
    name = f"{connection.settings_dict['NAME']}_backup_check"
    run(f"CREATE DATABASE {name}")
    with psycopg.connect(**connection.get_connection_params() | {"dbname": name}) as other:
        code, words = refusal("backup", "--verify", backup)
        other.execute("SELECT 1")  # or it raises that it was disconnected
    assert (code, "accessed by other users" in words) == (2, True)
    assert "CREATEDB" not in words

    printed("backup", "--verify", backup)

    assert not exists(name)


@on_postgresql
def test_a_role_that_may_create_no_database_is_named(backup):
    run("CREATE ROLE checks LOGIN PASSWORD 'checks'")
    try:
        with on_database(USER="checks", PASSWORD="checks"):
            code, words = refusal("backup", "--verify", backup)
    finally:
        run("DROP ROLE checks")

    assert (code, words.endswith("As postgres: ALTER ROLE checks CREATEDB")) == (2, True)


@on_postgresql
def test_missing_programs_of_postgresql_are_named(tmp_path, settings):
    settings.POSTGRES_BIN = str(tmp_path)

    assert "There is no pg_dump here" in refusal("backup", tmp_path / "kept")[1]


@on_sqlite
@pytest.mark.parametrize("is_new", [True, False])
def test_a_database_is_for_its_owner_alone_even_one_that_others_could_read(tmp_path, is_new):
    with on_empty_database(tmp_path), ExitStack() as stack:
        stack.callback(os.umask, os.umask(0o022))
        file = Path(connection.settings_dict["NAME"])

        def modes() -> dict[str, int]:
            files = file.parent.glob(f"{file.name}*")
            return {one.name[len(file.name) :]: stat.S_IMODE(one.stat().st_mode) for one in files}

        if not is_new:  # but as an older version made it
            other = stack.enter_context(closing(sqlite3.connect(file)))
            other.execute("PRAGMA journal_mode=WAL")
            other.execute("CREATE TABLE one (id int)")
            assert modes() == {"": 0o644, "-shm": 0o644, "-wal": 0o644}

        run("CREATE TABLE two (id int)")

        assert modes() == {"": 0o600, "-shm": 0o600, "-wal": 0o600}
