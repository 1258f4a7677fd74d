"""One visitor opens streams by the thousand where the site may have 1,024 files open."""

from __future__ import annotations

import asyncio
import resource
from collections import Counter
from collections.abc import Iterator

import pytest
from django.db import connection

from coalition_site.serving.open_files import ENOUGH
from tests.bench.client import Answer, Connection
from tests.bench.server import Server
from tests.scoring.tables import set_up

FILES = 1024
STREAMS = 1100
OF_MY_OWN = 2000  # files that this test has open
AT_ONCE = 1  # second
PATIENCE = 30  # seconds; only a failure waits so long


@pytest.fixture
def _many_files() -> Iterator[None]:
    """Let this test open a connection for each stream."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, OF_MY_OWN), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture
def table(transactional_db: None) -> str:
    """The address of a table's page."""
    if connection.vendor != "sqlite":
        pytest.skip("asks nothing of the database")
    return f"/s/{set_up().code}/"


@pytest.fixture
def site(table: str, _many_files: None, capfd: pytest.CaptureFixture[str]) -> Iterator[Server]:
    """The site with its limits, and allowed few open files."""
    database = connection.settings_dict["NAME"]
    site = Server(f"sqlite:///{database}", settings="coalition_site.settings", limits="1")
    site.environment["COALITION_DEBUG"] = "1"  # plain static files
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, hard))
    site.start()
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    yield site
    site.stop()


def test_a_thousand_streams_of_one_visitor_keep_no_page_from_another(site, table, capfd) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = resource.prlimit(site.process.pid, resource.RLIMIT_NOFILE, (FILES, FILES))
    assert allowed == (min(ENOUGH, hard), hard)  # what the site gave itself

    async def evening() -> Counter[bytes]:
        await look(site, table)  # the first request loads the views
        streams = [Connection(site.port) for _ in range(STREAMS)]
        statuses = await asyncio.gather(*(open_stream(one, table) for one in streams))

        page = await asyncio.wait_for(look(site, table), AT_ONCE)

        assert page.status == 200
        for stream in streams:
            stream.drop()
        return Counter(statuses)

    statuses = asyncio.run(asyncio.wait_for(evening(), PATIENCE))
    assert statuses == {b"200": 30, b"503": STREAMS - 30}
    assert capfd.readouterr().err.count("out of system resource") <= 1


async def look(site: Server, table: str) -> Answer:
    visitor = Connection(site.port)
    await visitor.open()
    answer = await visitor.ask(table)
    visitor.drop()
    return answer


async def open_stream(stream: Connection, table: str) -> bytes:
    """Open a stream, and return its status; it stays open."""
    await stream.open()
    stream.writer.write(stream.message(f"/live{table}"))
    return (await stream.reader.readline()).split(b" ")[1]
