"""How large a playgroup a page imports, and how long others wait for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from time import monotonic
from typing import Any

from django.db import connection, transaction

# On a busy machine of two cores 3000 events kept SQLite's writers waiting for 0.6 s, 40 sets of
# three games for 2 s, 200 bans for 1.7 s, 1000 players for 0.9 s, 40 evenings with 4000 places for
# 0.8 s, and an event that a correction plays again for 20 µs.
LIMITS = {
    "sets": 40,
    "players": 1000,
    "seasons": 200,
    "house bans": 200,
    "announcements": 200,
    "evenings": 40,
    "places at evenings": 4000,
    "events": 3000,
    "events that corrections play again": 20_000,
}
SECONDS = 3  # that taps may wait for an import, whatever it is that takes so long

_importing = Lock()  # on SQLite, where one process serves all


def limit_exceeded(document: Any) -> str:
    """Return which limit a document exceeds, as text; "" if none."""
    sets = _list_at(document, "sets")
    logs = [
        _list_at(game, "events") for game_set in sets for game in _list_at(game_set, "log", "games")
    ]
    evenings = _list_at(document, "evenings")
    counts = {
        "sets": len(sets),
        "players": len(_list_at(document, "players")),
        "seasons": len(_list_at(document, "seasons")),
        "house bans": len(_list_at(document, "house", "bans")),
        "announcements": len(_list_at(document, "house", "announcements")),
        "evenings": len(evenings),
        "places at evenings": sum(map(_places, evenings)),
        "events": sum(max(len(_list_at(event, "hits")), 1) for log in logs for event in log),
        "events that corrections play again": sum(map(_played_again, logs)),
    }
    for what, most in LIMITS.items():
        if counts[what] > most:
            return f"{counts[what]} {what}, and this page imports {most}"
    return ""


def _places(evening: Any) -> int:
    """Return how many people came to an evening, and had a place in one of its rounds."""
    rounds = _list_at(evening, "rounds")
    tables = [table for each in rounds for table in _list_at(each, "tables")]
    return (
        len(_list_at(evening, "people"))
        + sum(len(_list_at(each, "byes")) for each in rounds)
        + sum(len(_list_at(table, "people")) for table in tables)
    )


def _list_at(value: Any, *path: str) -> list[Any]:
    """Return the list at a path, an empty list where there is none."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, list) else []


def _played_again(log: list[Any]) -> int:
    """Return how many events a log's corrections play again: each those after the corrected event.

    >>> _played_again([{"type": "turn"}, {"type": "turn"}, {"type": "strike", "event": 1}])
    2
    """
    corrected = (
        (number, entry["event"])
        for number, entry in enumerate(log, 1)
        if isinstance(entry, dict) and type(entry.get("event")) is int
    )
    return sum(max(number - event, 0) for number, event in corrected)


class TookTooLong(Exception):
    """An import did not end in time; nothing of it is stored."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Send the database no more queries after so many seconds: on SQLite all writers queue.

    :raises TookTooLong: in the midst of the work; a transaction around it rolls that back.
    """
    ends = monotonic() + seconds

    def execute_in_time(execute: Callable[..., Any], *query: Any) -> Any:
        if monotonic() > ends:
            raise TookTooLong()
        return execute(*query)

    with connection.execute_wrapper(execute_in_time):
        yield


class AnotherIsImporting(Exception):
    """Pages import one playgroup at a time, since each takes memory and delays taps."""


@contextmanager
def import_alone() -> Iterator[None]:
    """Let no other page import meanwhile, in this process or, on PostgreSQL, in any other.

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
