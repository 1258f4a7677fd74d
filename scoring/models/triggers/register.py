"""A trigger that notes each game in the register, so that a deleted game is noticed."""

TABLE = "scoring_game"
NAME = "scoring_game_is_registered"
NOTE = "INSERT INTO scoring_gameregister (game, game_set)"
_NOTE = f"{NOTE} VALUES (NEW.id, NEW.game_set_id);"
_SQLITE = f"""
CREATE TRIGGER IF NOT EXISTS {NAME} AFTER INSERT ON {TABLE}
BEGIN {_NOTE} END
"""
_POSTGRESQL = f"""
CREATE OR REPLACE FUNCTION {NAME}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN {_NOTE} RETURN NULL; END $$;
CREATE OR REPLACE TRIGGER {NAME} AFTER INSERT ON {TABLE}
FOR EACH ROW EXECUTE FUNCTION {NAME}()
"""


def triggers(vendor: str) -> dict[tuple[str, str], str]:
    return {(TABLE, NAME): _SQLITE if vendor == "sqlite" else _POSTGRESQL}
