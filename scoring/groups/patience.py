"""Giving up on what keeps others waiting: on SQLite all who write queue for one another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from django.db import connection


class TookTooLong(Exception):
    """It is not done yet, and whoever waits for the database comes first."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Ask the database nothing more after so many seconds.

    :raises TookTooLong: in the midst of the work, which a transaction around it takes back.
    """
    ends = monotonic() + seconds

    def ask(execute: Callable[..., Any], *query: Any) -> Any:
        if monotonic() > ends:
            raise TookTooLong()
        return execute(*query)

    with connection.execute_wrapper(ask):
        yield
