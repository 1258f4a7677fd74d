"""A trigger that refuses to merge players into each other in a circle, on either database."""

TABLE = "scoring_player"
NAME = "scoring_player_no_circle"
_REFUSED = "players can not be merged into one another in a circle"
# UNION, not UNION ALL: it ends even if there is a circle already.
_IN_A_CIRCLE = """
NEW.id <> NEW.merged_into_id AND NEW.id IN (
    WITH RECURSIVE above (id) AS (
        SELECT NEW.merged_into_id
        UNION SELECT merged_into_id FROM scoring_player JOIN above USING (id)
    ) SELECT id FROM above WHERE id IS NOT NULL
)
"""
_SQLITE = f"""
CREATE TRIGGER IF NOT EXISTS {{name}} BEFORE {{verb}} ON {TABLE}
BEGIN SELECT RAISE(ABORT, '{_REFUSED}') WHERE {_IN_A_CIRCLE}; END
"""
_POSTGRESQL = f"""
CREATE OR REPLACE FUNCTION {NAME}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
IF {_IN_A_CIRCLE} THEN
    RAISE EXCEPTION '{_REFUSED}' USING ERRCODE = 'integrity_constraint_violation';
END IF;
RETURN NEW; END $$;
CREATE OR REPLACE TRIGGER {NAME} BEFORE INSERT OR UPDATE OF merged_into_id ON {TABLE}
FOR EACH ROW EXECUTE FUNCTION {NAME}()
"""


def triggers(vendor: str) -> dict[tuple[str, str], str]:
    if vendor == "postgresql":
        return {(TABLE, NAME): _POSTGRESQL}
    verbs = {NAME: "UPDATE OF merged_into_id", f"{NAME}_from_the_start": "INSERT"}
    return {(TABLE, name): _SQLITE.format(name=name, verb=verb) for name, verb in verbs.items()}
