"""Triggers that announce which set ("s" and its key) or playgroup ("g") changed: see
``live/hub.py``. PostgreSQL sends to a channel; SQLite has a table with each topic once, which is
polled."""

from typing import Any

Watched = tuple[tuple[str, str, str, tuple[str, ...]], ...]

CHANNEL = "coalition"
TABLE = "scoring_told"

_SET = "SELECT 's' || {key}"
_GROUP = (
    "SELECT 'g' || playgroup_id FROM scoring_gameset WHERE id = {key} AND playgroup_id IS NOT NULL"
)
_GROUP_BEFORE = "SELECT 'g' || OLD.playgroup_id WHERE OLD.playgroup_id IS NOT NULL"

# The tables that boards show, the changes to announce, the set's key, and the topics.
WATCHED: Watched = (
    ("scoring_gameset", "INSERT", "NEW.id", (_SET, _GROUP)),
    ("scoring_gameset", "UPDATE", "NEW.id", (_SET, _GROUP, _GROUP_BEFORE)),
    ("scoring_game", "INSERT", "NEW.game_set_id", (_SET, _GROUP)),
    ("scoring_game", "UPDATE", "NEW.game_set_id", (_SET, _GROUP)),
    ("scoring_seat", "UPDATE", "NEW.game_set_id", (_SET, _GROUP)),
    ("scoring_scorekeeper", "INSERT", "NEW.game_set_id", (_SET,)),
)
# Whoever changes a round's places writes its row too.
_OF_EVENING = "SELECT 'g' || playgroup_id FROM scoring_evening WHERE id = {key}"
EVENINGS: Watched = (
    ("scoring_evening", "INSERT", "NEW.id", (_OF_EVENING,)),
    ("scoring_evening", "UPDATE", "NEW.id", (_OF_EVENING,)),
    ("scoring_attendee", "INSERT", "NEW.evening_id", (_OF_EVENING,)),
    ("scoring_attendee", "UPDATE", "NEW.evening_id", (_OF_EVENING,)),
    ("scoring_round", "INSERT", "NEW.evening_id", (_OF_EVENING,)),
    ("scoring_round", "UPDATE", "NEW.evening_id", (_OF_EVENING,)),
    ("scoring_round", "DELETE", "OLD.evening_id", (_OF_EVENING,)),
)

_OF_SEAT = "SELECT 's' || game_set_id FROM scoring_seat WHERE id = {key}"
PHONES: Watched = (
    ("scoring_seatlink", "INSERT", "NEW.seat_id", (_OF_SEAT,)),
    ("scoring_proposal", "INSERT", "NEW.game_set_id", (_SET,)),
    ("scoring_proposal", "UPDATE", "NEW.game_set_id", (_SET,)),
)

# AUTOINCREMENT: a replaced topic gets a higher number than any before it, which pollers compare.
_SQLITE_TABLE = f"CREATE TABLE {TABLE} (id INTEGER PRIMARY KEY AUTOINCREMENT, topic TEXT UNIQUE)"
_SQLITE_TELL = f"INSERT OR REPLACE INTO {TABLE} (topic) {{topic}};"
_SQLITE = """
CREATE TRIGGER {table}_told_of_{verb} AFTER {verb} ON {table}
BEGIN {statements} END
"""
_POSTGRESQL_TELL = f"PERFORM pg_notify('{CHANNEL}', topic) FROM ({{topic}}) AS told (topic);"
_POSTGRESQL = """
CREATE OR REPLACE FUNCTION {table}_tells_of_{verb}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN {statements} RETURN NULL; END $$;
CREATE TRIGGER {table}_told_of_{verb} AFTER {verb} ON {table}
FOR EACH ROW EXECUTE FUNCTION {table}_tells_of_{verb}();
"""


def triggers(vendor: str) -> dict[tuple[str, str], str]:
    return triggers_of(WATCHED + EVENINGS + PHONES, vendor)


def triggers_of(watched: Watched, vendor: str) -> dict[tuple[str, str], str]:
    trigger, announce = (
        (_SQLITE, _SQLITE_TELL) if vendor == "sqlite" else (_POSTGRESQL, _POSTGRESQL_TELL)
    )
    return {
        (table, f"{table}_told_of_{verb}".lower()): trigger.format(
            table=table,
            verb=verb,
            statements="\n".join(announce.format(topic=topic.format(key=key)) for topic in topics),
        )
        for table, verb, key, topics in watched
    }


def begin(apps: Any, schema_editor: Any) -> None:
    vendor = schema_editor.connection.vendor
    if vendor == "sqlite":
        schema_editor.execute(_SQLITE_TABLE, params=None)
    for statement in triggers_of(WATCHED, vendor).values():
        schema_editor.execute(statement, params=None)


def end(apps: Any, schema_editor: Any) -> None:
    on_sqlite = schema_editor.connection.vendor == "sqlite"
    for table, verb, *_ in WATCHED:
        if on_sqlite:
            schema_editor.execute(f"DROP TRIGGER {table}_told_of_{verb}")
        else:
            schema_editor.execute(f"DROP FUNCTION {table}_tells_of_{verb}() CASCADE")
    if on_sqlite:
        schema_editor.execute(f"DROP TABLE {TABLE}")
