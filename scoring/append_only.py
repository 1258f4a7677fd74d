"""Triggers that make events and ledger rows append-only, on each database."""

from __future__ import annotations

from typing import Any

TABLES = ("scoring_eventrow", "scoring_ledgerrow")

_SQLITE = """
CREATE TRIGGER IF NOT EXISTS {table}_no_{verb} BEFORE {verb} ON {table}
BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END
"""
_POSTGRESQL_FUNCTION = """
CREATE FUNCTION scoring_append_only() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME
   USING ERRCODE = 'integrity_constraint_violation'; END $$
"""
_POSTGRESQL = """
CREATE TRIGGER {table}_no_{verb} BEFORE {verb} ON {table}
FOR EACH ROW EXECUTE FUNCTION scoring_append_only()
"""


def guard(apps: Any, schema_editor: Any) -> None:
    """Refuse to change or delete a row of the log or the ledger from now on."""
    on_sqlite = schema_editor.connection.vendor == "sqlite"
    if not on_sqlite:
        schema_editor.execute(_POSTGRESQL_FUNCTION, params=None)
    for table in TABLES:
        for verb in ("UPDATE", "DELETE"):
            trigger = (_SQLITE if on_sqlite else _POSTGRESQL).format(table=table, verb=verb)
            schema_editor.execute(trigger, params=None)


def unguard(apps: Any, schema_editor: Any) -> None:
    """Take the triggers off."""
    on_sqlite = schema_editor.connection.vendor == "sqlite"
    for table in TABLES:
        for verb in ("UPDATE", "DELETE"):
            place = "" if on_sqlite else f" ON {table}"
            schema_editor.execute(f"DROP TRIGGER {table}_no_{verb}{place}")
    if not on_sqlite:
        schema_editor.execute("DROP FUNCTION scoring_append_only()")
