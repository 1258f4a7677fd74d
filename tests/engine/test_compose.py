"""The compose file in a real engine: built, served, killed, restored, and brought up again."""

from __future__ import annotations

import json
import os
import re
import signal
from dataclasses import replace

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.hand import Hand, board
from tests.browser.test_playgroup import start

from .conftest import SETTINGS
from .engine import RUNNING, Installation, wait_until
from .load import Load

NAMES = ("Ada", "Bruno", "Cleo")
# A compose file with which the owner serves, as the first release did.
ONE_ROLE = f"""
services:
  migrate: {{ environment: {{ COALITION_SERVING_URL: "" }} }}
  site:
    environment:
      DATABASE_URL: postgres://coalition:{SETTINGS["DATABASE_PASSWORD"]}@database/coalition
"""
ROLES = "SELECT rolname FROM pg_roles WHERE rolcanlogin ORDER BY 1"
OWNERS = "SELECT tableowner, count(*) > 10 FROM pg_tables WHERE schemaname = 'public' GROUP BY 1"
RIGHTS = (
    "SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls "
    "FROM pg_roles WHERE rolname = 'coalition_site'"
)
REFUSED = {
    "DELETE FROM scoring_eventrow": "permission denied for table scoring_eventrow",
    "UPDATE scoring_ledgerrow SET points = 0": "permission denied for table scoring_ledgerrow",
    "TRUNCATE scoring_gameregister": "permission denied for table scoring_gameregister",
    "DROP TABLE scoring_seat": "must be owner of table scoring_seat",
    "ALTER TABLE scoring_eventrow DISABLE TRIGGER USER": "must be owner of table scoring_eventrow",
    "CREATE TABLE own (id int)": "permission denied for schema public",
}
BACKUP = "/backups/a-night"
TO_POSTGRESQL_18 = RUNNING.partition("PostgreSQL 18 is more than")[2].partition("\n## ")[0]
# Takes the page's asking every 15 seconds away: static/js/live.js, FALLBACK.
SIGNALS_ONLY = """
const repeat = window.setInterval;
window.setInterval = (what, after) => after === 15_000 ? 0 : repeat(what, after);
"""
PYTHON = "/app/venv/bin/python"
# Init starts `serve`, which starts the workers and `news`.
COUNT_WORKERS = r"""
import re
from pathlib import Path
files = Path("/proc").glob("[0-9]*/status")
every = [dict(re.findall(r"(\w+):\t(.*)", file.read_text())) for file in files]
[first] = [each["Pid"] for each in every if each["PPid"] == "1"]
print(sum(each["PPid"] == first and each["Name"] != "news" for each in every))
"""
AWAY = {502, 503}  # what the proxy answers while a site is away that has a request
LONG = 60_000  # milliseconds: services are killed and come back meanwhile


@pytest.fixture
def hand(page: Page) -> Hand:
    """A scorekeeper's phone, at a table whose first game has begun."""
    return begin(page)


def begin(page: Page) -> Hand:
    expect.set_options(timeout=LONG)
    page.set_default_timeout(LONG)
    page.goto("/start/")
    for seat, name in enumerate(NAMES, 1):
        page.get_by_label(re.compile(rf"^\s*Seat {seat}")).fill(name)
    hand = Hand(page)
    hand.tap(page.locator("#start summary"))
    hand.tap(page.get_by_role("radio", name=re.compile("^We have drawn already")))
    hand.send(page.get_by_role("button", name="Start game 1"))
    start(hand, 1)  # Ada: Bruno, who is hit, would score nothing
    return hand


def hit(hand: Hand, amount: int) -> None:
    hand.page.locator(".to").get_by_role("checkbox", name="Bruno").tap()
    hand.number(amount)


def points(page: Page) -> int:
    """Return the VP of all."""
    return sum(points for points, _ in board(page).values())


def watch_by_stream(context: BrowserContext, hand: Hand) -> Page:
    """Watch a table as a visitor whose page does not ask now and then, but only when signalled."""
    page = context.new_page()
    page.add_init_script(SIGNALS_ONLY)
    with page.expect_response(lambda answer: "hx-request" in answer.request.headers):
        page.goto(re.sub(r"score/$", "", hand.page.url))  # the first signal comes at once
    return page


def test_a_table_is_scored_and_followed_through_caddy(hand, new_context):
    watcher = watch_by_stream(new_context(), hand)

    hit(hand, 3)

    assert hand.page.evaluate("isSecureContext")
    wait_until(lambda: points(watcher) == 3)


def test_a_backup_brings_back_what_was(hand, installation: Installation):
    hit(hand, 3)
    installation.manage("backup", BACKUP)
    hit(hand, 4)
    assert points(hand.page) == 7
    python = (PYTHON, "manage.py")

    checked = installation.compose(
        "run", "--rm", "-T", "migrate", *python, "backup", "--verify", "/backups"
    )
    assert re.search(rf"^{BACKUP} is right: \d+ sets? with \d+ events?", checked, re.MULTILINE)

    installation.compose("stop", "site")
    installation.compose("run", "--rm", "migrate", *python, "restore", "--replace", BACKUP)
    installation.compose("start", "site")
    wait_until(installation.is_healthy)

    hand.page.reload()
    assert points(hand.page) == 3


def test_the_steps_to_another_major_version_of_postgresql_lose_nothing(hand, installation):
    """By the lines of docs/running.md but those that edit files and build the new images."""
    hit(hand, 3)
    steps = re.findall(r"^    ((?:docker|nano) .*)", TO_POSTGRESQL_18, re.MULTILINE)
    lines = [step for step in steps if not step.startswith(("nano ", "docker compose build "))]
    assert (len(steps), len(lines)) == (9, 6)

    installation.run_lines(
        " &&\n".join(lines).replace("coalition_database", f"{installation.name}_database")
    )

    wait_until(installation.is_healthy)
    hand.page.reload()
    assert points(hand.page) == 3
    hit(hand, 1)
    assert points(hand.page) == 4


@pytest.mark.parametrize("service", ["site", "database", "proxy"])
def test_what_is_killed_is_started_again_and_nothing_is_lost(hand, installation, service):
    hit(hand, 3)
    before = int(installation.ask(service, ".RestartCount"))

    kill(installation, service)
    hand.page.locator(".to").get_by_role("checkbox", name="Bruno").tap()
    hand.send(hand.page.get_by_role("button", name="Hit for 5", exact=True))  # while it is away

    wait_until(lambda: int(installation.ask(service, ".RestartCount")) == before + 1)
    wait_until(installation.is_healthy)
    hand.page.reload()
    wait_until(lambda: points(hand.page) == 8)


def kill(installation: Installation, service: str) -> None:
    """Kill the first process of a service, as a machine without memory does, not by the engine."""
    os.kill(int(installation.ask(service, ".State.Pid")), signal.SIGKILL)


def test_a_new_version_comes_in_while_games_go_on_and_no_tap_is_lost(hand, installation):
    """Ten phones tap during the swap too, each once a second."""
    hit(hand, 3)
    first = installation.ask("site", ".Image")
    page = installation.folder / "templates/base.html"
    page.write_text(page.read_text().replace("</body>", "<p>Version two</p></body>"))

    installation.build()
    play = Load(installation, installation.up).play(tables=5, seconds=30, kills=1)
    hit(hand, 5)

    assert {status for phone in play.phones for status in phone.broken} <= AWAY
    assert installation.ask("site", ".Image") != first
    assert points(hand.page) == 8
    hand.page.goto("/")
    expect(hand.page.get_by_text("Version two")).to_be_visible()


def test_nothing_is_lost_by_down_and_up(hand, installation):
    hit(hand, 3)

    installation.compose("down")
    installation.up()

    hand.page.reload()
    assert points(hand.page) == 3


# --- least rights, asked of the engine and from within ---
LASTING = ("database", "site", "proxy")
SERVICES = (*LASTING, "migrate")


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_can_neither_write_into_itself_nor_gain_rights(installation, service):
    script = "touch /usr/x /etc/x 2>&1; id -u; grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status"
    inside = ("exec", "-T") if service in LASTING else ("run", "--rm", "-T")
    lines = installation.compose(*inside, service, "sh", "-c", script).splitlines()

    assert [line.split(":")[-1].strip() for line in lines[:2]] == ["Read-only file system"] * 2
    facts = dict(line.split(":\t") for line in lines[3:])
    assert lines[2] == {"database": "999"}.get(service, "10001")
    bound = {"proxy": f"{1 << 10:016x}"}.get(service, "0" * 16)
    assert facts == {"CapEff": "0" * 16, "CapBnd": bound, "NoNewPrivs": "1"}


def test_each_service_is_held_to_its_rights_its_memory_and_its_processes(installation):
    facts = {name: json.loads(installation.ask(name, "json .HostConfig")) for name in SERVICES}

    assert {name: of["Memory"] // 1024**2 for name, of in facts.items()} == {
        "database": 1024,
        "migrate": 1024,
        "site": 1536,
        "proxy": 512,
    }
    assert {of["PidsLimit"] for of in facts.values()} == {256}
    assert [name for name, of in facts.items() if not of["ReadonlyRootfs"]] == []
    assert [name for name, of in facts.items() if of["CapDrop"] != ["ALL"]] == []
    added = {name: of["CapAdd"] for name, of in facts.items() if of["CapAdd"]}
    assert list(added) == ["proxy"]
    # Engines write the name with its prefix or without it.
    assert [name.removeprefix("CAP_") for name in added["proxy"]] == ["NET_BIND_SERVICE"]
    assert {str(of["SecurityOpt"]) for of in facts.values()} == {"['no-new-privileges:true']"}


def test_the_database_reaches_nobody_and_nobody_reaches_it_from_outside(installation):
    """It can't even reach this machine by the proxy's door, which the site can."""
    networks = {
        name: sorted(json.loads(installation.ask(name, "json .NetworkSettings.Networks")))
        for name in SERVICES
    }
    inside, outside = (f"{installation.name}_{name}" for name in ("inside", "outside"))
    assert networks == {
        "database": [inside],
        "migrate": [inside],
        "site": [inside, outside],
        "proxy": [outside],
    }
    inspect = ("network", "inspect", "-f", "{{.Internal}}", inside, outside)
    assert installation.engine.docker(*inspect).split() == ["true", "false"]
    door = installation.ask("proxy", f'(index .NetworkSettings.Networks "{outside}").Gateway')
    knock = ("bash", "-c", f"timeout 5 bash -c 'exec 3<>/dev/tcp/{door}/443' && echo open")
    assert installation.compose("exec", "-T", "site", *knock) == "open"
    refusal = installation.compose("exec", "-T", "database", *knock, check=False)
    assert "Network is unreachable" in refusal
    assert not any(json.loads(installation.ask("database", "json .NetworkSettings.Ports")).values())


@pytest.mark.parametrize("workers", [1, 2])
def test_so_many_workers_serve_as_the_settings_say(installation, workers):
    installation.fill_in(**SETTINGS, COALITION_WORKERS=str(workers))
    try:
        installation.up()
        log = installation.compose("logs", "--no-log-prefix", "site").splitlines()
        lines = [line for line in log if "Workers: " in line]
        assert f"Workers: {workers}. Connections: up to {workers * 13 + 1} of 97." in lines[-1]
        wait_until(lambda: count_workers(installation) == workers)  # `news` takes its name late
    finally:
        installation.fill_in(**SETTINGS)
        installation.up()


def count_workers(installation: Installation) -> int:
    return int(installation.compose("exec", "-T", "site", PYTHON, "-c", COUNT_WORKERS))


def test_the_site_serves_with_a_role_that_owns_nothing(installation):
    assert_two_roles(installation)


def test_a_volume_of_one_role_gets_the_second_by_up(new_context, installation):
    """The first release served as the owner of its database, which was the only role."""
    (installation.folder / "one-role.yml").write_text(ONE_ROLE)
    old = replace(installation, more=("one-role.yml",))
    old.compose("down", "--volumes")
    old.up()
    assert ask_database(old, ROLES) == "coalition"
    page = new_context().new_page()
    hand = begin(page)
    hit(hand, 3)

    installation.up()

    assert ask_database(installation, ROLES) == "coalition\ncoalition_site"
    assert_two_roles(installation)
    hand.page.reload()
    hit(hand, 5)
    wait_until(lambda: points(hand.page) == 8)


def ask_database(installation: Installation, query: str) -> str:
    """Ask as the owner, by a password, which connections from outside of the container need."""
    owner = ("-e", "PGPASSWORD=" + SETTINGS["DATABASE_PASSWORD"], "database")
    psql = ("psql", "--host", "database", "-U", "coalition", "-tAc", query)
    return installation.compose("exec", "-T", *owner, *psql)


def refused(installation: Installation, statement: str) -> str:
    """Return why the database does not let the site do something."""
    script = f"from django.db import connection as c; c.cursor().execute({statement!r})"
    python = (PYTHON, "manage.py", "shell", "-c", script)
    lines = installation.compose("exec", "-T", "site", *python, check=False).splitlines()
    return next((line for line in reversed(lines) if "ProgrammingError" in line), lines[-1])


def assert_two_roles(installation: Installation) -> None:
    """Check that one role owns all tables, and another serves, which can't alter the record."""
    environment = installation.ask("site", "json .Config.Env")

    assert ask_database(installation, OWNERS) == "coalition|t"
    assert ask_database(installation, RIGHTS) == "f|f|f|f|f"
    assert SETTINGS["DATABASE_PASSWORD"] not in environment
    assert "coalition_site:" + SETTINGS["DATABASE_SITE_PASSWORD"] in environment
    for statement, why in REFUSED.items():
        assert why in refused(installation, statement)
