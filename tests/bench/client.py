"""A small HTTP client for loads: connections stay open, one request after the other on each.

Our own, for it is measured along with the site: a request costs it 0.25 ms of processor time, and
httpx 2.4 ms, by which a ratio of 8 to the floor reads as 4. The phones also cut requests off within
their bytes.
"""

import asyncio
import gzip
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any
from urllib.parse import urlencode

LOST = (OSError, asyncio.IncompleteReadError)  # what a broken connection raises
FORM = "application/x-www-form-urlencoded"


@dataclass
class Answer:
    """An answer: its headers are by lower-case name, its body is as it came over the wire."""

    status: int
    headers: dict[str, str]
    cookies: list[str]
    body: bytes
    seconds: float = 0

    @property
    def text(self) -> str:
        """Return the page, which dynamic answers have plain or gzipped."""
        is_packed = self.headers.get("content-encoding") == "gzip"
        return (gzip.decompress(self.body) if is_packed else self.body).decode()


class Connection:
    def __init__(self, port: int, cookies: str = "") -> None:
        self.port, self.cookies = port, cookies
        self.reader: asyncio.StreamReader | None = None

    async def open(self) -> None:
        """Open it unless it is open: the server closes those that are silent for a while."""
        if self.reader is None or self.reader.at_eof():
            self.drop()
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)

    def drop(self) -> None:
        if self.reader is not None:
            self.writer.transport.abort()
        self.reader = None

    def message(self, path: str, form: dict[str, object] | None = None, **extra: str) -> bytes:
        headers = {"Host": "localhost", "Cookie": self.cookies, "Accept-Encoding": "br, gzip"}
        body = b""
        if form is not None:
            body = urlencode(form, doseq=True).encode()
            headers |= {"Content-Type": FORM, "Content-Length": str(len(body))}
        lines = [f"{'GET' if form is None else 'POST'} {path} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in (headers | extra).items() if value]
        return "\r\n".join([*lines, "", ""]).encode() + body

    async def ask(self, path: str, form: dict[str, object] | None = None, **extra: str) -> Answer:
        begin = time.perf_counter()
        self.writer.write(self.message(path, form, **extra))
        answer = await self._read()
        answer.seconds = time.perf_counter() - begin
        return answer

    async def fetch(self, *request: Any, **extra: str) -> Answer:
        """Ask as a browser does: once more, on a new connection, if the server closed this one."""
        await self.open()
        try:
            return await self.ask(*request, **extra)
        except LOST:
            self.drop()
            await self.open()
            return await self.ask(*request, **extra)

    async def listen(self, path: str) -> None:
        self.writer.write(self.message(path, Accept="text/event-stream"))
        head = await self.reader.readuntil(b"\r\n\r\n")
        assert head.split()[1] == b"200", head

    async def _read(self) -> Answer:
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        pairs = [line.split(": ", 1) for line in head[1:] if line]
        headers = {name.lower(): value for name, value in pairs}
        cookies = [value for name, value in pairs if name.lower() == "set-cookie"]
        body = b""
        if headers.get("transfer-encoding") == "chunked":
            while size := int(await self.reader.readline(), 16):
                body += (await self.reader.readexactly(size + 2))[:-2]
            await self.reader.readline()
        else:
            body = await self.reader.readexactly(int(headers.get("content-length", 0)))
        return Answer(int(head[0].split()[1]), headers, cookies, body)


async def token(port: int) -> str:
    connection = Connection(port)
    await connection.open()
    cookies = (await connection.ask("/start/")).cookies
    connection.drop()
    cookie = next(cookie for cookie in cookies if cookie.startswith("csrftoken="))
    return cookie.split(";")[0].removeprefix("csrftoken=")


Ask = Callable[[], Awaitable[Answer]]


async def load(asks: Iterable[Ask], count: int) -> list[float]:
    """Let each ask ``count`` times, one time after the other; return the seconds of all."""

    async def drive(ask: Ask) -> list[float]:
        times = []
        for _ in range(count):
            answer = await ask()
            assert answer.status == 200, (answer.status, answer.body[:300])
            times.append(answer.seconds)
        return times

    return list(chain.from_iterable(await asyncio.gather(*map(drive, asks))))
