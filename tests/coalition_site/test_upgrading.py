"""A new version takes over a database of the first release."""

import hashlib
import io
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.db import connection

from coalition_site.lib.texts import name_key
from decks.bans.history import announcements
from decks.models import BanList
from scoring.groups.board.leaderboard import Filters, leaderboard
from scoring.models import Player, Playgroup, triggers
from tests.elsewhere import on_empty_database
from tests.environment import ROOT
from tests.whole_site import exports

FIRST = ROOT / "tests/releases/first"
RELEASE: dict[str, Any] = json.loads((FIRST / "release.json").read_text())
IMPORTS = re.compile(rb"^from (coalition_site|decks|scoring)\b.*\n", re.M)


def load() -> None:
    """Bring the tables and rows of the first release into an empty database."""
    script = (FIRST / f"{connection.vendor}.sql").read_text()
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(connection.settings_dict["NAME"])) as database:
            database.executescript(script)
    else:
        with connection.cursor() as cursor:
            cursor.execute(script)
        connection.close()  # a dump leaves a search path of its own behind


def there_are() -> set[str]:
    asked = {
        "sqlite": "SELECT name FROM sqlite_schema WHERE type = 'trigger'",
        "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal",
    }
    with connection.cursor() as cursor:
        cursor.execute(asked[connection.vendor])
        return {name.lower() for (name,) in cursor.fetchall()}


def test_what_was_released_stays_as_it_was():
    """But for imports from our own modules, which follow the modules that move."""
    content = hashlib.sha256()
    for app, names in sorted(RELEASE["migrations"].items()):
        for name in sorted(names):
            file = ROOT / app / "migrations" / f"{name}.py"
            content.update(IMPORTS.sub(b"", file.read_bytes()) if file.exists() else b"gone")

    assert content.hexdigest() == RELEASE["hash"], (
        "leave a released migration as it is, and write a new one"
    )


def test_the_first_releases_database_is_brought_up_to_date_and_loses_nothing(
    transactional_db, tmp_path: Path
):
    """The entries of its ban lists become announcements, by list and day."""
    out = io.StringIO()

    with on_empty_database(tmp_path):
        load()
        call_command("migrate", verbosity=0)
        call_command("verify_ledger", stdout=out)
        assert exports() == RELEASE["exports"][connection.vendor]
        wanted = {name for _, name in triggers.wanted(connection.vendor)}
        assert (there_are(), triggers.wrong()) == (wanted, []), (
            "On SQLite a changed table is made anew, without its triggers: end the migration with "
            "those of scoring/models/triggers/__init__.py that are missing."
        )

        announced = {
            ban_list.name: (str(one.row.on), one.row.title, [each.words for each in one.changes])
            for ban_list in BanList.objects.all()
            for one in announcements(ban_list)
        }

    assert "0 wrong" in out.getvalue().splitlines()[0]
    day, title = "2026-03-06", "The first list"
    assert announced == {
        "Coalition": (day, title, ["Reserved list: watched"]),
        "Thursday group – Ελπίδα": (day, title, ["Elvish Mystic: banned"]),
    }


def test_games_that_a_player_missed_count_and_players_of_one_name_are_two_after_the_upgrade(
    transactional_db, tmp_path: Path, capsys
):
    """Ann of the playgroup and Zoë of a quick table, as the first release counted who left.

    SQLite told José from JOSÉ; both databases told either from what only looks the same. The owner
    reads who is called otherwise now.
    """
    out = io.StringIO()
    names = ["José", "Jose\u0301", "José (2)", "Jos\u200bé", "x" * 80, "ｘ" * 80]

    with on_empty_database(tmp_path):
        load()
        with connection.cursor() as cursor:
            cursor.execute("UPDATE scoring_setresult SET games_played = 1 WHERE seat_id IN (1, 21)")
            cursor.execute(
                "UPDATE scoring_tally SET games = 1 "
                "WHERE player_id = 2 AND starts_on IN ('2026-03-06', '2026-03-01', '2026-01-01')"
            )
            cursor.execute("SELECT min(id), min(code) FROM scoring_playgroup")
            group, code = cursor.fetchone()
            for at, name in enumerate(names):
                cursor.execute(
                    "INSERT INTO scoring_player (id, playgroup_id, name, is_guest) "
                    "VALUES (%s, %s, %s, %s)",
                    [1000 + at, group, name, False],
                )
        call_command("migrate", verbosity=0)
        call_command("verify_ledger", stdout=out)
        rows = leaderboard(Playgroup.objects.get(), Filters()).rows
        kept = list(Player.objects.filter(pk__gte=1000).order_by("pk").values_list("name", "key"))
        before = Player.objects.filter(pk__lt=1000)
        keys = {key == name_key(name) for name, key in before.values_list("name", "key")}

    assert out.getvalue().splitlines()[-2:] == [
        "sets checked: 8, 0 wrong",
        "playgroups checked: 1, 0 wrong",
    ]
    assert [(row.games, row.per_game) for row in rows if row.name == "Ann"] == [(3, 7.0)]
    assert kept == [
        ("José", "josé"),
        ("Jose\u0301 (3)", "josé (3)"),
        ("José (2)", "josé (2)"),
        ("Jos\u200bé (4)", "josé (4)"),
        ("x" * 80, "x" * 80),
        ("ｘ" * 76 + " (2)", "x" * 76 + " (2)"),
    ]
    assert keys == {True}
    renamed = f"Playgroup {code}: “{{}}” was there twice. Whoever came later is “{{}}” now."
    told = [renamed.format(names[at], kept[at][0]) for at in (1, 3, 5)]
    assert capsys.readouterr().out == "".join(f"\n  {line}\n" for line in told)
