"""What the runs of the tests rely on: who does not ask for the database is the same on any."""

import re
import subprocess
import sys

import pytest
from django.contrib.auth.models import User
from django.db import connection

from .environment import MIGRATED, ROOT

OURS = re.compile(
    r"^(?:from|import) ((?:coalition_site|decks|scoring)[.\w]*)(?: import (\w+))?", re.MULTILINE
)


def test_what_migrations_use_makes_the_migrated_database_anew_when_it_changes():
    seen = {path for pattern in MIGRATED for path in ROOT.glob(pattern)}
    used = {
        (ROOT / module.replace(".", "/"), name)
        for path in ROOT.glob("*/migrations/*.py")
        for module, name in OURS.findall(path.read_text())
    }

    assert len(used) >= 5
    for module, name in used:
        files = {module.with_suffix(".py"), module / "__init__.py", module / f"{name}.py"}
        assert files & seen, module


def test_tests_that_do_not_ask_for_the_database_can_not_reach_it(request):
    assert request.node.get_closest_marker("database") is None
    with pytest.raises(RuntimeError, match="Database access not allowed"):
        connection.ensure_connection()


@pytest.mark.django_db
def test_who_asks_by_a_mark_is_known_to_ask_for_the_database():
    assert not User.objects.filter(pk=2).exists()
    assert not User.objects.filter(pk__in=[3, 4]).exists()


def test_who_asks_by_a_fixture_for_the_same_is_not_chosen(db):
    assert not User.objects.filter(pk=1).exists()


def test_who_commits_runs_on_both_databases(transactional_db):
    pass


def test_postgresql_gets_who_commits_and_each_statement_once(tmp_path):
    chosen = tmp_path / "chosen.txt"
    command = [sys.executable, "-m", "pytest", "-p", "tests.cover", "--chosen", str(chosen)]
    command += ["-p", "no:cacheprovider", "-k", "test_who", __file__]

    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert ran.returncode == 0, ran.stdout
    assert [line.rpartition("::")[2] for line in chosen.read_text().splitlines()] == [
        "test_who_asks_by_a_mark_is_known_to_ask_for_the_database",
        "test_who_commits_runs_on_both_databases",
    ]
