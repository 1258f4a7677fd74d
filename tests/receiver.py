"""A receiver of webhooks: a real server of a test's own, on this machine."""

import json
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import BaseRequestHandler
from typing import Any

from scoring.groups.news.sender import Sender


def send_next() -> bool:
    """Send what is due next, and return whether there was anything, once it is noted."""
    sender = Sender()
    return sender.send_next() and (sender.note_next(20) or True)


@dataclass
class Receiver:
    status: int = 204
    headers: dict[str, str] = field(default_factory=dict)
    requests: list[tuple[str, dict[str, str], str]] = field(default_factory=list)
    connections: int = 0
    port: int = 0
    origin: str = ""

    @property
    def address(self) -> str:
        return f"{self.origin}/news?to=us"

    @property
    def bodies(self) -> list[Any]:
        return [json.loads(body) for _, _, body in self.requests]


@contextmanager
def receiving(encryption: ssl.SSLContext | None = None, **how: Any) -> Iterator[Receiver]:
    receiver = Receiver(**how)

    class Handler(BaseHTTPRequestHandler):
        def setup(self) -> None:
            receiver.connections += 1
            super().setup()

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            receiver.requests.append((self.path, dict(self.headers), body))
            self.send_response(receiver.status)
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with served(Handler, encryption) as receiver.port:
        scheme = "https" if encryption else "http"
        receiver.origin = f"{scheme}://localhost:{receiver.port}"
        yield receiver


class Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, *_: Any) -> None:
        pass  # whoever asked is gone


@contextmanager
def served(handler: Any, encryption: ssl.SSLContext | None = None) -> Iterator[int]:
    with Server(("127.0.0.1", 0), handler) as server:
        if encryption:
            server.socket = encryption.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def answering(answer: bytes, endless: bytes = b"") -> Iterator[str]:
    """Serve bytes that are no HTTP, or never end; yield the address."""
    over = threading.Event()

    class Handler(BaseRequestHandler):
        def handle(self) -> None:
            self.request.recv(65_536)
            self.request.sendall(answer)
            while endless:
                self.request.sendall(endless)
                time.sleep(0.001)
            if answer:  # close() would send a reset if part of the request were unread
                self.request.shutdown(socket.SHUT_WR)
            over.wait()

    with served(Handler) as port:
        yield f"http://localhost:{port}/"
        over.set()
