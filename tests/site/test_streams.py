"""Many pages follow a table at once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connections
from django.db.backends.signals import connection_created

from coalition_site.asgi import application
from tests.scoring.tables import set_up

STREAMS = 20
PATIENCE = 20  # seconds; only a failure waits so long


@pytest.fixture
def opened(transactional_db: None) -> Iterator[list[Any]]:
    """Count the connections to the database that are opened."""
    found: list[Any] = []

    def note(sender: Any, connection: Any, **_: Any) -> None:
        found.append(connection)

    connection_created.connect(note)
    yield found
    connection_created.disconnect(note)


class Page:
    """A page that follows a table: what the site says to it."""

    def __init__(self, path: str) -> None:
        headers = [(b"host", b"localhost")]
        self.scope = {"type": "http", "http_version": "1.1", "method": "GET", "path": path}
        self.scope |= {"query_string": b"", "headers": headers}
        self.asks: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def open(self) -> tuple[int, bytes]:
        """Open the stream; return its status and its first word."""
        self.asks.put_nowait({"type": "http.request", "body": b"", "more_body": False})
        answer = application(self.scope, self.asks.get, self.said.put)
        self.stream = asyncio.create_task(answer)
        return (await self.said.get())["status"], (await self.said.get())["body"]

    async def leave(self) -> None:
        self.asks.put_nowait({"type": "http.disconnect"})
        await self.stream


def test_streams_share_one_connection_to_the_database(opened: list[Any]) -> None:
    code = set_up().game_set.code
    pages = [Page(f"/live/s/{code}/") for _ in range(STREAMS)]
    opened.clear()

    async def all_at_once() -> list[tuple[int, bytes]]:
        said = await asyncio.gather(*(page.open() for page in pages))
        await asyncio.gather(*(page.leave() for page in pages))
        await sync_to_async(connections.close_all)()  # else it would outlive the test's database
        return said

    said = asyncio.run(asyncio.wait_for(all_at_once(), PATIENCE))
    assert (said, len(opened)) == ([(200, b"retry: 2000\n\n")] * STREAMS, 1)
