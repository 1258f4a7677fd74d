"""A small HTTP client for loads: kept connections, one request after the other on each."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import urlencode


@dataclass
class Answer:
    """One answer: its status, headers by lower-case name, body, and the seconds it took."""

    status: int
    headers: dict[str, str]
    body: bytes
    seconds: float
    cookies: list[str] = field(default_factory=list)

    @property
    def wire(self) -> int:
        """The bytes of the body as they came over the wire."""
        return len(self.body)


class Connection:
    """One kept connection to the server under test."""

    def __init__(self, port: int, cookies: str = "") -> None:
        self.port, self.cookies = port, cookies
        self.reader: asyncio.StreamReader | None = None

    async def open(self) -> None:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)

    async def open_again(self) -> None:
        """Open it if it is not open: the server closes those that say nothing for a while."""
        if self.reader is None or self.reader.at_eof():
            await self.open()

    def drop(self) -> None:
        """Break it off, as a phone does that loses its connection."""
        if self.reader is not None:
            self.writer.transport.abort()
        self.reader = None

    async def close(self) -> None:
        if self.reader is None:
            return
        self.writer.close()
        with suppress(OSError):  # the server may have been faster
            await self.writer.wait_closed()

    def message(self, path: str, form: dict[str, object] | None = None, **extra: str) -> bytes:
        """Return a GET, or a POST of ``form``, as it goes over the wire."""
        body = urlencode(form, doseq=True).encode() if form is not None else b""
        headers = {
            "Host": "localhost",
            "Cookie": self.cookies,
            "Accept-Encoding": "br, gzip",
            **extra,
        }
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            headers["Content-Length"] = str(len(body))
        head = f"{'GET' if form is None else 'POST'} {path} HTTP/1.1\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in headers.items() if value)
        return head.encode() + b"\r\n" + body

    async def ask(self, path: str, form: dict[str, object] | None = None, **extra: str) -> Answer:
        """Send a GET, or a POST of ``form``, and wait for the answer."""
        begin = time.perf_counter()
        self.writer.write(self.message(path, form, **extra))
        answer = await self._read()
        answer.seconds = time.perf_counter() - begin
        return answer

    async def listen(self, path: str) -> None:
        """Open a stream; what it says is read from ``reader``."""
        self.writer.write(self.message(path, Accept="text/event-stream"))
        head = await self.reader.readuntil(b"\r\n\r\n")
        assert head.split()[1] == b"200", head

    async def _read(self) -> Answer:
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        status = int(head[0].split()[1])
        pairs = [line.split(": ", 1) for line in head[1:] if line]
        headers = {name.lower(): value for name, value in pairs}
        cookies = [value for name, value in pairs if name.lower() == "set-cookie"]
        if headers.get("transfer-encoding") == "chunked":
            body = await self._chunks()
        else:
            body = await self.reader.readexactly(int(headers.get("content-length", 0)))
        return Answer(status, headers, body, 0, cookies)

    async def _chunks(self) -> bytes:
        parts = []
        while size := int((await self.reader.readline()).strip(), 16):
            parts.append(await self.reader.readexactly(size))
            await self.reader.readline()
        await self.reader.readline()
        return b"".join(parts)


async def token(port: int) -> str:
    """Return a token for forms, which is also the cookie that belongs to it."""
    connection = Connection(port)
    await connection.open()
    answer = await connection.ask("/start/")
    await connection.close()
    cookie = next(one for one in answer.cookies if one.startswith("csrftoken="))
    return cookie.split(";")[0].removeprefix("csrftoken=")


Request = tuple[str, dict[str, object] | None]


Stream = tuple[str, Callable[[], Request]]


async def load(port: int, streams: Iterable[Stream], count: int) -> list[float]:
    """Let each stream (cookies, maker of requests) send ``count`` requests over a connection of
    its own, one after the other; return all seconds."""

    async def drive(cookies: str, make: Callable[[], Request]) -> list[float]:
        connection = Connection(port, cookies)
        await connection.open()
        times = []
        for _ in range(count):
            answer = await connection.ask(*make(), **{"HX-Request": "true"})
            assert answer.status == 200, (answer.status, answer.body[:300])
            times.append(answer.seconds)
        await connection.close()
        return times

    return [
        one
        for times in await asyncio.gather(*(drive(*stream) for stream in streams))
        for one in times
    ]
