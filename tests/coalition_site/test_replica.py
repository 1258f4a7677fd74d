"""Public pages come from a replica, the rest from the primary: two real PostgreSQL servers."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, connections, transaction
from django.test import Client, override_settings
from django.urls import reverse

from coalition_site.ops import replica
from decks.models import BanList
from scoring.live import hub
from scoring.models import GameSet, Playgroup
from tests.elsewhere import on_database
from tests.environment import pgserver
from tests.scoring.grouped import group
from tests.scoring.rules.play import ANN, BO, hit
from tests.scoring.tables import address, holder, record, set_up

pytestmark = [
    pytest.mark.database,
    pytest.mark.skipif("connection.vendor != 'postgresql'", reason="streams between PostgreSQLs"),
]
TAP = "7b1d9c1e-2f1c-4a53-9a39-0d6d3f7ad001"
PATIENCE = 20  # seconds; only a failure waits so long
USER = "postgres"
READER = Path(__file__).resolve().parents[2] / "deploy/two-machines/reader.sql"


class Standby:
    """A second server that copies a first one as it is written."""

    def __init__(self, primary: Any, folder: Path) -> None:
        self.bin, self.user = primary.bin_path, primary.system_user
        self.folder, self.data = folder, folder / "copy"
        self.run(
            "pg_basebackup", f"--dbname={primary.get_uri()}", "-R", "-X", "stream", "-c", "fast"
        )

    def run(self, program: str, *arguments: str) -> None:
        command = [self.bin / program, "-D", self.data, *arguments]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run(command, user=self.user, cwd="/", check=True, **quiet)

    def start(self) -> None:
        self.run(
            "pg_ctl", "-w", "-o", f'-h "" -k {self.folder}', "-l", f"{self.folder}/log", "start"
        )

    def stop(self) -> None:
        self.run("pg_ctl", "-w", "-m", "immediate", "stop")


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[str, Standby]]:
    """A primary's folder, and its replica."""
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="coalition-pair-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        folder.chmod(0o755)  # the server's user is another one where the tests run as root
        primary = pgserver().get_server(folder / "primary")
        stack.callback(primary.cleanup)
        primary.psql("ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf();")
        open_folder = folder / "open"
        open_folder.mkdir()
        open_folder.chmod(0o777)
        standby = Standby(primary, open_folder)
        standby.start()
        stack.callback(lambda: suppress_stop(standby))
        yield str(primary.get_postmaster_info().socket_dir), standby


def suppress_stop(standby: Standby) -> None:
    with suppress(subprocess.CalledProcessError):  # a test has stopped it
        standby.stop()


@pytest.fixture(scope="module")
def _migrated(
    servers: tuple[str, Standby], django_db_setup: None, django_db_blocker: Any
) -> Iterator[None]:
    """Have the site on the primary, with its replica beside it."""
    primary, standby = servers
    here = {"NAME": USER, "USER": USER, "PASSWORD": "", "HOST": "", "OPTIONS": {"host": primary}}
    with django_db_blocker.unblock(), on_database(**here):
        call_command("migrate", verbosity=0)
        there = connection.settings_dict | {"OPTIONS": {"host": str(standby.folder)}}
        connections.settings[replica.REPLICA] = there
        yield
        connections[replica.REPLICA].close()
        del connections.settings[replica.REPLICA]
        del connections[replica.REPLICA]


@pytest.fixture
def site(_migrated: None, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The site as COALITION_REPLICA_URL has it, that knows nothing of the replica yet."""
    with override_settings(DATABASE_ROUTERS=["coalition_site.ops.replica.Router"]):
        settings.MIDDLEWARE = [*settings.MIDDLEWARE, "coalition_site.ops.replica.ReadPages"]
        monkeypatch.setattr(replica, "_last", replica.Look())
        yield


@pytest.fixture
def table(site: None) -> GameSet:
    found = set_up(3, key=None)
    record(found, hit(ANN, BO, 3))
    caught_up()
    return found


def caught_up() -> None:
    """Wait until the replica has all that was written, and look at it again."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_wal_lsn()")
        (written,) = cursor.fetchone()
    until = time.monotonic() + PATIENCE
    while True:
        with connections[replica.REPLICA].cursor() as cursor:
            cursor.execute("SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn", [written])
            if cursor.fetchone()[0]:
                break
        assert time.monotonic() < until, "the replica does not follow"
        time.sleep(0.01)
    replica._last.until = 0.0


def read_from(ask: Callable[[], Any]) -> tuple[Any, set[str]]:
    """Return an answer, and which servers were asked for the rows of the site's tables."""
    asked: set[str] = set()

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if "scoring_" in sql or "decks_" in sql:
            asked.add(context["connection"].alias)
        return execute(sql, params, many, context)

    with ExitStack() as stack:
        for alias in (replica.PRIMARY, replica.REPLICA):
            stack.enter_context(connections[alias].execute_wrapper(note))
        return ask(), asked


PRIMARY, REPLICA = {replica.PRIMARY}, {replica.REPLICA}


def test_pages_to_look_at_come_from_the_replica(table):
    thursday = group()
    caught_up()
    pages = [address(table, name) for name in ("watch", "table", "log", "export")]
    pages += [reverse(name, args=[thursday.code]) for name in ("board", "heroes", "feed")]
    pages += [reverse("finder"), reverse("bans")]

    answers = {page: read_from(lambda page=page: Client().get(page)) for page in pages}

    found = {page: (answer.status_code, asked) for page, (answer, asked) in answers.items()}
    assert found == dict.fromkeys(pages, (200, REPLICA))


def test_a_replica_is_a_database_that_refuses_to_be_written(table):
    with connections[replica.REPLICA].cursor() as cursor:
        cursor.execute("SELECT pg_is_in_recovery()")
        assert cursor.fetchone() == (True,)


def test_a_scorekeeper_reads_and_writes_the_primary_and_sees_the_own_tap_at_once(site):
    table = set_up(3)
    phone = holder(table)
    caught_up()

    pad, pad_from = read_from(lambda: phone.get(address(table, "score")))
    _, written_to = read_from(
        lambda: phone.post(
            address(table, "hit", 1), {"source": 1, "target": 2, "amount": 17, "tap_id": TAP}
        )
    )
    seen, seen_from = read_from(lambda: phone.get(address(table, "watch")))

    assert (pad.status_code, pad_from, written_to, seen_from) == (200, PRIMARY, PRIMARY, PRIMARY)
    assert "17" in seen.content.decode()
    assert phone.cookies[replica.COOKIE]["max-age"] == replica.WROTE


def test_others_see_the_tap_when_they_hear_of_it(table):
    page = address(table, "watch")

    _, asked = read_from(lambda: Client().get(page, headers={"HX-Request": "true"}))

    assert asked == PRIMARY


def test_a_signed_in_visitor_reads_the_primary(table):
    client = Client()
    client.cookies["sessionid"] = "abcdefghijklmnopqrstuvwxyz012345"

    _, asked = read_from(lambda: client.get(address(table, "watch")))

    assert asked == PRIMARY


def test_a_page_that_the_replica_has_not_yet_comes_from_the_primary(table):
    with paused():
        later = set_up(2, key=None)
        replica._last.is_near, replica._last.until = True, time.monotonic() + PATIENCE

        response, asked = read_from(lambda: Client().get(address(later, "watch")))

    assert (response.status_code, asked) == (200, PRIMARY | REPLICA)


@contextmanager
def paused() -> Iterator[None]:
    """Have the replica hear of what is written, and not show it."""
    with connections[replica.REPLICA].cursor() as cursor:
        cursor.execute("SELECT pg_wal_replay_pause()")
        yield
        cursor.execute("SELECT pg_wal_replay_resume()")


def test_a_replica_that_is_behind_is_not_read(table):
    with paused():
        record(table, hit(ANN, BO, 13))
        replica._last.until = replica._last.at = 0.0

        response, asked = read_from(lambda: Client().get(address(table, "watch")))

    assert asked == PRIMARY
    assert "16" in response.content.decode()


def test_inside_a_transaction_the_primary_is_read(table):
    token = replica._reads_replica.set(True)
    try:
        outside = Playgroup.objects.all().db
        with transaction.atomic():
            inside = Playgroup.objects.all().db
        row = BanList.objects.first()
        row.save()
        written = row._state.db
    finally:
        replica._reads_replica.reset(token)

    assert (outside, inside, written) == ("replica", "default", "default")


def test_signals_are_listened_for_on_the_primary():
    assert hub.connection.alias == replica.PRIMARY


def test_pages_answer_while_the_replica_is_stopped_and_read_it_again_after(table, servers):
    page = address(table, "watch")
    before = read_from(lambda: Client().get(page))
    assert replica._last.is_near
    replica._last.until = time.monotonic() + PATIENCE  # nobody has noticed yet

    servers[1].stop()
    first, second = read_from(lambda: Client().get(page)), read_from(lambda: Client().get(page))
    servers[1].start()
    caught_up()
    after = read_from(lambda: Client().get(page))

    assert [answer.status_code for answer, _ in (before, first, second, after)] == [200] * 4
    assert [asked for _, asked in (before, first, second, after)] == [
        REPLICA,
        PRIMARY | REPLICA,
        PRIMARY,
        REPLICA,
    ]


@pytest.fixture
def reader(table: GameSet) -> Iterator[Callable[[str], None]]:
    """Read as the role that reader.sql makes; what is handed out runs SQL on the primary."""
    there = connections[replica.REPLICA]

    def run(sql: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(sql)
        caught_up()

    run(READER.read_text())
    there.close()
    there.settings_dict["USER"] = "reader"
    yield run
    there.close()
    there.settings_dict["USER"] = USER
    run("DROP OWNED BY reader; DROP ROLE reader")


def test_a_reader_made_as_documented_may_read_what_there_is_and_what_comes(table, reader):
    reader("CREATE SCHEMA later; CREATE TABLE later.table AS SELECT 906")

    with connections[replica.REPLICA].cursor() as cursor:
        assert cursor.execute("SELECT * FROM later.table").fetchone() == (906,)
    reader("DROP SCHEMA later CASCADE")
    assert read_from(lambda: Client().get(address(table, "watch")))[1] == REPLICA


def test_what_the_reader_must_not_read_comes_from_the_primary(table, reader):
    reader("REVOKE SELECT ON scoring_eventrow FROM reader")

    answer, asked = read_from(lambda: Client().get(address(table, "log")))

    assert (answer.status_code, asked) == (200, PRIMARY | REPLICA)


def setting(**environment: str) -> subprocess.CompletedProcess[str]:
    """Read the settings in a process of its own."""
    script = (
        "from coalition_site import settings as s; print(s.DATABASES['replica']['HOST'], "
        "s.DATABASE_ROUTERS, s.MIDDLEWARE[-1])"
    )
    return subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_one_setting_enables_the_replica():
    told = setting(COALITION_REPLICA_URL="postgres://reader@copy/coalition")

    assert (
        told.stdout
        == "copy ['coalition_site.ops.replica.Router'] coalition_site.ops.replica.ReadPages\n"
    )


def test_a_replica_of_an_sqlite_is_refused():
    told = setting(
        COALITION_REPLICA_URL="postgres://reader@copy/coalition", DATABASE_URL="sqlite:///x"
    )

    assert told.stderr.endswith(
        "COALITION_REPLICA_URL is a copy of a PostgreSQL: DATABASE_URL must name the original.\n"
    )
