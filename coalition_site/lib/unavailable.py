"""When the database can't be reached, or is full, which is not the code's fault."""

from __future__ import annotations

from django.db import InterfaceError, OperationalError

AGAIN = 10  # seconds until another try makes sense
AWAY = "The site can’t reach its database now"
BEHIND = "The site is being brought up to date"
FULL = "The site’s disk is full"
STORED = "Taps on the pad are stored on this phone and will be sent by themselves. "
WAIT = STORED + "For anything else, wait a moment and reload the page."
TELL = STORED + "For anything else, tell whoever runs the site: its disk is full."


def is_unavailable(error: BaseException | None) -> bool:
    """Return whether a page failed because the database was away or unable to answer.

    >>> is_unavailable(OperationalError("connection refused"))
    True
    >>> is_unavailable(OperationalError("no such column: elf"))
    False
    """
    is_missing = str(error).startswith("no such")  # how SQLite reports a mistake in the code
    return isinstance(error, OperationalError | InterfaceError) and not is_missing


def words(error: BaseException | None) -> tuple[str, str]:
    """Return what is wrong, and what to do.

    >>> words(OperationalError("database or disk is full"))[0]
    'The site’s disk is full'
    >>> words(OperationalError("connection refused"))[0]
    'The site can’t reach its database now'
    """
    text = str(error)
    is_full = "is full" in text or "No space left" in text
    return (FULL, TELL) if is_full else (AWAY, WAIT)
