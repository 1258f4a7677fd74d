"""Numbers that change with the cards and with the ban lists, so that a process knows what is new.

Triggers draw a number whenever a row changes, whoever writes it. It is drawn by chance: a counter
would give the number of a change that was rolled back to the next change.
"""

from typing import Any

from django.db import connections, router

from .models import CatalogueVersion

TABLE = CatalogueVersion._meta.db_table
CARDS, BANS = "cards", "bans"
PARTS = {
    CARDS: ("decks_card", "decks_affiliation", "decks_creaturetype"),
    BANS: ("decks_banlist", "decks_banentry", "decks_banentry_cards"),
}

# Not INSERT OR REPLACE: SQLite would ignore it within an INSERT OR IGNORE.
_DRAW = f"""
INSERT INTO {TABLE} (part, number) VALUES ({{part}}, {{number}})
ON CONFLICT (part) DO UPDATE SET number = excluded.number;
"""
_NUMBERS = {"sqlite": "random()", "postgresql": "(random() * 9e15)::bigint"}
_SQLITE = f"""
CREATE TRIGGER IF NOT EXISTS {{name}} AFTER {{verb}} ON {{table}}
BEGIN {_DRAW.format(part="'{part}'", number=_NUMBERS["sqlite"])} END
"""
_POSTGRESQL = f"""
CREATE OR REPLACE FUNCTION decks_new_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN {_DRAW.format(part="TG_ARGV[0]", number=_NUMBERS["postgresql"])} RETURN NULL; END $$;
CREATE OR REPLACE TRIGGER {{name}} {{when}} {{verb}} ON {{table}}
FOR EACH STATEMENT EXECUTE FUNCTION decks_new_version('{{part}}')
"""


def current(part: str) -> int | None:
    """Return the number of the cards or of the ban lists, None if there is none. One query."""
    # Plain SQL: this is read with each check, and the ORM would take longer than the database.
    with connections[router.db_for_read(CatalogueVersion)].cursor() as cursor:
        cursor.execute(f"SELECT number FROM {TABLE} WHERE part = %s", [part])
        row = cursor.fetchone()
    return row[0] if row else None


def draw(part: str) -> None:
    """Draw a number for the cards or the ban lists. On PostgreSQL whoever draws next waits."""
    database = connections[router.db_for_write(CatalogueVersion)]
    with database.cursor() as cursor:
        cursor.execute(_DRAW.format(part="%s", number=_NUMBERS[database.vendor]), [part])


def triggers(vendor: str) -> dict[tuple[str, str], str]:
    statement, verbs = _POSTGRESQL, {"": "INSERT OR DELETE OR UPDATE OR TRUNCATE"}
    # Editors of cards queue for the number before they lock a card, or else an import, which locks
    # all cards one by one, would wait for an editor who waits for it. Ban lists are locked first.
    moments = {CARDS: "BEFORE", BANS: "AFTER"}
    if vendor == "sqlite":
        statement, verbs = _SQLITE, {f"_{verb}": verb for verb in ("insert", "update", "delete")}
    return {
        (table, f"{table}_new_version{suffix}"): statement.format(
            name=f"{table}_new_version{suffix}",
            when=moments[part],
            verb=verb.upper(),
            table=table,
            part=part,
        )
        for part, tables in PARTS.items()
        for table in tables
        for suffix, verb in verbs.items()
    }


def begin(apps: Any, schema_editor: Any) -> None:
    vendor = schema_editor.connection.vendor
    for statement in triggers(vendor).values():
        schema_editor.execute(statement, params=None)
    for part in PARTS:
        draw = _DRAW.format(part=f"'{part}'", number=_NUMBERS[vendor])
        schema_editor.execute(draw, params=None)
