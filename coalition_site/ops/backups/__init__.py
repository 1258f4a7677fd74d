"""Backups: the whole database in one file, and back from it, on each kind of database.

On SQLite the file is a database itself, on PostgreSQL a dump by pg_dump in its own format. Neither
way waits for the site or stops it, and each shows one moment. Sessions are in none: who was signed
in does so again after a restore.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from .. import roles
from . import postgresql, sqlite
from .files import BackupRefused, kind_of, written

__all__ = ["BackupRefused", "back_up", "is_behind", "restore"]

NAMES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
KINDS: dict[str, ModuleType] = {"sqlite": sqlite, "postgresql": postgresql}


def back_up(path: Path) -> None:
    """Write the database to a new file, whole or not at all.

    What was written is read back before it is put in place.

    :raises BackupRefused: with what to do, if that can't be.
    """
    kind = KINDS[connection.vendor]
    with written(path) as place:
        kind.write(place)
        if not kind.migrations(place):
            raise BackupRefused("There is nothing to back up yet: `manage.py migrate` begins it.")


def restore(path: Path, *, replace: bool = False) -> None:
    """Bring the database to what a backup holds, in one transaction.

    :raises BackupRefused: with what to do, if the file is no backup, or of another database or a
        newer version, or if the database holds something and ``replace`` does not say that it goes.
    """
    found = kind_of(path)
    if found != connection.vendor:
        raise BackupRefused(
            f"{path} is a backup of {NAMES[found]}, and this site runs on "
            f"{NAMES[connection.vendor]}. Set DATABASE_URL to a database of that kind; playgroups "
            f"go from one kind to the other by export_group and import_group."
        )
    _check_is_ours(path, KINDS[found].migrations(path))
    if not replace and connection.introspection.table_names():
        raise BackupRefused(
            "This database holds something already. Restore into an empty one, or say --replace "
            "to lose what it holds. Nothing was changed."
        )
    KINDS[found].read(path)
    roles.grant()
    connection.close()  # what it knew of the database is of the one before


def _check_is_ours(path: Path, migrations: set[tuple[str, str]]) -> None:
    """Refuse what other sites or newer versions of this one have written."""
    if "scoring" not in {app for app, _ in migrations}:
        raise BackupRefused(f"{path} is a database, but no backup of this site.")
    unknown = migrations - set(MigrationLoader(None).disk_migrations)
    if unknown:
        names = ", ".join(f"{app}.{name}" for app, name in sorted(unknown))
        raise BackupRefused(
            f"{path} was written by a newer version of the site, which knows {names}. Install "
            f"that version, then restore. Nothing was changed."
        )


def is_behind() -> bool:
    """Say whether the database is of an older version than the code."""
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
