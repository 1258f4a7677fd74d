"""How uvicorn serves the site. Imported before Django is set up."""

import socket
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class Connection(HttpToolsProtocol):
    # httptools is faster than h11, but takes what follows a body in chunks for more headers, and a
    # body for the next request if the visitor offers another protocol. Either way a visitor could
    # say what only the proxy may.

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.is_in_head = True

    def on_header(self, name: bytes, value: bytes) -> None:
        if self.is_in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        has_body = {b"content-length", b"transfer-encoding"} & dict(self.headers).keys()
        if self.parser.should_upgrade() and has_body:
            raise ValueError("a body that would not be read")
        super().on_headers_complete()
        self.is_in_head = False


SERVED: dict[str, Any] = {  # also in tests
    "http": Connection,
    "ws": "none",
    "access_log": False,  # it would contain the secret of each scorekeeper link that is opened
    "log_level": "warning",
    "lifespan": "off",
    "proxy_headers": False,  # whom to believe is for lib/visitors.py to say
    # Seconds, more than the two minutes for which Caddy keeps an idle connection: if one is closed
    # just as Caddy sends a form on it, the visitor gets a 503. By default it is closed after five.
    "timeout_keep_alive": 130,
}


def listen(host: str, port: int) -> socket.socket:
    """:raises OSError: if the port is taken."""
    family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    # Only where the protocol is named does asyncio send each piece at once. Else Nagle's algorithm
    # holds the second piece of an answer back for 40 ms.
    listening = socket.socket(family, kind, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
        listening.listen()
    except OSError:
        listening.close()
        raise
    return listening
