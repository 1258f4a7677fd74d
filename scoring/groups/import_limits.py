"""Reading uploaded playgroups one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from django.db import connection, transaction

_importing = Lock()  # on SQLite, where one process serves all


class AnotherIsImporting(Exception):
    """Pages read one playgroup at a time, since each takes memory."""


@contextmanager
def import_alone() -> Iterator[None]:
    """Let no other page of this process, or on PostgreSQL of any other, read one meanwhile.

    :raises AnotherIsImporting: at once, without waiting.
    """
    with _advisory_lock() if connection.vendor == "postgresql" else _process_lock():
        yield


@contextmanager
def _process_lock() -> Iterator[None]:
    if not _importing.acquire(blocking=False):
        raise AnotherIsImporting()
    try:
        yield
    finally:
        _importing.release()


@contextmanager
def _advisory_lock() -> Iterator[None]:
    """The lock ends with the transaction, so that a broken connection leaves none behind."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtext('import_group'))")
        if not cursor.fetchone()[0]:
            raise AnotherIsImporting()
        yield
