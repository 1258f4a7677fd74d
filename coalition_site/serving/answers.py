"""Responses that are written whole before they are sent, so that no thread waits for visitors who
read slowly, or not at all."""

from __future__ import annotations

from contextlib import suppress
from tempfile import SpooledTemporaryFile
from typing import Any

PIECE = 64 * 1024  # bytes of a response in memory; a longer response waits in a file
ROOM = 256 * 1024 * 1024  # bytes of all responses that wait in files


class Answer:
    """An ASGI response. ``write`` takes it from an app, ``hand_out`` sends it to the visitor.

    ``has_room`` turns false when the disk is full, or when too much waits for slow readers.
    """

    waiting = 0  # bytes of all responses in files; only the event loop's thread changes it

    def __init__(self) -> None:
        self.start: Any = None
        self.body = SpooledTemporaryFile(PIECE)  # noqa: SIM115, closed by __exit__
        self.size, self.has_room = 0, True

    def __enter__(self) -> Answer:
        return self

    def __exit__(self, *_: object) -> None:
        Answer.waiting -= self._in_file
        with suppress(OSError):  # a full disk fails again when the file is flushed
            self.body.close()

    @property
    def _in_file(self) -> int:
        return self.size if self.size > PIECE else 0

    async def write(self, message: Any) -> None:
        """Take a part of the response. Raises nothing: the app's thread would wait forever."""
        if message["type"] == "http.response.start":
            self.start = message
        elif self.has_room:
            self._append(message.get("body", b""))

    def _append(self, part: bytes) -> None:
        before = self._in_file
        self.size += len(part)
        Answer.waiting += self._in_file - before
        try:
            self.body.write(part)
        except OSError:
            self.has_room = False
        if self._in_file and Answer.waiting > ROOM:
            self.has_room = False

    def rewind(self) -> None:
        """Go back to the beginning once it is written; a full disk may only show now."""
        try:
            self.body.seek(0)
        except OSError:
            self.has_room = False

    async def hand_out(self, send: Any) -> None:
        """Send the whole response, rewound, as fast as the visitor reads."""
        await send(self.start)
        while len(part := self.body.read(PIECE)) == PIECE:
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": part})
