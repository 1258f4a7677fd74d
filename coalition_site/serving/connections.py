"""Connections on which nothing moves are cut, since a process has a limited number of open files.

uvicorn itself waits forever for the end of a header, and for visitors who don't read. With its
parser, httptools, it also reads headers of any length, takes what follows a body in chunks for more
headers, and a body for the next request if another protocol is offered.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterable
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_WITHIN = 20.0  # seconds for a request's header to arrive
READ_WITHIN = 20.0  # seconds for a visitor to read the piece of a response that waits
ANSWER_WITHIN = 900.0  # seconds from the header to the response's end; a stream lasts 600
SENT_AHEAD = 256 * 1024  # bytes that the system buffers for a visitor who reads slowly
HEAD_MAX = 64 * 1024  # bytes of a request that are neither a whole header nor of a body
TOO_LONG = "The header of this request is too long."


def has_body(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Return whether a request has more than its header.

    >>> has_body([(b"content-length", b"3")]), has_body([(b"content-length", b"0")])
    (True, False)
    """
    values = dict(headers)
    return b"transfer-encoding" in values or values.get(b"content-length", b"0") != b"0"


class Connection(HttpToolsProtocol):
    """A visitor's connection, with a limit on the time and the bytes of whatever it waits for."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=0)  # so that writing pauses whenever something waits
        system = transport.get_extra_info("socket")
        system.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENT_AHEAD)
        self.request: Any = None
        self.due = self._cut_after(HEAD_WITHIN)
        self.read_due: asyncio.TimerHandle | None = None
        self.unread, self.has_progress, self.is_in_head = 0, False, True

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.due.cancel()
        self._end_reading()

    def data_received(self, data: bytes) -> None:
        self.has_progress = False
        super().data_received(data)
        self.unread = 0 if self.has_progress else self.unread + len(data)
        if self.unread > HEAD_MAX and not self.transport.is_closing():
            self.send_400_response(TOO_LONG)
        self._set_limit()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.is_in_head = True

    def on_header(self, name: bytes, value: bytes) -> None:
        if self.is_in_head:  # else it follows a body, where no proxy has looked at it
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Have the request answered; by HTTP/1.1, also if the visitor offers another protocol.

        :raises ValueError: if what the parser then takes for that protocol would be a body, and
            the next request in it.
        """
        if self.parser.should_upgrade() and has_body(self.headers):
            raise ValueError("a body that would not be read")
        super().on_headers_complete()
        self.has_progress, self.is_in_head = True, False

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        self.has_progress = True

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
    "ws": "none",
    "access_log": False,  # it would contain the secret of each scorekeeper link that is opened
    "log_level": "warning",
    "lifespan": "off",
    "proxy_headers": False,  # whom to believe is for lib/visitors.py to say
}
