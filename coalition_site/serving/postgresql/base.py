"""Django's own PostgreSQL, but for how it finds out that a connection was lost."""

from __future__ import annotations

from select import POLLIN, poll

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to PostgreSQL."""

    def is_usable(self) -> bool:
        """Return whether the connection works, which is asked before each request.

        Django sends a statement. But between requests a server says nothing, unless it ends the
        connection: while there is nothing to read, there is nothing to ask.
        """
        if self.connection is None or self.connection.closed or self.errors_occurred:
            return super().is_usable()
        waiting = poll()
        waiting.register(self.connection.fileno(), POLLIN)
        return not waiting.poll(0) or super().is_usable()
