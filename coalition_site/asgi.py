"""The site for uvicorn: streams run on Django's asynchronous side, everything else on its other
side in threads, which is three times as fast for short responses."""

import asyncio
import gc
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from importlib import import_module
from io import BytesIO
from typing import Any, cast

from django.conf import settings
from django.core.asgi import get_asgi_application
from django.core.signals import request_started
from django.db import connection

from .lib.requests import Request
from .middleware import sent_max
from .wsgi import application as pages

from scoring.tables import boards  # isort: skip

STREAMS = "/live/"  # the prefix of every stream's address, and of no other
SLOW = re.compile(r"^/card-pictures/|/export\.json$|/results\.csv$")
THREADS = 4  # for what is only read, and for what is written
ENDING = "The site is restarting. Reload this page in a moment: what you sent is then sent again."

streams = get_asgi_application()
readers = ThreadPoolExecutor(THREADS)
# On SQLite one writes at a time: more would wait for each other, which takes longer.
writers = ThreadPoolExecutor(1 if connection.vendor == "sqlite" else THREADS)
slow = ThreadPoolExecutor(2)  # so that pages wait behind no export and no picture from elsewhere


async def application(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "lifespan":
        await receive()
        import_module(settings.ROOT_URLCONF)  # and with it all views
        gc.freeze()  # so that no collection looks through all that again
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await asyncio.sleep(0.1)  # while those that were given up are told so
        await send({"type": "lifespan.shutdown.complete"})
    elif scope["path"].startswith(STREAMS):
        # Calling ``streams`` itself would give each stream a thread, and the thread a database
        # connection, for as long as it lasts. ``handle`` lets all of them in through one.
        try:
            await streams.handle(scope, receive, send)
        except asyncio.CancelledError:  # the worker ends
            with suppress(RuntimeError):  # the stream had not begun
                await send({"type": "http.response.body"})
    else:
        await _answer(scope, receive, send)


async def _answer(scope: Any, receive: Any, send: Any) -> None:
    # In a thread that gets the request whole, and whose answer is sent once it is whole: otherwise
    # a phone that loses its connection, or doesn't read, would keep the thread busy.
    try:
        length = int(dict(scope["headers"]).get(b"content-length", 0))
        # A middleware refuses what is too long by its length.
        body, more = BytesIO(), 0 < length <= sent_max(scope["path"])
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return  # the visitor left before its end: half a form is no form
            body.write(message.get("body", b""))
            more = message.get("more_body", False)
        body.seek(0)
        # Browsers send UTF-8, and Django fails on charsets that don't decode text, such as rot13.
        heads = [
            (name, value.partition(b";")[0])
            if name == b"content-type" and b"charset" in value.lower()
            else (name, value)
            for name, value in scope["headers"]
        ]
        request, error = streams.create_request(scope | {"headers": heads}, body)
        answer = _whole(error) if error else await boards.share(cast(Request, request), _draw)
        status, headers, content = answer
    except asyncio.CancelledError:  # the worker ends, and has waited as long as it may
        status, content = 503, f"{ENDING}\n".encode()
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"retry-after", b"5")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})


async def _draw(request: Request) -> boards.RawAnswer:
    pool = readers
    if request.method == "POST":
        pool = writers
    elif SLOW.search(request.path):
        pool = slow
    run = copy_context().run
    return await asyncio.get_running_loop().run_in_executor(pool, run, draw, request)


def draw(request: Request) -> boards.RawAnswer:
    request_started.send(sender=type(pages))
    return _whole(pages.get_response(request))


def _whole(response: Any) -> boards.RawAnswer:
    try:
        content = b"".join(response)
        cookies = [("Set-Cookie", cookie.OutputString()) for cookie in response.cookies.values()]
        headers = [
            (name.lower().encode("latin-1"), value.encode("latin-1"))
            for name, value in [*response.items(), *cookies]
        ]
        return response.status_code, headers, content
    finally:
        # Here Django ends the request, and looks after this thread's database connection.
        response.close()
