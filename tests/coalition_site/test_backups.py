"""A backup loses nothing, and a restore does nothing by halves."""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import IO, Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from coalition_site.ops import backups
from coalition_site.ops.backups import postgresql
from scoring.models import EventRow, GameSet, LedgerRow
from scoring.play import commands, queries
from scoring.rules.moves import ChangeLife
from tests.elsewhere import contents, on_empty_database, postgres_programs
from tests.scoring.live.test_hub import heard
from tests.scoring.tables import set_up
from tests.whole_site import PASSWORD, exports, settle

__all__ = ["postgres_programs"]
PATIENCE = 20  # seconds; only a failure waits so long
pytestmark = pytest.mark.usefixtures("transactional_db", "postgres_programs")


def printed(command: str, *words: Any) -> str:
    """Return what a command prints."""
    out = io.StringIO()
    call_command(command, *map(str, words), stdout=out, stderr=io.StringIO())
    return out.getvalue()


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """A backup of one table with one tap."""
    commands.record(set_up(2), 1, ChangeLife({1: -1}))
    printed("backup", tmp_path / "kept")
    return tmp_path / "kept"


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
        _check_that_triggers_hold()
        _check_that_taps_count_and_are_told(queries.find_set(code))
        assert printed("verify_ledger")
    size, events = (tmp_path / "kept").stat().st_size, EventRow.objects.count()
    assert told == (
        f"{tmp_path / 'kept'}: {size:,} bytes, {GameSet.objects.count()} sets with {events} "
        "events\n"
    )
    assert contents() == before


def _check_that_triggers_hold() -> None:
    for model, column in ((EventRow, "seq"), (LedgerRow, "dealt")):
        for tamper in (
            lambda model=model, column=column: model.objects.update(**{column: 9}),
            lambda model=model: model.objects.all()._raw_delete("default"),
        ):
            with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
                tamper()


def _check_that_taps_count_and_are_told(table: GameSet) -> None:
    topics = [f"s{table.pk}", f"g{table.playgroup_id}"]
    length = queries.find_game(table, 1).length

    assert heard(topics, lambda: commands.record(table, 1, ChangeLife({1: -1}))) == topics
    assert queries.find_game(table, 1).length == length + 1


@pytest.fixture
def half_a_tap() -> Iterator[GameSet]:
    """A table with a tap that is written and not yet committed, from another connection."""
    table, is_written, goes_on = set_up(2), Event(), Event()

    def tap() -> None:
        with transaction.atomic():
            commands.record(table, 1, ChangeLife({1: -1}))
            is_written.set()
            assert goes_on.wait(PATIENCE)
        connection.close()

    with ThreadPoolExecutor(1) as pool:
        tapped = pool.submit(tap)
        assert is_written.wait(PATIENCE), tapped.result(0)
        yield table
        goes_on.set()
        tapped.result()


def test_a_backup_in_the_middle_of_a_tap_has_nothing_of_it(half_a_tap, tmp_path):
    before = contents()

    printed("backup", tmp_path / "kept")

    with on_empty_database(tmp_path):
        printed("restore", tmp_path / "kept")
        assert contents() == before
        assert queries.find_game(half_a_tap, 1).length == 0


@pytest.fixture
def session() -> str:
    """The key of a browser in which somebody is signed in."""
    client = Client()
    client.force_login(User.objects.create_user("olga"))
    return str(client.session.session_key)


def test_a_backup_signs_nobody_in(session, tmp_path):
    printed("backup", tmp_path / "kept")

    assert session.encode() not in written_out(tmp_path / "kept")
    assert Session.objects.filter(session_key=session).exists()  # here it goes on
    with on_empty_database(tmp_path):
        printed("restore", tmp_path / "kept")
        assert Session.objects.count() == 0
        Client().force_login(User.objects.get(username="olga"))
        assert Session.objects.count() == 1


def written_out(backup: Path) -> bytes:
    """Return what a backup holds, not compressed."""
    if connection.vendor == "sqlite":
        return backup.read_bytes()
    return postgresql._unpacked(backup, "--file=-").encode()


def test_the_sessions_of_a_backup_of_the_first_release_are_not_restored(session, tmp_path):
    first = tmp_path / "first"
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [str(first)])
    else:
        postgresql._run("pg_dump", "--format=custom", f"--file={first}", *postgresql._database())
    assert session.encode() in written_out(first)

    with on_empty_database(tmp_path):
        printed("restore", first, "--unproven")

        assert Session.objects.count() == 0
        assert User.objects.get().username == "olga"


def test_backups_while_phones_tap_are_each_of_one_moment(tmp_path):
    table, is_enough, tapped = set_up(2), Event(), Event()

    def tap() -> int:
        taps = 0
        while not is_enough.is_set():
            commands.record(table, 1, ChangeLife({1: -1 if taps % 2 else 1}))
            taps += 1
            tapped.set()
        connection.close()
        return taps

    with ThreadPoolExecutor(1) as pool:
        counted = pool.submit(tap)
        try:
            for number in range(3):
                tapped.clear()
                assert tapped.wait(PATIENCE), counted.result(0)
                printed("backup", tmp_path / f"kept-{number}")
        finally:
            is_enough.set()
        taps = counted.result()

    lengths = []
    for number in range(3):
        with on_empty_database(tmp_path):
            assert "sets checked: 1, 0 wrong\n" in printed("restore", tmp_path / f"kept-{number}")
            lengths.append(queries.find_game(table, 1).length)
    assert 0 < lengths[0] < lengths[1] < lengths[2] <= taps


def test_a_backup_is_for_its_owner_alone_and_has_nothing_but_its_proof_beside_it(backup):
    assert sorted(os.listdir(backup.parent)) == [backup.name, f"{backup.name}.json"]
    for path in backup.parent.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_backup_takes_no_files_place(backup):
    before = backup.read_bytes()

    with pytest.raises(CommandError) as refusal:
        printed("backup", backup)

    assert str(refusal.value) == f"{backup} exists already, and was not changed. Choose a new name."
    assert backup.read_bytes() == before


def test_a_backup_that_fails_leaves_no_file(tmp_path, monkeypatch):
    def fail(path: Path) -> None:
        path.write_bytes(b"half")
        raise backups.BackupRefused("The disk is full.")

    monkeypatch.setattr(backups.KINDS[connection.vendor], "write", fail)

    with pytest.raises(CommandError, match="The disk is full"):
        printed("backup", tmp_path / "kept")

    assert os.listdir(tmp_path) == []


def test_a_missing_folder_is_reported(tmp_path):
    with pytest.raises(CommandError) as refusal:
        printed("backup", tmp_path / "no" / "kept")

    assert str(refusal.value) == f"{tmp_path / 'no' / 'kept'}: No such file or directory"


def test_nothing_is_backed_up_where_nothing_is(tmp_path):
    with on_empty_database(tmp_path), pytest.raises(CommandError) as refusal:
        printed("backup", tmp_path / "kept")

    assert str(refusal.value) == (
        "There is nothing to back up yet: `manage.py migrate` creates the tables."
    )


def test_a_database_in_use_is_replaced_only_on_request(backup, tmp_path):
    before = contents()
    with on_empty_database(tmp_path):
        printed("restore", backup)
        commands.record(queries.find_set(_code()), 1, ChangeLife({2: -1}))
        later = contents()

        with pytest.raises(CommandError) as refusal:
            printed("restore", backup)

        assert contents() == later
        printed("restore", backup, "--replace")
        assert contents() == before
    assert str(refusal.value) == (
        "This database is not empty. Restore into an empty database, or add --replace to lose what "
        "it contains. Nothing was changed."
    )


def _code() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT code FROM scoring_gameset")
        return str(cursor.fetchone()[0])


def _cut(backup: Path) -> None:
    content = backup.read_bytes()
    backup.write_bytes(content[: len(content) * 3 // 4])


def test_a_backup_that_was_cut_off_changes_nothing(backup):
    _cut(backup)
    before = contents()

    with pytest.raises(CommandError, match="Nothing was changed"):
        printed("restore", backup, "--replace")

    assert contents() == before


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite's file is put in place")
@pytest.mark.parametrize("part", [0, 0.3, 0.6, 0.999])
def test_a_restore_that_is_killed_changes_nothing(backup, monkeypatch, part):
    """What is killed says nothing to psql any more; its script just ends."""
    before = contents()

    def killed(script: IO[bytes], to: IO[bytes]) -> None:
        whole = script.read()
        to.write(whole[: int(len(whole) * part)])
        raise SystemExit

    monkeypatch.setattr(postgresql.shutil, "copyfileobj", killed)
    with pytest.raises(SystemExit):
        printed("restore", backup, "--replace")

    assert contents() == before


@pytest.mark.parametrize("content", [b"", b"hello", b'{"version": 1}', b"SQLite", b"\0" * 4096])
def test_a_file_that_is_no_backup_is_refused(tmp_path, content):
    file = tmp_path / "file"
    file.write_bytes(content)

    with pytest.raises(CommandError) as refusal:
        printed("restore", file, "--replace")

    assert str(refusal.value) == f"{file} is not a backup: `manage.py backup FILE` writes a backup."


def test_a_missing_file_is_reported(tmp_path):
    with pytest.raises(CommandError) as refusal:
        printed("restore", tmp_path / "gone")

    assert str(refusal.value) == f"{tmp_path / 'gone'}: No such file or directory"


def test_a_backup_of_the_other_kind_of_database_is_refused(tmp_path):
    kinds = {"sqlite": b"PGDMP\1\17", "postgresql": b"SQLite format 3\0"}
    file = tmp_path / "file"
    file.write_bytes(kinds[connection.vendor])
    names = ["SQLite", "PostgreSQL"]
    here, there = names if connection.vendor == "sqlite" else names[::-1]

    with pytest.raises(CommandError) as refusal:
        printed("restore", file, "--replace")

    assert str(refusal.value).startswith(
        f"{file} is a backup of {there}, and this site runs on {here}. Set DATABASE_URL"
    )


def test_a_backup_of_something_else_is_refused(backup, tmp_path):
    with on_empty_database(tmp_path):
        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLE django_migrations (id int, app text, name text, at text)")
            cursor.execute("INSERT INTO django_migrations VALUES (1, 'shop', '0001_initial', '')")
        backups.KINDS[connection.vendor].write(tmp_path / "shop")

    with pytest.raises(CommandError) as refusal:
        printed("restore", tmp_path / "shop", "--replace", "--unproven")

    shop = tmp_path / "shop"
    assert str(refusal.value) == f"{shop} is a database, but not a backup of this site."


def test_a_backup_of_a_newer_version_asks_for_that_version(tmp_path):
    MigrationRecorder(connection).record_applied("scoring", "0999_later")
    printed("backup", tmp_path / "kept")
    MigrationRecorder(connection).record_unapplied("scoring", "0999_later")
    before = contents()

    with pytest.raises(CommandError) as refusal:
        printed("restore", tmp_path / "kept", "--replace")

    assert str(refusal.value) == (
        f"{tmp_path / 'kept'} was written by a newer version of the site, which knows "
        "scoring.0999_later. Install that version, then restore. Nothing was changed."
    )
    assert contents() == before


def test_a_backup_of_an_older_version_asks_for_migrate(tmp_path):
    MigrationRecorder(connection).record_unapplied("coalition_site", "0003_reset_asked")
    printed("backup", tmp_path / "kept")
    MigrationRecorder(connection).record_applied("coalition_site", "0003_reset_asked")

    with on_empty_database(tmp_path):
        told = printed("restore", tmp_path / "kept")

    assert told == (
        f"{tmp_path / 'kept'} is restored. It is from an older version: run migrate, then "
        "verify_ledger.\n"
    )


@pytest.mark.skipif("connection.vendor != 'postgresql'")
def test_missing_programs_of_postgresql_are_named(tmp_path, settings):
    settings.POSTGRES_BIN = str(tmp_path)

    with pytest.raises(CommandError) as refusal:
        printed("backup", tmp_path / "kept")

    assert str(refusal.value) == (
        "There is no pg_dump here. Install PostgreSQL's client programs (on Debian "
        "postgresql-client), or set COALITION_POSTGRES_BIN to their folder."
    )
