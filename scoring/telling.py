"""Triggers that tell which set and which playgroup changed, whoever wrote: see ``live.py``.

A topic is "s" or "g" and the key of a set or a playgroup. PostgreSQL tells it on a channel when
the transaction is committed. SQLite has no channels: a table keeps each topic once, under a
number that grows with every change, for those who look.
"""

from __future__ import annotations

from typing import Any

CHANNEL = "coalition"
TABLE = "scoring_told"

# The tables in which a board's changes show, when they do, and which set that is about.
WATCHED = (
    ("scoring_gameset", "INSERT", "NEW.id"),
    ("scoring_gameset", "UPDATE", "NEW.id"),
    ("scoring_game", "INSERT", "NEW.game_set_id"),
    ("scoring_game", "UPDATE", "NEW.game_set_id"),
    ("scoring_seat", "UPDATE", "NEW.game_set_id"),
    ("scoring_scorekeeper", "INSERT", "NEW.game_set_id"),
)

_SQLITE_TABLE = f"CREATE TABLE {TABLE} (id INTEGER PRIMARY KEY AUTOINCREMENT, topic TEXT UNIQUE)"
_SQLITE = """
CREATE TRIGGER {table}_told_of_{verb} AFTER {verb} ON {table}
BEGIN
  INSERT OR REPLACE INTO {told} (topic) VALUES ('s' || {key});
  INSERT OR REPLACE INTO {told} (topic)
    SELECT 'g' || playgroup_id FROM scoring_gameset
    WHERE id = {key} AND playgroup_id IS NOT NULL;
END
"""
_POSTGRESQL = """
CREATE FUNCTION {table}_tells_of_{verb}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('{channel}', 's' || {key});
  PERFORM pg_notify('{channel}', 'g' || playgroup_id) FROM scoring_gameset
    WHERE id = {key} AND playgroup_id IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER {table}_told_of_{verb} AFTER {verb} ON {table}
FOR EACH ROW EXECUTE FUNCTION {table}_tells_of_{verb}();
"""


def begin(apps: Any, schema_editor: Any) -> None:
    """Tell of changes from now on."""
    on_sqlite = schema_editor.connection.vendor == "sqlite"
    if on_sqlite:
        schema_editor.execute(_SQLITE_TABLE, params=None)
    for table, verb, key in WATCHED:
        trigger = (_SQLITE if on_sqlite else _POSTGRESQL).format(
            table=table, verb=verb, key=key, told=TABLE, channel=CHANNEL
        )
        schema_editor.execute(trigger, params=None)


def end(apps: Any, schema_editor: Any) -> None:
    """Take the triggers off."""
    on_sqlite = schema_editor.connection.vendor == "sqlite"
    for table, verb, _ in WATCHED:
        if on_sqlite:
            schema_editor.execute(f"DROP TRIGGER {table}_told_of_{verb}")
        else:
            schema_editor.execute(f"DROP FUNCTION {table}_tells_of_{verb}() CASCADE")
    if on_sqlite:
        schema_editor.execute(f"DROP TABLE {TABLE}")
