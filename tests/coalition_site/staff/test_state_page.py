"""The page of the site's state: who sees it, and what it says of everything."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from coalition_site.lib import durations
from coalition_site.lib.durations import Durations
from coalition_site.ops import sizes
from scoring.models import Delivery, Game, GameSet, Webhook
from scoring.news import webhooks
from scoring.rules.moves import PassTurn
from tests.coalition_site.test_last_backup import LATE, checked, folder, write
from tests.decks.lists import editor
from tests.scoring.browsing import parse, words, words_of
from tests.scoring.grouped import group, play
from tests.scoring.tables import KEY, address, record, set_up

__all__ = ["folder"]
pytestmark = pytest.mark.django_db

STATE = "/admin/state/"
QUERIES = 10  # two of them for the session and its account
POINTS = {"Ann": (1, 2, 3), "Bo": (4, 5, 6)}


def staff() -> Client:
    client = Client()
    client.force_login(User.objects.get_or_create(username="stan", is_staff=True)[0])
    return client


def section(name: str, response: HttpResponse | None = None) -> str:
    """Return what a section of the page says."""
    page = parse((response or staff().get(STATE)).content.decode())
    (found,) = page.xpath(f"//section[@aria-labelledby='{name}']")
    return words_of(found)


def browser(role: str) -> Client:
    client = Client()
    if role == "signed in":
        client.force_login(User.objects.create_user("sid"))
    if role == "editor":
        client.force_login(editor())
    if role == "superuser":
        client.force_login(User.objects.create_superuser("root"))
    return staff() if role == "staff" else client


@pytest.mark.parametrize(
    ("role", "status", "is_linked"),
    [
        ("stranger", 302, False),
        ("signed in", 302, False),
        ("editor", 403, False),
        ("staff", 200, True),
        ("superuser", 200, True),
    ],
)
def test_the_staff_alone_sees_it_and_a_link_to_it_on_the_admin_s_start_page(
    role, status, is_linked
):
    client = browser(role)

    answer = client.get(STATE)

    assert (answer.status_code, client.post(STATE).status_code) == (status, 405)
    assert (f'href="{STATE}"' in client.get("/admin/").content.decode()) is is_linked
    if status == 302:
        assert answer["Location"] == f"/admin/login/?next={STATE}"
    if status == 403:
        assert "an account that is a superuser, or marked as staff" in words(answer)


def test_nobody_else_may_store_it():
    assert "no-store" in staff().get(STATE)["Cache-Control"]


def test_versions_are_those_that_run():
    said = section("versions")

    engine = {"sqlite": "SQLite 3.", "postgresql": "PostgreSQL 1"}[connection.vendor]
    assert said.startswith("Versions Site 1.0.0 Python 3.")
    assert "Django 5.2." in said
    assert engine in said
    assert "Workers 1 Runs since" in said


def test_the_site_s_version_is_that_of_its_project(request):
    project = (request.config.rootpath / "pyproject.toml").read_text()

    assert 'version = "1.0.0"' in project


def test_migrations_are_applied_or_named():
    assert re.fullmatch(r"Migrations All \d+ are applied", section("migrations"))

    MigrationRecorder(connection).record_unapplied("decks", "0001_initial")

    assert re.fullmatch(
        r"Migrations Run manage.py migrate. The database lacks 1 of \d+: decks 0001_initial.",
        section("migrations"),
    )


def test_without_a_folder_it_says_how_to_set_one(settings):
    settings.BACKUPS = ""

    assert section("backup") == (
        "Last backup No folder is set: give COALITION_BACKUPS the folder into which backups are "
        "written, and restart the site."
    )


def test_a_fresh_backup_has_its_size_its_contents_and_its_check(folder):
    write(folder, "2026-11-22", 5, checked())

    said = section("backup")

    assert said.startswith("Last backup Fresh, and its check went well File 2026-11-22 Written ")
    assert said.endswith(
        "5 hours ago Contains 8 sets, 104 events Size 1.2 kB "
        "Checked 22 November 2026, 03:08 took 12 seconds"
    )


def test_an_old_backup_says_so_and_one_that_is_not_checked_yet(folder):
    write(folder, "2026-11-22", 50, checked())
    assert section("backup").startswith(f"Last backup {LATE} File 2026-11-22")

    write(folder, "2026-11-24", 1)
    said = section("backup")
    assert said.startswith("Last backup Fresh, and not checked yet. File 2026-11-24")
    assert said.endswith("Checked not yet")


def test_times_are_in_the_visitor_s_zone(folder):
    write(folder, "2026-11-22", 5, checked())
    client = staff()
    client.cookies["zone"] = "Asia/Tokyo"

    assert "Checked 22 November 2026, 12:08" in section("backup", client.get(STATE))


def test_the_queue_says_what_waits_what_fails_and_when_nobody_sends(settings):
    settings.WEBHOOKS_ANYWHERE = True
    assert section("news").startswith(
        "Webhooks Waiting 0 deliveries Oldest waits for – Failing 0 webhooks Fails for – "
        "Switched off 0 webhooks"
    )
    for name in ("Thursday", "Friday"):
        club = group(name)
        webhooks.save(club, "json", "http://localhost:1/", site="http://localhost", key=KEY)
        play(club, date(2026, 3, 5), POINTS)
    now = timezone.now()
    Webhook.objects.update(failing_since=now - timedelta(days=2))
    Delivery.objects.update(queued_at=now - timedelta(hours=3), next_at=now - timedelta(minutes=11))

    assert section("news").startswith(
        "Webhooks Nobody sends: a try is overdue by 11 minutes. See whether serve’s process “news” "
        "runs. Waiting 2 deliveries Oldest waits for 3 hours Failing 2 webhooks Fails for 2 days "
        "Switched off 0 webhooks"
    )


def test_growth_counts_sets_and_events_and_what_a_year_brings():
    now = timezone.now()
    for days in (100, 20, 3):
        table = set_up(key=None)
        GameSet.objects.filter(pk=table.pk).update(created_at=now - timedelta(days=days))
        Game.objects.filter(game_set=table).update(
            started_at=now - timedelta(days=days), length=days * 100
        )
    trial = set_up(key=None)
    GameSet.objects.filter(pk=trial.pk).update(trial_until=now)

    said = section("growth")

    assert said.startswith(
        "Growth Sets 3 2 in 30 days, 1 in 7 days Sets a year, at this rate 24 "
        "Events 12,300 2,300 in 30 days, 300 in 7 days Events a year, at this rate 27,983 "
        "Bytes a year, at this rate "
    )
    assert "The rate is that of the last 30 days." in said


def test_a_young_site_s_rate_is_that_of_the_days_it_has():
    table = set_up()
    record(table, PassTurn())
    GameSet.objects.filter(pk=table.pk).update(created_at=timezone.now() - timedelta(days=5))

    said = section("growth")

    assert "Sets 1 1 in 30 days, 1 in 7 days Sets a year, at this rate 73 Events 1" in said
    assert "The rate is that of the last 5 days." in said


def test_an_empty_site_has_a_size_and_no_growth():
    assert "Events 0 0 in 30 days, 0 in 7 days Events a year, at this rate 0 Bytes" in section(
        "growth"
    )
    assert re.match(r"Size of the database: [\d,.]+ [kMG]B The largest tables", section("size"))


def test_the_largest_tables_come_first_and_the_database_is_as_large_as_all():
    tables = sizes.tables()

    bytes_of_each = [table.bytes for table in tables]
    assert bytes_of_each == sorted(bytes_of_each, reverse=True)
    assert {"scoring_eventrow", "decks_card"} <= {table.name for table in tables}
    assert sum(bytes_of_each) <= sizes.database_bytes()


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Durations:
    counts = Durations(durations.view_names())
    monkeypatch.setattr(durations, "_current", counts)
    return counts


def test_the_slowest_views_are_listed_by_name_and_never_by_address(counts):
    table, client = set_up(), staff()
    for ms in (*[20] * 19, 2000):
        counts.note("hit", ms / 1000)
    counts.note("leaderboard", 3)
    client.get(address(table, "watch"))

    answer = client.get(STATE)

    said = section("slowest", answer)
    assert said.startswith(
        "Slowest in the last 24 hours 95 of 100 answers of a view took at most this long, over all "
        "workers of this machine; “other” is what has no view, such as static files. other "
    )
    assert " other 3,000 ms median 3,000 ms, longest 3,000 ms, 1 answer " in said
    assert re.search(r" hit 2\d ms median 2\d ms, longest 2,000 ms, 20 answers", said)
    assert re.search(r" watch [\d.]+ ms median [\d.]+ ms, longest [\d.]+ ms, 1 answer", said)
    assert table.code not in answer.content.decode()


def test_before_the_first_answer_it_says_so(counts):
    assert section("slowest").endswith("Nothing was answered yet.")


def test_it_costs_as_many_queries_whatever_was_played(django_assert_num_queries, folder):
    write(folder, "2026-11-22", 5, checked())
    client, club = staff(), group("Thursday")
    client.get(STATE)

    with django_assert_num_queries(QUERIES):
        client.get(STATE)
    for day in range(1, 9):
        play(club, date(2026, 3, day), POINTS)
        set_up(key=None)
    with django_assert_num_queries(QUERIES):
        client.get(STATE)
