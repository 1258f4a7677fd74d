"""Triggers around the operations of a migration that rebuild a table."""

from typing import Any

from django.db.migrations import RunPython
from django.db.migrations.operations.base import Operation


def rebuilding(*operations: Operation) -> list[Operation]:
    """Drop all triggers, do the operations, and create the triggers again, on SQLite."""
    # There a change such as another check rebuilds its table, which fails while triggers of other
    # tables name it, and loses its own.
    dropped: list[tuple[str, str]] = []

    def drop(apps: Any, editor: Any) -> None:
        if editor.connection.vendor != "sqlite":
            return
        # What is there, not what today's code wants: later migrations create tables of their own.
        with editor.connection.cursor() as cursor:
            cursor.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
            dropped[:] = cursor.fetchall()
        for name, _ in dropped:
            editor.execute(f"DROP TRIGGER {name}", params=None)

    def create_again(apps: Any, editor: Any) -> None:
        for _, statement in dropped:
            editor.execute(statement, params=None)

    return [RunPython(drop, create_again), *operations, RunPython(create_again, drop)]
