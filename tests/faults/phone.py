"""A scorekeeper's phone at the real server: it taps, looks and listens."""

import asyncio
import gzip
from html import unescape
from typing import Any
from uuid import uuid4

from tests.bench.client import Answer, Connection, token
from tests.bench.server import Server

PATIENCE = 30.0  # seconds; only a failure waits so long
AGAIN = 0.2  # seconds


class Phone:
    """It holds a table's key; each request has a connection of its own."""

    def __init__(self, server: Server, table: tuple[str, str], secret: str) -> None:
        self.port, (self.code, key) = server.port, table
        self.cookies = f"csrftoken={secret}; key-{self.code}={key}"
        self.secret = secret

    async def ask(self, path: str, form: dict[str, object] | None = None) -> Answer:
        connection = Connection(self.port, self.cookies)
        await connection.open()
        headers = {"X-CSRFToken": self.secret, "HX-Request": "true"} if form else {}
        answer = await asyncio.wait_for(connection.ask(path, form, **headers), PATIENCE)
        connection.drop()
        return answer

    async def look(self, page: str = "") -> Answer:
        return await self.ask(f"/s/{self.code}/{page}")

    async def tap(self, tap_id: str, amount: int = 1) -> Answer:
        hit = {"source": 1, "target": 2, "kind": "combat", "amount": amount, "tap_id": tap_id}
        return await self.ask(f"/s/{self.code}/score/1/hit/", hit)

    async def listen(self) -> Connection:
        stream = Connection(self.port, self.cookies)
        await stream.open()
        await stream.listen(f"/live/s/{self.code}/")
        return stream


async def phone(server: Server) -> Phone:
    (table,) = await asyncio.to_thread(server.output_of, "tables", "played", "1")
    return Phone(server, table, await token(server.port))


async def signal(stream: Connection) -> None:
    async with asyncio.timeout(PATIENCE):
        while not (await stream.reader.readline()).startswith(b"data:"):  # type: ignore[union-attr]
            pass


async def until(ask: Any, status: int) -> Answer:
    async with asyncio.timeout(PATIENCE):
        while (answer := await ask()).status != status:
            await asyncio.sleep(AGAIN)
    return answer  # type: ignore[no-any-return]


def said(answer: Answer) -> str:
    packed = answer.headers.get("content-encoding") == "gzip"
    return unescape((gzip.decompress(answer.body) if packed else answer.body).decode())


def recorded(server: Server, code: str) -> list[str]:
    return [tap for at, tap, *_ in server.output_of("tables", "taps") if at == code]


def fresh() -> str:
    return str(uuid4())
