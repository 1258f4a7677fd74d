"""Imports as jobs: a page queues a file, what sends news makes a playgroup of it.

It stores a set at a time, each in a transaction of its own, and rests as long as that took: on
SQLite all writers queue, and taps are to wait for one set at most. The database lets one import
run at a time. One whose process died has failed, and what it stored stays, seen by nobody.
"""

import gc
import logging
from collections.abc import Generator
from datetime import timedelta
from time import monotonic

from django.contrib.auth.models import User
from django.db import DatabaseError, IntegrityError, transaction
from django.utils import timezone

from coalition_site.lib.untrusted import MalformedDocument, load

from ...models import Import
from ...record.errors import GroupRefused
from .importing import read_fields, read_logs, store_group

SECONDS_MAX = 1800  # for an import, whatever it is that takes so long
DEAD_AFTER = timedelta(minutes=3)  # without a step; a log with all its corrections takes one
REST_MIN = 0.005  # seconds
VALUES_MAX = 400_000  # more than 3 MB of what this site exports have; in memory 100 MB at most
NOT_A_GROUP = "This is not a playgroup as this site exports it"
ANOTHER = "Another file of yours is being imported. Wait until that is done."
DIED = "The site stopped in the middle of it. Import the file again."
TOO_LONG = "It took too long. Let whoever runs this site import it by the command import_group."
BROKEN = "The site could not import it. Whoever runs it finds the reason in its log."

log = logging.getLogger(__name__)


class _Ended(Exception):
    """The import is gone, with its account, or was taken for dead."""


def queue(owner: User, document: str) -> Import:
    Import.objects.filter(owner=owner).exclude(state__in=Import.OPEN).delete()
    try:
        with transaction.atomic():
            return Import.objects.create(owner=owner, document=document, step_at=timezone.now())
    except IntegrityError as error:
        raise GroupRefused(ANOTHER) from error


def latest(owner: User) -> Import | None:
    return Import.objects.filter(owner=owner).defer("document").order_by("pk").last()


class Importer:
    def __init__(self) -> None:
        self.steps: Generator[None] | None = None

    def go_on(self) -> float | None:
        """Do a step, and return how many seconds to rest then; None if there is nothing to do."""
        self.steps = self.steps or _begin()
        if self.steps is None:
            return None
        began = monotonic()
        try:
            next(self.steps)
        except StopIteration:
            self.steps = None
        return max(monotonic() - began, REST_MIN)


def _begin() -> Generator[None] | None:
    """Take the next import, unless one is running. Two queries at most if none waits."""
    now = timezone.now()
    opened = list(Import.objects.filter(state__in=Import.OPEN).defer("document").order_by("pk"))
    for row in opened:
        if row.state == Import.State.RUNNING and row.step_at < now - DEAD_AFTER:
            _end(row, DIED)
        elif row.state == Import.State.RUNNING:
            return None
    waiting = next((row for row in opened if row.state == Import.State.WAITING), None)
    if waiting is None:
        return None
    mine = Import.objects.filter(pk=waiting.pk, state=Import.State.WAITING)
    try:
        with transaction.atomic():
            is_taken = mine.update(state=Import.State.RUNNING, step_at=now)
    except IntegrityError:  # the database refuses a second one that runs
        return None
    return _work(waiting) if is_taken else None


def _end(row: Import, outcome: str) -> None:
    outcome = outcome.encode(errors="replace").decode().replace("\0", "")  # it may quote the file
    Import.objects.filter(pk=row.pk, state=Import.State.RUNNING).update(
        state=Import.State.FAILED, outcome=outcome, document=""
    )


def _work(row: Import) -> Generator[None]:
    ends, noted, logs = monotonic() + SECONDS_MAX, monotonic(), []
    try:
        fields = read_fields(load(row.document, values=VALUES_MAX))
        for log_of_set in read_logs(fields):
            logs.append(log_of_set)
            if monotonic() > noted + 1:
                _note(row, ends)
                noted = monotonic()
            yield
        gc.freeze()  # going through all of the file for garbage takes longer than a step
        storing = store_group(fields, logs, row.owner)
        while True:
            with transaction.atomic():
                group, sets = next(storing, (None, 0))
                if group is None:
                    _note(row, ends, state=Import.State.DONE, document="")
                    return
                _note(row, ends, playgroup=group, sets=sets, total=len(logs))
            yield
    except MalformedDocument as error:
        _end(row, f"{NOT_A_GROUP}: {error}.")
    except _Ended:
        _end(row, TOO_LONG)
    except DatabaseError:
        raise  # the import has failed once it is late
    except Exception:
        log.exception("Import %s failed.", row.pk)
        _end(row, BROKEN)


def _note(row: Import, ends: float, **columns: object) -> None:
    """:raises _Ended: if the import has to end here."""
    running = Import.objects.filter(pk=row.pk, state=Import.State.RUNNING)
    if monotonic() > ends or not running.update(step_at=timezone.now(), **columns):
        raise _Ended
