"""A source of card pictures: a real server on this machine, whose pictures it draws itself."""

import struct
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from decks.pictures.folder import SIZES

SHAPES = {"small": (146, 204), "normal": (488, 680), "art_crop": (626, 457)}


def drawn(address: str) -> bytes:
    """Return a PNG of the shape that an address asks for, in a colour of its own."""
    width, height = SHAPES[address.split("/")[1]]
    colour = struct.pack(">I", zlib.crc32(address.encode()))[:3]
    rows = (b"\0" + colour * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = [(b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )


@dataclass
class Source:
    """What the server answers, and what it was asked for; ``most`` counts requests at once."""

    draw: Callable[[str], bytes] = drawn
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0
    requests: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    at_once: int = 0
    most: int = 0
    port: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}"

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.requests]

    def pictures(self, name: str) -> dict[str, str]:
        """Return the addresses of a card's pictures, as a card file has them."""
        return {size: f"{self.address}/{size}/front/{name}.jpg?17" for size in SIZES}


@contextmanager
def source_of_pictures() -> Iterator[Source]:
    source = Source()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            with source.lock:
                source.requests.append((self.path, dict(self.headers)))
                source.times.append(time.monotonic())
                source.at_once += 1
                source.most = max(source.most, source.at_once)
            time.sleep(source.delay)
            body = source.draw(self.path) if source.status == 200 else b""
            with source.lock:
                source.at_once -= 1
            self.send_response(source.status)
            for name, value in {"Content-Length": str(len(body)), **source.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

        def handle_error(self, *_: Any) -> None:
            pass  # whoever asked is gone

    with Server(("127.0.0.1", 0), Handler) as server:
        source.port = server.server_address[1]
        threading.Thread(
            target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        ).start()
        yield source
        server.shutdown()
