"""Triggers that make events, ledger rows and the register append-only, on each database, with those
of ``deleting.py``."""

from typing import Any

# The tables, and the columns by which SQLite may replace a row by another ("INSERT OR
# REPLACE"): no trigger runs for a row that is deleted that way.
UNIQUE = {
    "scoring_eventrow": (("id",), ("game_id", "seq"), ("game_set_id", "tap_id")),
    "scoring_ledgerrow": (("id",), ("reverses_id",)),
    "scoring_gameregister": (("game",),),
}
TABLES = tuple(UNIQUE)

_SQLITE = """
CREATE TRIGGER IF NOT EXISTS {table}_no_update BEFORE UPDATE ON {table}
BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END
"""
_SQLITE_REPLACE = """
CREATE TRIGGER IF NOT EXISTS {table}_no_replace BEFORE INSERT ON {table}
BEGIN {refusals} END
"""
_SQLITE_REFUSAL = """
SELECT RAISE(ABORT, '{table} is append-only: there is a row of this {columns}')
WHERE EXISTS (SELECT 1 FROM {table} WHERE {same});
"""
_POSTGRESQL_FUNCTION = """
CREATE OR REPLACE FUNCTION scoring_append_only() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME
   USING ERRCODE = 'integrity_constraint_violation'; END $$
"""
_POSTGRESQL = f"""{_POSTGRESQL_FUNCTION};
CREATE OR REPLACE TRIGGER {{table}}_no_{{verb}} BEFORE {{verb}} ON {{table}}
FOR EACH {{each}} EXECUTE FUNCTION scoring_append_only()
"""


def triggers(vendor: str) -> dict[tuple[str, str], str]:
    made: dict[tuple[str, str], str] = {}
    for table, unique in UNIQUE.items():
        if vendor != "sqlite":
            for verb, each in (("UPDATE", "ROW"), ("TRUNCATE", "STATEMENT")):
                statement = _POSTGRESQL.format(table=table, verb=verb, each=each)
                made[table, f"{table}_no_{verb}".lower()] = statement
            continue
        made[table, f"{table}_no_update"] = _SQLITE.format(table=table)
        refusals = ""
        for columns in unique:
            same = " AND ".join(f"{column} = NEW.{column}" for column in columns)
            names = ", ".join(columns)
            refusals += _SQLITE_REFUSAL.format(table=table, columns=names, same=same)
        statement = _SQLITE_REPLACE.format(table=table, refusals=refusals)
        made[table, f"{table}_no_replace"] = statement
    return made


def guard(apps: Any, schema_editor: Any) -> None:
    there = schema_editor.connection.introspection.table_names()
    for (table, _), statement in triggers(schema_editor.connection.vendor).items():
        if table in there:
            schema_editor.execute(statement, params=None)


def unguard(apps: Any, schema_editor: Any) -> None:
    vendor = schema_editor.connection.vendor
    for table, name in triggers(vendor):
        place = "" if vendor == "sqlite" else f" ON {table}"
        schema_editor.execute(f"DROP TRIGGER IF EXISTS {name}{place}")
    if vendor == "postgresql":
        schema_editor.execute("DROP FUNCTION IF EXISTS scoring_append_only()")
