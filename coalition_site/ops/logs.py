"""What a log says: of which request, and no secret, nor what people typed."""

from __future__ import annotations

import errno
import json
import logging
import re
import time
from datetime import UTC, datetime
from traceback import format_tb
from typing import Any

from django.conf import settings
from django.db import OperationalError

from ..lib.observing import request_id
from ..lib.unavailable import is_unavailable

SAID_BY_MACHINES = (OSError, OperationalError)  # all other errors may quote what somebody typed
TOLD = ("method", "view", "status", "ms")  # what a line on a request has besides its words
_SECRETS = (
    (re.compile(r"/key/[^/\s]+"), "/key/-"),  # of links
    (re.compile(r"(/[^\s?]*)\?\S+"), r"\1?-"),  # what was asked for: names of cards
    (re.compile(r"://[^/\s@]+@"), "://-@"),  # the password of a database
    (re.compile(r"[^\s@\"'<>(]+@[^\s@\"'<>)/]+\.[^\s@\"'<>)/]+"), "-@-"),  # an e-mail
    (
        re.compile(
            r"\b(authorization|cookie|key|password|secret|sessionid|token)\b['\"]?[=:].*", re.I
        ),
        r"\1: -",
    ),
)


def clean(said: str) -> str:
    """Return what is said without secrets.

    >>> clean("Not Found: /s/abc/key/KEY/ of ann@example.org")
    'Not Found: /s/abc/key/-/ of -@-'
    >>> clean("/cards/?name=Elf is slow; password=geheim")
    '/cards/?- is slow; password: -'
    """
    for secret, instead in _SECRETS:
        said = secret.sub(instead, said)
    return said


class WithoutSecrets(logging.Filter):
    """Take secrets out of what is said, and put to it of which request it is."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if is_unavailable(error):  # is not the code's fault: no trace of each who asks meanwhile
            record.msg, record.args = f"{record.getMessage()}: {error}".split("\n")[0], ()
            record.exc_info = None
        record.msg = clean(record.getMessage())
        record.args = ()
        record.request = request_id.get()
        return True


class OnceAMinute(logging.Filter):
    """Say once a minute that too many files are open: asyncio does at each try, by the thousand."""

    def __init__(self) -> None:
        super().__init__()
        self.again = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if not (isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE)):
            return True
        now = time.monotonic()
        is_due = now >= self.again
        if is_due:
            self.again = now + 60
        return is_due


class Lines(logging.Formatter):
    """For people. Of an error its kind and where it happened; in DEBUG its words too."""

    def formatException(self, found: Any) -> str:  # noqa: N802
        return super().formatException(found) if settings.DEBUG else _trace(found[1])


def _trace(error: BaseException | None) -> str:
    parts = []
    while error:
        said = f": {clean(str(error))}" if isinstance(error, SAID_BY_MACHINES) else ""
        parts.append("".join(format_tb(error.__traceback__)) + type(error).__qualname__ + said)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "\nAfter:\n".join(parts)


class JsonLines(Lines):
    """For machines: a document on each line."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "request": getattr(record, "request", "-"),
            "said": record.getMessage(),
        }
        told |= {name: record.__dict__[name] for name in TOLD if name in record.__dict__}
        if record.exc_info:
            told["trace"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False)
