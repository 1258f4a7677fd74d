"""Many pages follow a table at once."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connections
from django.db.backends.signals import connection_created

from coalition_site.asgi import application
from scoring.live.hub import TOO_MANY
from tests.scoring.tables import set_up

STREAMS = 20
HERE, FULL = (200, b"retry: 2000\n\n"), (503, TOO_MANY.encode())
PATIENCE = 20  # seconds; only a failure waits so long


@pytest.fixture
def opened(transactional_db: None) -> Iterator[list[Any]]:
    found: list[Any] = []

    def note(sender: Any, connection: Any, **_: Any) -> None:
        found.append(connection)

    connection_created.connect(note)
    yield found
    connection_created.disconnect(note)


class Page:
    def __init__(self, path: str, place: str = "192.0.2.1") -> None:
        headers = [(b"host", b"localhost")]
        self.scope = {"type": "http", "http_version": "1.1", "method": "GET", "path": path}
        self.scope |= {"query_string": b"", "headers": headers, "client": (place, 50_000)}
        self.asks: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def open(self) -> tuple[int, bytes]:
        self.asks.put_nowait({"type": "http.request", "body": b"", "more_body": False})
        answer = application(self.scope, self.asks.get, self.said.put)
        self.stream = asyncio.create_task(answer)
        self.start = await self.said.get()
        return self.start["status"], (await self.said.get())["body"]

    async def leave(self) -> None:
        self.asks.put_nowait({"type": "http.disconnect"})
        await self.stream


def test_streams_share_one_connection_to_the_database(opened: list[Any]) -> None:
    code = set_up().code
    pages = [Page(f"/live/s/{code}/") for _ in range(STREAMS)]
    opened.clear()

    async def all_at_once() -> list[tuple[int, bytes]]:
        said = await asyncio.gather(*(page.open() for page in pages))
        await asyncio.gather(*(page.leave() for page in pages))
        await sync_to_async(connections.close_all)()  # else it would outlive the test's database
        return said

    said = asyncio.run(asyncio.wait_for(all_at_once(), PATIENCE))
    assert (said, len(opened)) == ([HERE] * STREAMS, 1)


@pytest.fixture
def path(transactional_db: None) -> str:
    return f"/live/s/{set_up().code}/"


def opened_in_order(*pages: Page) -> list[tuple[int, bytes]]:
    async def evening() -> list[tuple[int, bytes]]:
        told = [await page.open() for page in pages]
        await asyncio.gather(*(page.leave() for page in pages))
        await sync_to_async(connections.close_all)()
        return told

    return asyncio.run(asyncio.wait_for(evening(), PATIENCE))


def test_an_address_has_so_many_streams_and_others_have_theirs(path: str, settings: Any) -> None:
    settings.STREAMS_PER_ADDRESS = 2

    for _ in range(2):  # the second time, those of the first have left
        places = ["2001:db8:1:2::1", "2001:db8:1:2::9", "2001:db8:1:ffff::1", "192.0.2.2"]
        pages = [Page(path, place) for place in places]  # the first three are one visitor's
        assert opened_in_order(*pages) == [HERE, HERE, FULL, HERE]
        assert dict(pages[2].start["headers"])[b"Retry-After"] == b"15"


def test_all_addresses_together_have_so_many_streams(path: str, settings: Any) -> None:
    settings.STREAMS_MAX = 2
    pages = [Page(path, f"192.0.2.{number}") for number in range(3)]

    assert opened_in_order(*pages) == [HERE, HERE, FULL]
