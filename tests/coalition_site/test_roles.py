"""The role that serves on PostgreSQL: what it can do, and what it can't."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import ProgrammingError, connection
from django.test import Client, override_settings
from django.urls import reverse

from coalition_site.ops import backups, roles
from scoring.groups.news import webhooks
from scoring.models import EventRow, LedgerRow, Player, Seat
from tests.elsewhere import contents, on_database, on_empty_database, programs
from tests.receiver import receiving, send_next
from tests.scoring.grouped import group, play
from tests.scoring.rules.play import ANN, BO
from tests.scoring.tables import address, holder, set_up, tap_id

from .test_upgrading import load

pytestmark = [
    pytest.mark.database,
    pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has no roles"),
]
ROLE = f"serving_{uuid4().hex[:8]}"  # roles are of the whole server, which workers share
PASSWORD = "it's a password"
DENIED = r"permission denied|must be owner"
MARCH = date(2026, 3, 6)


@pytest.fixture(scope="module")
def owners(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """A database of the first release that its owner has brought up to date for that role."""
    serving = {"USER": ROLE, "PASSWORD": PASSWORD}
    with (
        django_db_blocker.unblock(),
        override_settings(SERVING=serving, POSTGRES_BIN=str(programs())),
    ):
        try:
            with on_empty_database(tmp_path_factory.mktemp("roles")):
                load()
                call_command("migrate", verbosity=0)
                yield
        finally:
            with connection.cursor() as cursor:
                cursor.execute(f"DROP ROLE IF EXISTS {ROLE}")


@pytest.fixture
def serving(owners: None) -> Iterator[None]:
    with on_database(USER=ROLE, PASSWORD=PASSWORD):
        yield


def run(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


REFUSED = (
    "UPDATE scoring_eventrow SET seq = 9",
    "UPDATE scoring_ledgerrow SET points = 9",
    "DELETE FROM scoring_eventrow",
    "DELETE FROM scoring_ledgerrow",
    "TRUNCATE scoring_eventrow CASCADE",
    "TRUNCATE scoring_ledgerrow",
    "TRUNCATE scoring_gameset CASCADE",
    "ALTER TABLE scoring_eventrow DISABLE TRIGGER ALL",
    "ALTER TABLE scoring_eventrow ADD COLUMN more text",
    "DROP TRIGGER scoring_eventrow_no_update ON scoring_eventrow",
    "DROP TABLE scoring_tally",
    "CREATE TRIGGER more BEFORE INSERT ON scoring_eventrow EXECUTE FUNCTION scoring_append_only()",
    "CREATE OR REPLACE FUNCTION scoring_append_only() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN RETURN NEW; END $$",
    "SET session_replication_role = replica",
    "CREATE TABLE more (id int)",
    "CREATE TEMPORARY TABLE more (id int)",
    "CREATE SCHEMA more",
    "CREATE ROLE more",
    "ALTER ROLE CURRENT_USER SUPERUSER",
    "SELECT setval('scoring_eventrow_id_seq', 1)",
    "DELETE FROM django_migrations",
    "COPY scoring_gameset TO PROGRAM 'cat'",
)


def test_a_game_is_scored_and_corrected_with_that_role(serving):
    table = set_up(2)
    client = holder(table)
    client.get(address(table, "score"))
    hit = {"source": ANN, "target": BO, "amount": 4, "kind": "combat"}

    answers = [
        client.post(address(table, "hit", 1), hit | {"tap_id": tap_id(1)}),
        client.post(address(table, "undo", 1), {"tap_id": tap_id(2), "of": tap_id(1)}),
        Client().get(address(table, "watch")),
    ]

    assert [answer.status_code for answer in answers] == [302, 302, 200]
    assert [row.seq for row in EventRow.objects.filter(game_set=table)] == [1, 2]
    assert LedgerRow.objects.filter(event__game_set=table).count() == 2
    call_command("verify_ledger", table.code)  # ends the process if it is wrong


def test_tables_to_try_are_removed_by_the_owner_alone_as_that_role_reads(serving):
    with pytest.raises(CommandError, match="Only the owner of the database can remove tables"):
        call_command("remove_trials")


def test_a_result_is_sent_and_an_account_is_made_and_deleted_with_that_role(serving, settings):
    of = group()
    with receiving() as receiver:
        settings.WEBHOOK_ORIGINS = [receiver.origin]
        webhooks.save(of, "json", receiver.address, site="https://table.example", key="a-key")
        played = play(of, MARCH, {"Ann": (7, 7, 7), "Bo": (3, 3, 3)})
        assert send_next()
    client, secret = Client(), "three-taps-for-a-hit"
    form = {"username": "vera", "password1": secret, "password2": secret}

    client.post(reverse("signup"), form)
    Player.objects.filter(playgroup=of, name="Ann").update(user=User.objects.get(username="vera"))
    client.post(reverse("delete_account"), {"password": secret})

    assert of.webhook.deliveries.get().outcome == "204 No Content"
    assert not User.objects.filter(username="vera").exists()
    seats = Seat.objects.filter(game_set=played).order_by("number")
    assert list(seats.values_list("name", flat=True)) == ["Former player", "Bo"]
    call_command("verify_ledger", played.code)


def test_a_backup_is_written_with_that_role_and_restored_by_the_owner_who_lets_it_serve(
    owners, tmp_path: Path
):
    with on_database(USER=ROLE, PASSWORD=PASSWORD):
        backups.back_up(tmp_path / "kept")
        before = contents()

    with on_empty_database(tmp_path):
        backups.restore(tmp_path / "kept")
        with on_database(USER=ROLE, PASSWORD=PASSWORD):
            assert contents() == before
            with pytest.raises(ProgrammingError, match=DENIED):
                run("DELETE FROM scoring_eventrow")


def test_a_restored_database_of_the_first_release_is_served_before_it_is_migrated(
    owners, tmp_path: Path
):
    with on_empty_database(tmp_path):
        load()
        roles.grant()
        with on_database(USER=ROLE, PASSWORD=PASSWORD):
            with pytest.raises(ProgrammingError, match=DENIED):
                run("DELETE FROM scoring_eventrow")
            run("SELECT * FROM scoring_eventrow")


def test_the_tables_of_a_later_migration_are_served_too(owners):
    run("CREATE TABLE later (id bigint GENERATED BY DEFAULT AS IDENTITY, word text)")

    with on_database(USER=ROLE, PASSWORD=PASSWORD):
        run("INSERT INTO later (word) VALUES ('one')")
        run("UPDATE later SET word = 'two'")
        run("DELETE FROM later")


def test_the_role_is_given_no_more_when_it_had_more_and_keeps_its_password_up_to_date(owners):
    run(f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {ROLE}")

    call_command("migrate", verbosity=0)

    with on_database(USER=ROLE, PASSWORD=PASSWORD):
        for statement in REFUSED:
            with pytest.raises(ProgrammingError, match=DENIED):
                run(statement)
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolpassword FROM pg_authid WHERE rolname = %s", [ROLE])
        assert cursor.fetchone()[0].startswith("SCRAM-SHA-256$")


def test_the_owner_itself_or_a_superuser_is_not_let_serve(owners, tmp_path: Path):
    backups.back_up(tmp_path / "kept")
    owner = {"USER": connection.settings_dict["USER"], "PASSWORD": ""}

    with on_empty_database(tmp_path), override_settings(SERVING=owner):
        with pytest.raises(CommandError, match="is restored, but can't be served yet"):
            call_command("restore", tmp_path / "kept")
        with pytest.raises(CommandError, match="must not serve"):
            call_command("migrate", verbosity=0)


def test_an_owner_who_may_make_no_roles_reads_which_role_is_missing(serving):
    missing = {"USER": "nobody_there", "PASSWORD": ""}

    with override_settings(SERVING=missing), pytest.raises(roles.RoleRefused) as refusal:
        roles.grant()

    assert "createuser --pwprompt nobody_there" in str(refusal.value)
