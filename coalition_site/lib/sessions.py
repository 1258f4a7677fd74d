"""Sessions in the database, which ignore keys that the site can't have made."""

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    # So that the database is never asked for a key that it could not read.
    def _validate_session_key(self, key: str | None) -> bool:
        valid = super()._validate_session_key  # type: ignore[misc]  # private to Django
        return bool(key and key.isalnum() and valid(key))
