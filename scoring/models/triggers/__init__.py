"""All triggers of the database: migrations create them, ``verify_ledger`` checks them."""

from collections.abc import Callable
from typing import Any

from django.db import connection

from . import append_only, changes, circles, deleting, register

Triggers = dict[tuple[str, str], str]  # statements by table and name of the trigger

# By the vendor of the database. The app of decks adds its own: see ``scoring/apps.py``.
SOURCES: list[Callable[[str], Triggers]] = [
    append_only.triggers,
    deleting.triggers,
    circles.triggers,
    register.triggers,
    changes.triggers,
]
_SQLITE = "SELECT tbl_name, name, sql, '' FROM sqlite_schema WHERE type = 'trigger'"
_POSTGRESQL = """
SELECT relname, tgname, pg_get_triggerdef(pg_trigger.oid, true), prosrc
FROM pg_trigger JOIN pg_class ON tgrelid = pg_class.oid JOIN pg_proc ON tgfoid = pg_proc.oid
WHERE NOT tgisinternal AND tgenabled IN ('O', 'A') AND pg_table_is_visible(tgrelid)
"""


def wanted(vendor: str) -> Triggers:
    return {key: statement for source in SOURCES for key, statement in source(vendor).items()}


def wrong() -> list[str]:
    """Return the names of triggers that are missing, disabled, or changed. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_SQLITE if connection.vendor == "sqlite" else _POSTGRESQL)
        existing = {(table, name.lower()): parts for table, name, *parts in cursor.fetchall()}
    return [
        key[1]
        for key, statement in wanted(connection.vendor).items()
        if not all(_plain(part) in _plain(statement) for part in existing.get(key, [None]))
    ]


def _plain(text: str | None) -> str:
    """Return a statement as each database returns it; None becomes text that no statement has.

    >>> _plain("CREATE OR REPLACE TRIGGER a\\n BEFORE UPDATE")
    'create trigger a before update'
    """
    plain = " ".join((text if text is not None else "\0").lower().split()).rstrip(";")
    for optional in ("or replace ", "if not exists "):
        plain = plain.replace(optional, "")
    return plain


def put_back(names: list[str]) -> None:
    with connection.schema_editor() as editor:
        for (table, name), statement in wanted(connection.vendor).items():
            if name in names:
                make(editor, table, name, statement)


def make(editor: Any, table: str, name: str, statement: str) -> None:
    place = "" if editor.connection.vendor == "sqlite" else f" ON {table}"
    editor.execute(f"DROP TRIGGER IF EXISTS {name}{place}", params=None)
    editor.execute(statement, params=None)
