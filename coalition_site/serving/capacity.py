"""How many threads, processes and connections to the database serve the site."""

from __future__ import annotations

import os

from django.conf import settings
from django.db import Error, connection

READERS = 4  # threads for pages in each process
FORMS = 2  # for forms that are no taps: some hash a password, or store a whole playgroup
EXPORTS = 1  # so that slow exports leave pages their threads
PICTURES = 2  # for pictures of cards that are fetched: their source may be slow
NEWS = 1  # connection of the process that sends news
LIVE = 2  # connections of all streams of a process: to let them in, and to hear of changes
ROOM = """
SELECT current_setting('max_connections')::int
    - current_setting('superuser_reserved_connections')::int
"""


def taps() -> int:
    """Return how many threads record taps.

    On SQLite one is best: four take twice as long at worst, since they wait for each other. On
    PostgreSQL four record a quarter more than two.
    """
    return 1 if connection.vendor == "sqlite" else 4


def connections() -> int:
    """Return how many connections to the database a process has at most."""
    pictures = PICTURES if settings.CARD_PICTURES == "cache" else 0
    return READERS + FORMS + taps() + EXPORTS + LIVE + pictures


def workers() -> int:
    """Return how many processes make use of this machine, and leave the database its room."""
    if connection.vendor == "sqlite":  # one writes at a time
        return 1
    cores = len(os.sched_getaffinity(0))
    room = connections_allowed()
    return max(1, min(cores, (room - NEWS) // connections())) if room else cores


def connections_allowed() -> int | None:
    """Return how many connections the database allows; None if it doesn't answer, or any number."""
    if connection.vendor == "sqlite":
        return None
    try:
        with connection.cursor() as cursor:
            cursor.execute(ROOM)
            return int(cursor.fetchone()[0])
    except Error:
        return None
