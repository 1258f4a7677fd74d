"""Sessions in the database, whose keys are as the site makes them or none at all."""

from __future__ import annotations

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    """Ask the database for no key that it could not even read."""

    def _validate_session_key(self, key: str | None) -> bool:
        return bool(key) and key.isalnum() and super()._validate_session_key(key)
