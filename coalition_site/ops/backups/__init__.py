"""Backups of the whole database in one file, and restoring them, on either kind of database.

On SQLite the file is a database itself, on PostgreSQL a dump in pg_dump's own format. Neither stops
the site, and each shows one moment. Sessions are left out: everybody signs in again afterwards.
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

    The file is read back before it gets its name.

    :raises BackupRefused: with what to do, if it can't be written.
    """
    kind = KINDS[connection.vendor]
    with written(path) as place:
        kind.write(place)
        if not kind.migrations(place):
            raise BackupRefused(
                "There is nothing to back up yet: `manage.py migrate` creates the tables."
            )


def restore(path: Path, *, replace: bool = False) -> None:
    """Replace the database's content with a backup's, in one transaction.

    :raises BackupRefused: with what to do, if the file is not a backup, or of another database or a
        newer version, or if the database is not empty and ``replace`` is not set.
    """
    kind = kind_of(path)
    if kind != connection.vendor:
        raise BackupRefused(
            f"{path} is a backup of {NAMES[kind]}, and this site runs on "
            f"{NAMES[connection.vendor]}. Set DATABASE_URL to a database of that kind; to "
            f"move playgroups between the kinds use export_group and import_group."
        )
    _check_is_ours(path, KINDS[kind].migrations(path))
    if not replace and connection.introspection.table_names():
        raise BackupRefused(
            "This database is not empty. Restore into an empty database, or add --replace to lose "
            "what it contains. Nothing was changed."
        )
    KINDS[kind].read(path)
    roles.grant()
    connection.close()  # it may have cached things about the database as it was


def _check_is_ours(path: Path, migrations: set[tuple[str, str]]) -> None:
    """Refuse backups of other sites, and of newer versions of this site."""
    if "scoring" not in {app for app, _ in migrations}:
        raise BackupRefused(f"{path} is a database, but not a backup of this site.")
    unknown = migrations - set(MigrationLoader(None).disk_migrations)
    if unknown:
        names = ", ".join(f"{app}.{name}" for app, name in sorted(unknown))
        raise BackupRefused(
            f"{path} was written by a newer version of the site, which knows {names}. Install "
            f"that version, then restore. Nothing was changed."
        )


def is_behind() -> bool:
    """Return whether the database is older than the code."""
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
