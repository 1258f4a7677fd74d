"""The database can't be reached, or takes nothing more: that is no fault of the code."""

from __future__ import annotations

from django.db import InterfaceError, OperationalError

AGAIN = 10  # seconds until it is worth another try
AWAY = "The site can’t reach its database now"
BEHIND = "The site is being brought up to date"
FULL = "The site’s disk is full"
KEPT = "What was tapped on the pad is kept on this phone and goes out by itself. "
WAIT = KEPT + "For all else, wait a moment and reload the page."
TELL = KEPT + "For all else, tell who runs the site: its disk has no room left."


def is_unavailable(error: BaseException | None) -> bool:
    """Say whether it was the database that was not there, or not able to, when a page broke.

    >>> is_unavailable(OperationalError("connection refused"))
    True
    >>> is_unavailable(OperationalError("no such column: elf"))
    False
    """
    is_missing = str(error).startswith("no such")  # SQLite's word for a mistake in the code
    return isinstance(error, OperationalError | InterfaceError) and not is_missing


def words(error: BaseException | None) -> tuple[str, str]:
    """Return what is the matter, and what to do.

    >>> words(OperationalError("database or disk is full"))[0]
    'The site’s disk is full'
    >>> words(OperationalError("connection refused"))[0]
    'The site can’t reach its database now'
    """
    said = str(error)
    is_full = "is full" in said or "No space left" in said
    return (FULL, TELL) if is_full else (AWAY, WAIT)
