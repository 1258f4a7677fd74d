"""Whether the database passes on signals that a table has changed.

A pooler in between that pools by transaction takes LISTEN without a word, and passes nothing on:
boards would stay as they were while their process believes that it hears of each change.
"""

from __future__ import annotations

from uuid import uuid4

import psycopg
from django.db import connection

PATIENCE = 5.0  # seconds; a signal takes milliseconds
DEAF = (
    "The database at DATABASE_URL does not pass on signals (LISTEN and NOTIFY), so boards would "
    "not follow the games. If it is a pooler, let it pool by session (PgBouncer: pool_mode = "
    "session), or name PostgreSQL itself."
)


def is_deaf() -> bool:
    """Tell that a signal does not come through; a database that is away is not deaf."""
    if connection.vendor == "sqlite":
        return False
    options = connection.get_connection_params()
    for name in ("cursor_factory", "context"):  # Django's own
        options.pop(name, None)
    channel = f"hearing_{uuid4().hex}"
    try:
        with (
            psycopg.connect(**options, autocommit=True) as listener,
            psycopg.connect(**options, autocommit=True) as other,
        ):
            listener.execute(f"LISTEN {channel}")
            other.execute(f"NOTIFY {channel}")
            return not list(listener.notifies(timeout=PATIENCE, stop_after=1))
    except psycopg.Error:
        return False
