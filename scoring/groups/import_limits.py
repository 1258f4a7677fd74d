"""Giving up on what keeps others waiting, or would with another like it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from time import monotonic
from typing import Any

from django.db import connection, transaction

_importing = Lock()  # on SQLite, where one process serves all


class TookTooLong(Exception):
    """It is not done yet, and whoever waits for the database comes first."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Ask the database nothing more after so many seconds: on SQLite all who write queue.

    :raises TookTooLong: in the midst of the work, which a transaction around it takes back.
    """
    ends = monotonic() + seconds

    def ask(execute: Callable[..., Any], *query: Any) -> Any:
        if monotonic() > ends:
            raise TookTooLong()
        return execute(*query)

    with connection.execute_wrapper(ask):
        yield


class AnotherIsImporting(Exception):
    """One playgroup at a time is brought by a page, since each takes memory and holds up taps."""


@contextmanager
def one_import() -> Iterator[None]:
    """Let nobody else bring a playgroup meanwhile, in this process or, on PostgreSQL, in another.

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
    """The lock ends with the transaction, so a connection that breaks leaves none behind."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtext('import_group'))")
        if not cursor.fetchone()[0]:
            raise AnotherIsImporting()
        yield
