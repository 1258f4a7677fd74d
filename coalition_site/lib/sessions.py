"""Sessions in the database, which ignore keys that the site can't have made."""

from __future__ import annotations

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    """Never asks the database for a key that it could not read."""

    def _validate_session_key(self, key: str | None) -> bool:
        valid = super()._validate_session_key  # type: ignore[misc]  # private to Django
        return bool(key and key.isalnum() and valid(key))
