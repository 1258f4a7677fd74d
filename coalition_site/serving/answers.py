"""Answers that are written whole before they are sent: no thread waits for visitors who read
slowly, or not at all."""

from __future__ import annotations

from contextlib import suppress
from tempfile import SpooledTemporaryFile
from typing import Any

PIECE = 64 * 1024  # bytes of an answer in memory; a longer one waits in a file
ROOM = 256 * 1024 * 1024  # bytes of all answers that wait in files


class Answer:
    """An answer by ASGI. ``write`` takes it from an app, ``hand_out`` sends it to the visitor.

    ``has_room`` turns false when the disk is full, or when too much waits for slow readers.
    """

    waiting = 0  # bytes of all answers in files; only the thread of the loop changes it

    def __init__(self) -> None:
        self.start: Any = None
        self.body = SpooledTemporaryFile(PIECE)  # noqa: SIM115, closed by __exit__
        self.size, self.has_room = 0, True

    def __enter__(self) -> Answer:
        return self

    def __exit__(self, *_: object) -> None:
        Answer.waiting -= self._in_file
        with suppress(OSError):  # of a full disk, which is asked once more for what it did not take
            self.body.close()

    @property
    def _in_file(self) -> int:
        return self.size if self.size > PIECE else 0

    async def write(self, message: Any) -> None:
        """Take a part of the answer. Raises nothing: the app's thread would wait for ever."""
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
        """Go back to its beginning once it is written; a full disk may show here at last."""
        try:
            self.body.seek(0)
        except OSError:
            self.has_room = False

    async def hand_out(self, send: Any) -> None:
        """Send the whole answer, rewound, as fast as it is read."""
        await send(self.start)
        while len(part := self.body.read(PIECE)) == PIECE:
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": part})
