"""Signals to open pages that a table has changed. A listener has a single signal that is on or off,
so a slow phone causes no backlog; a lost signal is a delay: pages also ask every 15 seconds."""

import asyncio
import sqlite3
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager, suppress
from weakref import WeakKeyDictionary

import psycopg
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from coalition_site.lib import metrics
from coalition_site.lib.visitors import visitors_place

from ..models.triggers.changes import CHANNEL, TABLE

POLL = 0.05  # seconds between two checks of SQLite, which take microseconds each
BUSY = 0.1  # seconds that the event loop may be blocked by SQLite
BEAT = 15.0  # seconds between signs of life in a quiet stream
LASTS = 600.0  # seconds of a stream; the page then opens a new one, if it still may
AGAIN = 1.0  # seconds between attempts to reach a database that is away
TOO_MANY = "Too many pages here are following live. This one asks for news now and then instead."

_latest = 0  # the number of changes that this process has heard of
_changes: dict[str, int] = {}  # the number of the latest change, by topic listened to
_open: Counter[str] = Counter()  # streams of this process by the address of who follows


def latest() -> int:
    return _latest


def latest_change(topic: str) -> int | None:
    """Return the number of a topic's latest change; None if one may have been missed."""
    return _changes.get(topic)


def _count_change(topic: str) -> None:
    global _latest  # written only by the event loop's thread
    _latest += 1
    _changes[topic] = _latest


class Hub:
    def __init__(self) -> None:
        self.listeners: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        self.source: asyncio.Task[None] | None = None
        self.hears = asyncio.Event()  # set while no change can be missed

    @contextmanager
    def listening(self, topic: str, place: str) -> Iterator[asyncio.Event]:
        """Listen to a topic from a place, an address. The source runs while anybody listens."""
        if self.source is None or self.source.done():
            self.source = asyncio.create_task(_hear(self))
        changed = asyncio.Event()
        self.listeners[topic].add(changed)
        metrics.counts.streams.inc()
        _open[place] += 1
        try:
            yield changed
        finally:
            metrics.counts.streams.dec()
            _open[place] -= 1
            if not _open[place]:
                del _open[place]
            self.listeners[topic].discard(changed)
            if not self.listeners[topic]:
                del self.listeners[topic]
                _changes.pop(topic, None)
            if not self.listeners:
                self.source.cancel()
                self.source = None
                self.hears.clear()

    def signal(self, topic: str) -> None:
        if topic in self.listeners:
            _count_change(topic)
            for changed in self.listeners[topic]:
                changed.set()

    def signal_all(self) -> None:
        # Signal to everybody, since changes may have been missed.
        for topic in self.listeners:
            self.signal(topic)


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def stream(request: HttpRequest, topic: str) -> HttpResponseBase:
    place, most = visitors_place(request) or "nowhere", settings.STREAMS_PER_ADDRESS
    if _open.total() >= settings.STREAMS_MAX or (most and _open[place] >= most):
        headers = {"Retry-After": "15"}
        return HttpResponse(TOO_MANY, "text/plain; charset=utf-8", 503, headers=headers)
    return StreamingHttpResponse(
        signals(topic, place),
        content_type="text/event-stream",
        headers={"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"},
    )


async def signals(topic: str, place: str) -> AsyncIterator[str]:
    loop = asyncio.get_running_loop()
    hub, ends = _hubs.setdefault(loop, Hub()), loop.time() + LASTS
    with hub.listening(topic, place) as changed:
        yield "retry: 2000\n\n"
        # Not wait_for: on Python 3.11 it swallows the cancellation of a page that leaves just then.
        with suppress(TimeoutError):
            async with asyncio.timeout(BEAT):
                await hub.hears.wait()
            if topic not in _changes:
                _count_change(topic)
        changed.set()
        number = 0
        while loop.time() < ends:
            try:
                async with asyncio.timeout(BEAT):
                    await changed.wait()
            except TimeoutError:
                yield ": still here\n\n"
            else:
                changed.clear()
                number += 1
                yield f"data: {number}\n\n"


async def _hear(hub: Hub) -> None:
    source = _poll if connection.vendor == "sqlite" else _listen
    while True:
        with suppress(psycopg.OperationalError, sqlite3.Error):
            await source(hub)
        hub.hears.clear()
        _changes.clear()
        await asyncio.sleep(AGAIN)


async def _poll(hub: Hub) -> None:
    """Poll SQLite: whether anybody wrote, which is cheap, and only then what."""
    with closing(sqlite3.connect(connection.settings_dict["NAME"], timeout=BUSY)) as reader:
        newest = f"SELECT coalesce(max(id), 0) FROM {TABLE}"
        (last,), version = reader.execute(newest).fetchone(), _version(reader)
        hub.hears.set()
        hub.signal_all()
        while True:
            await asyncio.sleep(POLL)
            if (now := _version(reader)) == version:
                continue
            version = now
            changes = f"SELECT id, topic FROM {TABLE} WHERE id > ? ORDER BY id"
            for number, topic in reader.execute(changes, [last]):
                hub.signal(topic)
                last = number


def _version(reader: sqlite3.Connection) -> int:
    return int(reader.execute("PRAGMA data_version").fetchone()[0])


async def _listen(hub: Hub) -> None:
    options = connection.get_connection_params()
    for name in ("cursor_factory", "context"):  # Django's own, not for an asynchronous connection
        options.pop(name, None)
    async with await psycopg.AsyncConnection.connect(**options, autocommit=True) as reader:
        await reader.execute(f"LISTEN {CHANNEL}")
        hub.hears.set()
        hub.signal_all()
        async for notification in reader.notifies():
            hub.signal(notification.payload)
