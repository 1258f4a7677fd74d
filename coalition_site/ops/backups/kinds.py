"""The two kinds of databases, and which backups fit the one that the site runs on."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from . import postgresql, sqlite
from .files import BackupRefused, kind_of

NAMES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
KINDS: dict[str, ModuleType] = {"sqlite": sqlite, "postgresql": postgresql}


def check_kind(path: Path) -> str:
    """Return the kind of a backup, if it is that of the site's database.

    :raises BackupRefused: if it is no backup, or of the other kind.
    """
    kind = kind_of(path)
    if kind != connection.vendor:
        raise BackupRefused(
            f"{path} is a backup of {NAMES[kind]}, and this site runs on "
            f"{NAMES[connection.vendor]}. Set DATABASE_URL to a database of that kind; to "
            f"move playgroups between the kinds use export_group and import_group."
        )
    return kind


def check_is_ours(path: Path, migrations: set[tuple[str, str]]) -> None:
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
