"""PgBouncer before the database: by session games are played, otherwise the site refuses to serve.

Its lines are those of docs/running.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from coalition_site.serving.hearing import DEAF

from .conftest import SETTINGS
from .engine import RUNNING, Installation, wait_until
from .test_compose import ask_database, begin, hit, kill, points, watch_by_stream

POOLED = f"""
services:
  pooler:
    image: stand-in-pgbouncer
    user: "10001:10001"
    restart: unless-stopped
    networks: [inside]
    volumes: ["./pooler:/etc/pooler:ro"]
    depends_on: [database]
    healthcheck:
      test: [CMD, bash, -c, "exec 3<>/dev/tcp/127.0.0.1/5432"]
      interval: 5s
  site:
    environment:
      DATABASE_URL: postgres://coalition_site:{SETTINGS["DATABASE_SITE_PASSWORD"]}@pooler/coalition
"""
CONFIGURATION = """
[databases]
* = host=database
[pgbouncer]
listen_addr = *
listen_port = 5432
unix_socket_dir =
auth_type = scram-sha-256
auth_file = /etc/pooler/users
"""
PYTHON = ("run", "--rm", "-T", "--no-deps", "site", "/app/venv/bin/python")
POOLED_ONES = (
    "SELECT bool_or(client_addr = '{0}') FROM pg_stat_activity WHERE usename = 'coalition_site'"
)
SESSION = """
from django.db import connection, transaction
from scoring.groups.import_limits import _advisory_lock
from scoring.models import GameSet
for _ in range(3):
    list(GameSet.objects.all())
with connection.cursor() as cursor, transaction.atomic():
    cursor.execute("SELECT count(*) > 0 FROM pg_prepared_statements")
    print("prepared:", *cursor.fetchone())
    cursor.execute("SHOW lock_timeout")
    print("waits:", *cursor.fetchone())
    with _advisory_lock():
        cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")
        print("locks:", *cursor.fetchone())
"""


def documented(language: str, beginning: str) -> str:
    """Return the lines of that kind in docs/running.md."""
    [block] = re.findall(rf"```{language}\n({beginning}.*?)\s*```", RUNNING, re.S)
    return str(block)


def behind(installation: Installation, mode: str) -> Installation:
    """Start a pooler of that mode, and return the project with the site behind it."""
    folder = installation.folder / "pooler"
    folder.mkdir(exist_ok=True)
    lines = documented("ini", "pool_mode").replace("= session", f"= {mode}")
    (folder / "pgbouncer.ini").write_text(CONFIGURATION + lines + "\n")
    password = SETTINGS["DATABASE_SITE_PASSWORD"]
    (folder / "users").write_text(f'"coalition_site" "{password}"\n')
    (installation.folder / "pooled.yml").write_text(POOLED)
    lasting = (*installation.lasting, "pooler")
    pooled = replace(installation, more=("pooled.yml",), lasting=lasting)
    pooled.compose("up", "-d", "--no-build", "--force-recreate", "pooler")
    return pooled


@pytest.fixture(scope="module")
def pooled(installation: Installation) -> Iterator[Installation]:
    """Serve behind a pooler by session."""
    ask_database(installation, documented("sql", "ALTER ROLE"))
    pooled = behind(installation, "session")
    pooled.up()
    yield pooled
    pooled.compose("rm", "-s", "-f", "pooler")
    installation.up()


@pytest.mark.parametrize("mode", ["transaction", "statement"])
def test_a_pooler_that_passes_on_no_signals_is_refused_in_words(installation, mode):
    pooled = behind(installation, mode)
    try:
        assert DEAF in pooled.compose(*PYTHON, "manage.py", "serve", check=False)
    finally:
        pooled.compose("rm", "-s", "-f", "pooler")


def test_a_game_is_played_and_followed_behind_a_pooler_that_is_killed_in_it(
    pooled, page, new_context
):
    hand = begin(page)
    by_stream = watch_by_stream(new_context(), hand)
    watcher = new_context().new_page()
    watcher.goto(re.sub(r"score/$", "", page.url))

    hit(hand, 3)
    wait_until(lambda: points(by_stream) == 3)
    hand.button("Undo")
    wait_until(lambda: points(by_stream) == 0)
    pooler = pooled.ask("pooler", "range .NetworkSettings.Networks}}{{.IPAddress}}{{end")
    assert ask_database(pooled, POOLED_ONES.format(pooler)) == "t"

    before = int(pooled.ask("pooler", ".RestartCount"))
    kill(pooled, "pooler")
    page.locator(".to").get_by_role("checkbox", name="Bruno").tap()
    hand.send(page.get_by_role("button", name="Hit for 5", exact=True))  # while it is away
    wait_until(lambda: int(pooled.ask("pooler", ".RestartCount")) == before + 1)

    wait_until(lambda: points(watcher) == 5)  # by another stream, or asking now and then
    page.reload()
    wait_until(lambda: points(page) == 5)
    assert "0 wrong" in pooled.manage("verify_ledger")
    pooled.manage("backup", "/backups/pooled")


def test_a_connection_by_a_pooler_prepares_statements_waits_20_seconds_and_locks(pooled):
    lines = pooled.manage("shell", "-c", SESSION).splitlines()

    assert lines[-3:] == ["prepared: True", "waits: 20s", "locks: 1"]
