"""A new version takes over a database of the first release, and may do so while that one serves."""

from __future__ import annotations

import io
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ModelState, ProjectState

from coalition_site.lib.texts import name_key
from decks.bans.announced import announcements
from decks.models import BanList
from scoring.groups import leaderboard
from scoring.groups.leaderboard import Wanted
from scoring.models import Player, Playgroup, triggers
from tests import releases
from tests.elsewhere import on_empty_database
from tests.releases.rules import problems
from tests.whole_site import exports

STALE = (
    "The migrations of the first release are not what they were when its database was written to "
    "tests/releases/first. While nothing is released: python -m tests.releases. Afterwards never: "
    "leave a released migration as it is, and write a new one."
)


def load() -> None:
    """Make the first release's database here."""
    script = releases.dump(connection.vendor)
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(connection.settings_dict["NAME"])) as database:
            database.executescript(script)
    else:
        with connection.cursor() as cursor:
            cursor.execute(script)
        connection.close()  # a dump leaves a search path of its own behind


def there_are() -> set[str]:
    """Return the names of the triggers that there are."""
    asked = {
        "sqlite": "SELECT name FROM sqlite_schema WHERE type = 'trigger'",
        "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal",
    }
    with connection.cursor() as cursor:
        cursor.execute(asked[connection.vendor])
        return {name.lower() for (name,) in cursor.fetchall()}


WANTED = {name for _, name in triggers.wanted(connection.vendor)}


def first_release() -> dict[str, Any]:
    """Return what the first release was, if its migrations are still the same."""
    release = releases.record()
    assert releases.hash_of(release["migrations"]) == release["hash"], STALE
    return release


def test_what_was_released_stays_as_it_was():
    assert first_release()


def test_the_first_releases_database_is_brought_up_to_date_and_loses_nothing(
    transactional_db, tmp_path: Path
):
    handed_out = first_release()["exports"][connection.vendor]
    out = io.StringIO()

    with on_empty_database(tmp_path):
        load()
        call_command("migrate", verbosity=0)
        call_command("verify_ledger", stdout=out)
        assert exports() == handed_out
        assert (there_are(), triggers.wrong()) == (WANTED, []), (
            "On SQLite a changed table is made anew, without its triggers: end the migration with "
            "those of scoring/models/triggers/__init__.py that are missing."
        )

    assert "0 wrong" in out.getvalue().splitlines()[0]


def test_the_entries_of_the_first_release_are_announcements_by_list_and_day(
    transactional_db, tmp_path: Path
):
    with on_empty_database(tmp_path):
        load()
        call_command("migrate", verbosity=0)
        found = {
            ban_list.name: [
                (one.on.isoformat(), one.title, [change.words for change in one.changes])
                for one in announcements(ban_list)
            ]
            for ban_list in BanList.objects.all()
        }

    day, title = "2026-03-06", "The first list"
    assert found == {
        "Coalition": [(day, title, ["Reserved list: watched"])],
        "Conspiracy": [],
        "Leveler": [],
        "Realm Wars": [],
        "Thursday group – Ελπίδα": [(day, title, ["Elvish Mystic: banned"])],
    }


def test_games_that_a_player_missed_count_after_the_upgrade(transactional_db, tmp_path: Path):
    """Ann of the playgroup and Zoë of a quick table, as the first release counted who left."""
    out = io.StringIO()

    with on_empty_database(tmp_path):
        load()
        with connection.cursor() as cursor:
            cursor.execute("UPDATE scoring_setresult SET games_played = 1 WHERE seat_id IN (1, 21)")
            cursor.execute(
                "UPDATE scoring_tally SET games = 1 "
                "WHERE player_id = 2 AND starts_on IN ('2026-03-06', '2026-03-01', '2026-01-01')"
            )
        call_command("migrate", verbosity=0)
        call_command("verify_ledger", stdout=out)
        rows = leaderboard.board(Playgroup.objects.get(), Wanted()).rows

    assert out.getvalue().splitlines()[-2:] == [
        "sets checked: 8, 0 wrong",
        "playgroups checked: 1, 0 wrong",
    ]
    assert [(row.games, row.per_game) for row in rows if row.name == "Ann"] == [(3, 7.0)]


def test_players_of_one_name_are_two_after_the_upgrade_and_the_owner_reads_who(
    transactional_db, tmp_path: Path, capsys
):
    """SQLite told José from JOSÉ; both databases told either from what only looks the same."""
    names = ["José", "Jose\u0301", "José (2)", "Jos\u200bé", "x" * 80, "ｘ" * 80]

    with on_empty_database(tmp_path):
        load()
        with connection.cursor() as cursor:
            cursor.execute("SELECT min(id), min(code) FROM scoring_playgroup")
            group, code = cursor.fetchone()
            for at, name in enumerate(names):
                cursor.execute(
                    "INSERT INTO scoring_player (id, playgroup_id, name, is_guest) "
                    "VALUES (%s, %s, %s, %s)",
                    [1000 + at, group, name, False],
                )
        call_command("migrate", verbosity=0)
        kept = list(Player.objects.filter(pk__gte=1000).order_by("pk").values_list("name", "key"))
        before = Player.objects.filter(pk__lt=1000)
        keys = {key == name_key(name) for name, key in before.values_list("name", "key")}

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
    assert capsys.readouterr().out.split("\n") == [
        "",
        "  " + renamed.format(names[1], kept[1][0]),
        "",
        "  " + renamed.format(names[3], kept[3][0]),
        "",
        "  " + renamed.format(names[5], kept[5][0]),
        "",
    ]


def test_no_migration_since_breaks_the_version_before_it():
    loader, released = MigrationLoader(None), releases.record()["migrations"]
    nodes = [
        node
        for leaf in loader.graph.leaf_nodes()
        for node in loader.graph.forwards_plan(leaf)
        if node[0] in releases.APPS and node[1] not in released[node[0]]
    ]

    found = [
        problem
        for app, name in dict.fromkeys(nodes)
        for problem in problems(
            app, loader.graph.nodes[app, name], loader.project_state((app, name), at_end=False)
        )
    ]

    assert found == []


def state() -> ProjectState:
    """One model, as a release left it."""
    kept = ProjectState()
    fields = [
        ("id", models.BigAutoField(primary_key=True)),
        ("name", models.CharField(max_length=40)),
        ("note", models.TextField(null=True)),
        ("age", models.IntegerField(db_default=0)),
        ("house", models.ForeignKey("decks.BanList", models.PROTECT, null=True)),
        ("fee", models.DecimalField(max_digits=6, decimal_places=2, null=True)),
        ("sign", models.CharField(null=True)),
    ]
    had = models.CheckConstraint(name="had_name", condition=~models.Q(name=""))
    kept.add_model(ModelState("scoring", "Seat", fields, {"indexes": [], "constraints": [had]}))
    return kept


def told(*operations: object, **proven: str) -> list[str]:
    """Return what is said of a migration of these operations."""
    migration = migrations.Migration("0002_made_up", "scoring")
    migration.operations = list(operations)
    migration.proven = {key.replace("__", " ").replace("_of_", "."): proven[key] for key in proven}
    return problems("scoring", migration, state())


NAME = models.CheckConstraint(name="has_name", condition=~models.Q(name=""))


def altered(name: str, field: models.Field) -> migrations.AlterField:
    return migrations.AlterField("Seat", name, field)


def decimal(digits: int, places: int) -> models.DecimalField:
    return models.DecimalField(max_digits=digits, decimal_places=places, null=True)


# What a field was: see state().
BAD_FIELDS = {
    "a default of the database taken away": altered("age", models.IntegerField()),
    "the same, for null": altered("age", models.IntegerField(null=True)),
    "an index": altered("note", models.TextField(null=True, db_index=True)),
    "a key of another model": altered(
        "house", models.ForeignKey("decks.Card", models.PROTECT, null=True)
    ),
    "another key of the same model": altered(
        "house", models.ForeignKey("decks.BanList", models.PROTECT, to_field="key", null=True)
    ),
    "fewer digits": altered("fee", decimal(5, 2)),
    "fewer places": altered("fee", decimal(6, 1)),
    "more places": altered("fee", decimal(7, 3)),
    "an end where there was none": altered("sign", models.CharField(max_length=9, null=True)),
}
BAD = {
    "RemoveField seat.name": migrations.RemoveField("Seat", "name"),
    "RenameField seat.name": migrations.RenameField("Seat", "name", "called"),
    "RenameModel seat": migrations.RenameModel("Seat", "Chair"),
    "DeleteModel seat": migrations.DeleteModel("Seat"),
    "AlterModelTable seat": migrations.AlterModelTable("Seat", "chairs"),
    "AddField seat.hat": migrations.AddField("Seat", "hat", models.CharField(max_length=9)),
    "AddField seat.size": migrations.AddField("Seat", "size", models.IntegerField(default=0)),
    "AddField seat.row": migrations.AddField(
        "Seat", "row", models.IntegerField(null=True, db_index=True)
    ),
    "AddField seat.key": migrations.AddField(
        "Seat", "key", models.TextField(null=True, unique=True)
    ),
    "AlterField seat.name": migrations.AlterField("Seat", "name", models.CharField(max_length=9)),
    "AlterField seat.note": migrations.AlterField("Seat", "note", models.TextField()),
    "AlterField seat.id": migrations.AlterField("Seat", "id", models.UUIDField(primary_key=True)),
    "AddConstraint seat.has_name": migrations.AddConstraint("Seat", NAME),
    "AddIndex seat.by_name": migrations.AddIndex("Seat", models.Index("name", name="by_name")),
    "AlterUniqueTogether seat": migrations.AlterUniqueTogether("Seat", {("name", "note")}),
    "RunPython": migrations.RunPython(migrations.RunPython.noop),
    "RunSQL": migrations.RunSQL("DROP TABLE scoring_seat"),
}


@pytest.mark.parametrize("called", BAD)
def test_what_the_old_version_would_break_on_is_refused(called):
    found = told(BAD[called])

    assert [one.partition(": ")[2].partition(": ")[0] for one in found] == [called]


@pytest.mark.parametrize("what", BAD_FIELDS)
def test_a_field_that_the_old_version_would_not_know_again_is_refused(what):
    operation = BAD_FIELDS[what]

    found = told(operation)

    said = f"scoring.0002_made_up: AlterField seat.{operation.name}: "
    assert [one.startswith(said) for one in found] == [True]


def test_it_is_refused_within_a_separated_operation_too():
    within = migrations.SeparateDatabaseAndState(database_operations=[BAD["DeleteModel seat"]])

    assert told(within) == [
        "scoring.0002_made_up: DeleteModel seat: the old version still reads it; stop using it "
        "in one release, remove it in the next."
    ]


GOOD = {
    "a new table": migrations.CreateModel("Hat", [("id", models.BigAutoField(primary_key=True))]),
    "a field that may be empty": migrations.AddField("Seat", "hat", models.TextField(null=True)),
    "a field that the database fills": migrations.AddField(
        "Seat", "size", models.IntegerField(db_default=0)
    ),
    "a key as it was": migrations.AlterField(
        "Seat", "house", models.ForeignKey("decks.banlist", models.SET_NULL, null=True)
    ),
    "room for more digits": altered("fee", decimal(8, 2)),
    "room for longer names": migrations.AlterField("Seat", "name", models.CharField(max_length=80)),
    "a constraint that goes": migrations.RemoveConstraint("Seat", "had_name"),
}


@pytest.mark.parametrize("what", GOOD)
def test_what_the_old_version_does_not_notice_may_go_out(what):
    assert told(GOOD[what]) == []


def test_a_migration_can_answer_for_what_it_does():
    assert told(BAD["RemoveField seat.name"], RemoveField__seat_of_name="Unused since 2.") == []


def test_an_answer_counts_for_all_operations_of_its_name():
    assert told(BAD["RunPython"], BAD["RunPython"], RunPython="They lock nothing.") == []
    assert len(told(BAD["RunPython"], BAD["RunPython"])) == 2


def test_an_answer_without_words_or_for_nothing_is_none():
    removed = BAD["RemoveField seat.name"]

    assert len(told(removed, RemoveField__seat_of_name=" ")) == 1
    assert told(RemoveField__seat_of_name="Unused since 2.") == [
        "scoring.0002_made_up: proven 'RemoveField seat.name' is not in it."
    ]
