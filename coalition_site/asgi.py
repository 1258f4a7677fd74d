"""The site for uvicorn: streams on Django's ASGI side, everything else on its WSGI side in threads,
which is three times as fast for short answers."""

from tempfile import SpooledTemporaryFile
from typing import Any

from a2wsgi import WSGIMiddleware
from django.core.asgi import get_asgi_application

from .middleware import POLICIES
from .wsgi import application as wsgi

from scoring.views import boards  # isort: skip

STREAMS = "/live/"  # where the addresses of streams begin, and no others
THREADS = 4  # for those who look, and as many for those who write
IN_MEMORY = 1_000_000  # bytes of what is sent; more of it waits in a file
PIECE = 64 * 1024
SENT_MAX = 21_000_000  # bytes: a playgroup's document, and the form around it
TOO_MUCH = b"This is too much: 20 MB at most. Nothing was changed. Go back and send less.\n"

TYPE = b"content-type"

pages = WSGIMiddleware(wsgi, workers=THREADS)
taps = WSGIMiddleware(wsgi, workers=THREADS)  # so that they don't queue behind hundreds who look
streams = get_asgi_application()


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Hand a request to the side that answers it best."""
    if scope["type"] != "http":
        await pages(scope, receive, send)
        return
    scope = _in_utf_8(scope)
    if scope["path"].startswith(STREAMS):
        # Not called as a whole, which would give each stream a thread and the thread a connection
        # to the database, for as long as it lasts: all of them are let in by one thread.
        await streams.handle(scope, receive, send)
    elif scope["method"] != "GET" or not await boards.hand_out(scope, send):
        await _page(scope, receive, send)


def _in_utf_8(scope: Any) -> Any:
    """Leave out which encoding a form names: browsers send theirs in UTF-8, and Django breaks on
    those that are none for text, as rot13."""
    headers = [
        (name, said.partition(b";")[0] if name == TYPE and b"charset" in said.lower() else said)
        for name, said in scope["headers"]
    ]
    return scope | {"headers": headers}


async def _page(scope: Any, receive: Any, send: Any) -> None:
    """Wait until everything is there that is sent: else a phone that loses its connection would
    hold a thread, and half a form would be taken for a whole one."""
    with SpooledTemporaryFile(IN_MEMORY) as sent:
        if not await _is_whole(sent, receive):
            return
        if sent.tell() > SENT_MAX:
            await _refuse(send)
            return

        async def piece() -> dict[str, Any]:
            body = sent.read(PIECE)
            return {"type": "http.request", "body": body, "more_body": len(body) == PIECE}

        sent.seek(0)
        side = taps if scope["method"] == "POST" else pages
        await side(scope, piece, send)


async def _is_whole(sent: SpooledTemporaryFile[bytes], receive: Any) -> bool:
    """Keep what comes; say whether it came to its end, or to more than anybody may send."""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return False
        sent.write(message.get("body", b""))
        if sent.tell() > SENT_MAX or not message.get("more_body", False):
            return True


async def _refuse(send: Any) -> None:
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(TOO_MUCH)).encode()),
        *((name.lower().encode(), said.encode()) for name, said in POLICIES.items()),
        (b"connection", b"close"),  # the rest of it is not read
    ]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": TOO_MUCH})
