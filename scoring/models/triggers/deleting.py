"""Triggers that keep the record from being deleted, but for tables to try that are over."""

from . import append_only

DAYS = 6  # after a table to try is over, a day after it was made
SET = "scoring_gameset"

# The set of a row that is to be deleted, by table.
_SETS = {
    "scoring_eventrow": "OLD.game_set_id",
    "scoring_ledgerrow": "(SELECT game_set_id FROM scoring_eventrow WHERE id = OLD.event_id)",
    "scoring_gameregister": "OLD.game_set",
}
_SQLITE = f"""
CREATE TRIGGER {{table}}_no_delete BEFORE DELETE ON {{table}} WHEN NOT EXISTS (
    SELECT 1 FROM {SET} WHERE id = {{set}} AND trial_until < datetime('now', '-{DAYS} days')
) BEGIN SELECT RAISE(ABORT, '{{table}} is append-only'); END
"""
_POSTGRESQL = f"""
CREATE OR REPLACE FUNCTION {{table}}_stays() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
IF EXISTS (
    SELECT 1 FROM {SET} WHERE id = {{set}} AND trial_until < now() - interval '{DAYS} days'
) THEN RETURN OLD; END IF;
RAISE EXCEPTION '{{table}} is append-only' USING ERRCODE = 'integrity_constraint_violation'; END $$;
CREATE TRIGGER {{table}}_no_delete BEFORE DELETE ON {{table}}
FOR EACH ROW EXECUTE FUNCTION {{table}}_stays()
"""
# Or else what is real could be called a table to try, and then be deleted.
_UNTIL = f"{SET}_stays_real"
_REFUSED = "a set can not become a table to try"
_SQLITE_UNTIL = f"""
CREATE TRIGGER {_UNTIL} BEFORE UPDATE OF trial_until ON {SET}
WHEN OLD.trial_until IS NOT NEW.trial_until
BEGIN SELECT RAISE(ABORT, '{_REFUSED}'); END
"""
_SQLITE_REPLACE = f"""
CREATE TRIGGER {SET}_no_replace BEFORE INSERT ON {SET}
WHEN EXISTS (SELECT 1 FROM {SET} WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'there is a set of this number'); END
"""
_POSTGRESQL_UNTIL = f"""
CREATE OR REPLACE FUNCTION {_UNTIL}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
IF OLD.trial_until IS DISTINCT FROM NEW.trial_until THEN
    RAISE EXCEPTION '{_REFUSED}' USING ERRCODE = 'integrity_constraint_violation';
END IF;
RETURN NEW; END $$;
CREATE TRIGGER {_UNTIL} BEFORE UPDATE OF trial_until ON {SET}
FOR EACH ROW EXECUTE FUNCTION {_UNTIL}()
"""


def triggers(vendor: str) -> dict[tuple[str, str], str]:
    no_delete = _SQLITE if vendor == "sqlite" else _POSTGRESQL
    made = {
        (table, f"{table}_no_delete"): no_delete.format(table=table, set=_SETS[table])
        for table in append_only.TABLES
    }
    if vendor == "sqlite":
        return made | {(SET, _UNTIL): _SQLITE_UNTIL, (SET, f"{SET}_no_replace"): _SQLITE_REPLACE}
    return made | {(SET, _UNTIL): _POSTGRESQL_UNTIL}
