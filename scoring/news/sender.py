"""Sending what is queued, and imports: the work of a process of its own, that `serve` starts."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence

from django.db import DatabaseError, close_old_connections, connection

from coalition_site.lib import metrics, outgoing

from ..groups.import_jobs import Importer
from . import queue
from .queue import Letter, Outcome

AT_ONCE = 8  # receivers; a dead one keeps the other seven waiting for some seconds
PAUSE = 1.0  # seconds between looks at the queue
PAUSE_WITHOUT_DATABASE = 15.0

log = logging.getLogger(__name__)


def run(waits: Callable[[float], bool], *others: Callable[[], bool]) -> None:
    """Send and import what is queued until ``waits``, which waits so many seconds, answers True.

    ``others`` send something else in between, and return whether there was any.
    """
    pause, importer = PAUSE, Importer()
    while not waits(pause):
        close_old_connections()
        try:
            while sum(send() for send in (_send_due, *others)) and not waits(0):
                pass
            pause = importer.go_on() or PAUSE
        except DatabaseError as error:
            log.warning("News can't be sent while the database is away: %s", type(error).__name__)
            connection.close()
            pause = PAUSE_WITHOUT_DATABASE


def _send_due() -> bool:
    is_due = queue.has_due()
    if is_due:
        send_some()
    return is_due


def send_some() -> int:
    """Send what is due to several receivers at once, and return how many that were."""
    letters = queue.take(AT_ONCE)
    for letter, outcome in zip(letters, asyncio.run(_send_all(letters)), strict=True):
        (metrics.counts.delivered if outcome.is_good else metrics.counts.failed).inc()
        queue.note(letter.key, outcome)
    return len(letters)


async def _send_all(letters: Sequence[Letter]) -> Sequence[Outcome]:
    return await asyncio.gather(*map(send, letters))


async def send(letter: Letter) -> Outcome:
    """Send a letter, and return how that went, whatever happens."""
    began = time.monotonic()

    def took() -> int:
        return round((time.monotonic() - began) * 1000)

    try:
        answer = await outgoing.send(letter.address, letter.body, letter.headers)
    except outgoing.NotSent as problem:
        return Outcome(False, str(problem), took=took())
    except Exception:
        log.exception("A delivery failed.")
        return Outcome(False, "The site could not send it", took=took())
    text = answer.text
    if 300 <= answer.status < 400:
        text += ": redirects are not followed"
    return Outcome(answer.is_good, text, answer.status, answer.wait, took())
