"""Log lines that name their request, without secrets and without what people typed."""

import errno
import json
import logging
import re
import time
from datetime import UTC, datetime
from traceback import format_tb
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError
from psycopg.errors import ReadOnlySqlTransaction

from ..middleware import request_id

FROM_MACHINES = (OSError, OperationalError)  # other errors may quote what somebody typed
EXTRA = ("method", "view", "status", "ms")  # fields of a request's line besides its message
SECRET_WORDS = "authorization cookie key password secret sessionid token".split()
_SECRETS = (
    (re.compile(r"/key/[^/\s]+"), "/key/-"),  # of links
    (re.compile(r"(/[^\s?]*)\?\S+"), r"\1?-"),  # queries, which have names of cards
    (re.compile(r"://[^/\s@]+@"), "://-@"),  # the password of a database
    (re.compile(r"[^\s@\"'<>(]+@[^\s@\"'<>)/]+\.[^\s@\"'<>)/]+"), "-@-"),  # an e-mail
    (re.compile(rf"\b({'|'.join(SECRET_WORDS)})\b['\"]?[=:].*", re.I), r"\1: -"),
)


def clean(text: str) -> str:
    """Return a text without secrets.

    >>> clean("Not Found: /s/abc/key/KEY/ of ann@example.org")
    'Not Found: /s/abc/key/-/ of -@-'
    >>> clean("/cards/?name=Elf is slow; password=geheim")
    '/cards/?- is slow; password: -'
    """
    for secret, instead in _SECRETS:
        text = secret.sub(instead, text)
    return text


def is_unavailable(error: BaseException | None) -> bool:
    """Return whether a page failed because the database was away or unable to answer.

    >>> is_unavailable(OperationalError("connection refused"))
    True
    >>> is_unavailable(OperationalError("no such column: elf"))
    False
    """
    if isinstance(getattr(error, "__cause__", None), ReadOnlySqlTransaction):  # it is a standby
        return True
    is_missing = str(error).startswith("no such")  # how SQLite reports a mistake in the code
    return isinstance(error, OperationalError | InterfaceError) and not is_missing


class WithoutSecrets(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if is_unavailable(error):  # not the code's fault: no traceback for each visitor meanwhile
            record.msg, record.args = f"{record.getMessage()}: {error}".split("\n")[0], ()
            record.exc_info = None
        record.msg = clean(record.getMessage())
        record.args = ()
        record.request = request_id.get()
        return True


class OnceAMinute(logging.Filter):
    # Logs once a minute what happens thousands of times, such as that too many files are open.

    def __init__(self) -> None:
        super().__init__()
        self.again: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        is_of_files = isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE)
        if record.name == "asyncio" and not is_of_files:
            return True
        what, now = "files" if is_of_files else str(record.msg), time.monotonic()
        is_due = now >= self.again.get(what, 0.0)
        if is_due:
            self.again[what] = now + 60
        return is_due


class Lines(logging.Formatter):
    # For people. Errors show their type and traceback; in DEBUG their message too.

    def formatException(self, exc_info: Any) -> str:  # noqa: N802
        if settings.DEBUG:
            return super().formatException(exc_info)
        error, parts = exc_info[1], []
        while error:
            text = f": {clean(str(error))}" if isinstance(error, FROM_MACHINES) else ""
            parts.append("".join(format_tb(error.__traceback__)) + type(error).__qualname__ + text)
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "\nAfter:\n".join(parts)


class JsonLines(Lines):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "request": getattr(record, "request", "-"),
            "said": record.getMessage(),
        }
        line |= {name: record.__dict__[name] for name in EXTRA if name in record.__dict__}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)
