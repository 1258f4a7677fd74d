"""Connections on which nothing moves are cut, since a process has a limited number of open files.

uvicorn itself waits forever for the end of a header, and for visitors who don't read.
"""

from __future__ import annotations

import asyncio
import socket
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

HEAD_WITHIN = 20.0  # seconds for a request's header to arrive
READ_WITHIN = 20.0  # seconds for a visitor to read the piece of a response that waits
ANSWER_WITHIN = 900.0  # seconds from the header to the response's end; a stream lasts 600
SENT_AHEAD = 256 * 1024  # bytes that the system buffers for a visitor who reads slowly


class Connection(AutoHTTPProtocol):  # type: ignore[misc,valid-type]
    """A visitor's connection, with a time limit for whatever it waits for."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=0)  # so that writing pauses whenever something waits
        system = transport.get_extra_info("socket")
        system.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENT_AHEAD)
        self.request: Any = None
        self.due = self._cut_after(HEAD_WITHIN)
        self.read_due: asyncio.TimerHandle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.due.cancel()
        self._end_reading()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._set_limit()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._set_limit()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._end_reading()
        self.read_due = self._cut_after(READ_WITHIN)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._end_reading()

    def _set_limit(self) -> None:
        """Begin a new limit with each request, and with each wait for the next one."""
        is_answering = self.cycle is not None and not self.cycle.response_complete
        request = self.cycle if is_answering else None
        if request is not self.request:
            self.request = request
            self.due.cancel()
            self.due = self._cut_after(ANSWER_WITHIN if request else HEAD_WITHIN)

    def _end_reading(self) -> None:
        if self.read_due:
            self.read_due.cancel()

    def _cut_after(self, seconds: float) -> asyncio.TimerHandle:
        # Not close(): that waits until everything written has been read.
        timer: asyncio.TimerHandle = self.loop.call_later(seconds, self.transport.abort)
        return timer


# How the site is served, here and in tests.
SERVED: dict[str, Any] = {
    "http": Connection,
    "access_log": False,  # it would contain the secret of each scorekeeper link that is opened
    "log_level": "warning",
    "lifespan": "off",
}
