"""Responses that are written whole before they are sent, so that no thread waits for visitors who
read slowly, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from tempfile import SpooledTemporaryFile
from threading import Lock
from typing import Any

PIECE = 64 * 1024  # bytes of a response in memory; a longer response waits in a file
ROOM = 256 * 1024 * 1024  # bytes of all responses that wait in files, of all workers together


class Answer:
    """A response. A WSGI app's thread begins and writes it, then the event loop hands it out.

    ``has_room`` turns false when the disk is full, or when too much waits for slow readers.
    """

    room = ROOM  # this process's part of it
    waiting = 0  # bytes of all responses in files
    lock = Lock()  # of ``waiting``

    def __init__(self) -> None:
        self.start: dict[str, Any] | None = None
        self.body = SpooledTemporaryFile(PIECE)  # noqa: SIM115, closed by __exit__
        self.size, self.has_room = 0, True

    def __enter__(self) -> Answer:
        return self

    def __exit__(self, *_: object) -> None:
        self._wait_for(-self._in_file)
        with suppress(OSError):  # a full disk fails again when the file is flushed
            self.body.close()

    @property
    def _in_file(self) -> int:
        return self.size if self.size > PIECE else 0

    def _wait_for(self, more: int) -> None:
        if more:  # short responses need no lock
            with Answer.lock:
                Answer.waiting += more

    def begin(
        self, status: str, headers: Iterable[tuple[str, str]], exc_info: Any = None
    ) -> Callable[[bytes], bool]:
        """Take the status and headers; WSGI's ``start_response``. Nothing is sent yet, so an app
        may begin again."""
        pairs = [  # Django begins the value of Set-Cookie with a space
            (name.lower().encode("latin-1"), value.strip().encode("latin-1"))
            for name, value in headers
        ]
        self.start = {"type": "http.response.start", "status": int(status[:3]), "headers": pairs}
        return self.write

    def write(self, part: bytes) -> bool:
        """Take a part of the body, and return whether there is room for more."""
        if self.has_room:
            before = self._in_file
            self.size += len(part)
            self._wait_for(self._in_file - before)
            try:
                self.body.write(part)
            except OSError:
                self.has_room = False
            if self._in_file and Answer.waiting > Answer.room:
                self.has_room = False
        return self.has_room

    def rewind(self) -> None:
        """Go back to the beginning once it is written; a full disk may only show now."""
        try:
            self.body.seek(0)
        except OSError:
            self.has_room = False

    async def hand_out(self, send: Any) -> None:
        """Send the whole response, rewound, as fast as the visitor reads."""
        assert self.start, "an app answers with a status"
        await send(self.start)
        while len(part := self.body.read(PIECE)) == PIECE:
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": part})
