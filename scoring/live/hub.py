"""What tells open pages that a table changed: a signal, after which they ask for what is new.

Each process has one source of changes and any number of listeners. A listener holds one signal
that is on or off: a slow phone makes no backlog, and a signal that is lost costs a delay only,
since pages ask every quarter of a minute as well.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager, suppress
from weakref import WeakKeyDictionary

import psycopg
from django.db import connection
from django.http import StreamingHttpResponse

from coalition_site.lib import metrics

from ..models.triggers.changes import CHANNEL, TABLE

POLL = 0.05  # seconds between two looks at SQLite: microseconds each
BUSY = 0.1  # seconds that the loop may wait for SQLite
BEAT = 15.0  # seconds after which a stream says that it is still there
LASTS = 600.0  # seconds; then the page opens a new one, if it still may
AGAIN = 1.0  # seconds until a database that was away is tried again


_latest = 0  # how many changes this process has heard of,
_changes: dict[str, int] = {}  # and the latest of each topic that it listens to


def latest() -> int:
    """Return the number of the change that this process heard of last."""
    return _latest


def latest_change(topic: str) -> int | None:
    """Return the number of a topic's last change; None if it might have been missed."""
    return _changes.get(topic)


def _count_change(topic: str) -> None:
    global _latest  # written by the loop's thread alone
    _latest += 1
    _changes[topic] = _latest


class Hub:
    """The listeners of a process by topic, and the task that wakes them."""

    def __init__(self) -> None:
        self.listeners: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        self.source: asyncio.Task[None] | None = None
        self.hears = asyncio.Event()  # set while no change can be missed

    @contextmanager
    def listening(self, topic: str) -> Iterator[asyncio.Event]:
        """Listen to a topic. The source runs while somebody does."""
        if self.source is None or self.source.done():
            self.source = asyncio.create_task(_hear(self))
        changed = asyncio.Event()
        self.listeners[topic].add(changed)
        metrics.STREAMS.inc()
        try:
            yield changed
        finally:
            metrics.STREAMS.dec()
            self.listeners[topic].discard(changed)
            if not self.listeners[topic]:
                del self.listeners[topic]
                _changes.pop(topic, None)
            if not self.listeners:
                self.source.cancel()
                self.source = None
                self.hears.clear()

    def tell(self, topic: str) -> None:
        """Wake who listens to a topic."""
        if topic in self.listeners:
            _count_change(topic)
            for changed in self.listeners[topic]:
                changed.set()

    def tell_all(self) -> None:
        """Wake everybody: nobody knows what was missed."""
        for topic in self.listeners:
            self.tell(topic)


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def stream(topic: str) -> StreamingHttpResponse:
    """Answer with a signal for each change of a topic, and one at the start."""
    return StreamingHttpResponse(
        signals(topic),
        content_type="text/event-stream",
        headers={"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"},
    )


async def signals(topic: str) -> AsyncIterator[str]:
    """Yield what an EventSource understands; asks the database nothing."""
    loop = asyncio.get_running_loop()
    hub, ends = _hubs.setdefault(loop, Hub()), loop.time() + LASTS
    with hub.listening(topic) as changed:
        yield "retry: 2000\n\n"
        # Not wait_for: on Python 3.11 it forgets that the page left if something changes meanwhile.
        with suppress(TimeoutError):
            async with asyncio.timeout(BEAT):
                await hub.hears.wait()
            if topic not in _changes:
                _count_change(topic)
        changed.set()
        told = 0
        while loop.time() < ends:
            try:
                async with asyncio.timeout(BEAT):
                    await changed.wait()
            except TimeoutError:
                yield ": still here\n\n"
            else:
                changed.clear()
                told += 1
                yield f"data: {told}\n\n"


async def _hear(hub: Hub) -> None:
    """Hear of changes, and go on when the database was away for a while."""
    source = _poll if connection.vendor == "sqlite" else _listen
    while True:
        with suppress(psycopg.OperationalError, sqlite3.Error):
            await source(hub)
        hub.hears.clear()
        _changes.clear()
        await asyncio.sleep(AGAIN)


async def _poll(hub: Hub) -> None:
    """Look whether somebody wrote, and only then what."""
    with closing(sqlite3.connect(connection.settings_dict["NAME"], timeout=BUSY)) as reader:
        last, version = _newest(reader), _version(reader)
        hub.hears.set()
        hub.tell_all()
        while True:
            await asyncio.sleep(POLL)
            if (now := _version(reader)) == version:
                continue
            version = now
            told = f"SELECT id, topic FROM {TABLE} WHERE id > ? ORDER BY id"
            for number, topic in reader.execute(told, [last]):
                hub.tell(topic)
                last = number


def _version(reader: sqlite3.Connection) -> int:
    return int(reader.execute("PRAGMA data_version").fetchone()[0])


def _newest(reader: sqlite3.Connection) -> int:
    return int(reader.execute(f"SELECT coalesce(max(id), 0) FROM {TABLE}").fetchone()[0])


async def _listen(hub: Hub) -> None:
    """Listen on the channel until the connection is lost."""
    known = connection.get_connection_params()
    known = {name: known[name] for name in known if name not in ("cursor_factory", "context")}
    async with await psycopg.AsyncConnection.connect(**known, autocommit=True) as reader:
        await reader.execute(f"LISTEN {CHANNEL}")
        hub.hears.set()
        hub.tell_all()
        async for told in reader.notifies():
            hub.tell(told.payload)
