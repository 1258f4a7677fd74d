"""The site for uvicorn: streams on Django's ASGI side, everything else on its WSGI side in threads,
which is three times as fast for short answers."""

from tempfile import SpooledTemporaryFile
from typing import Any

from a2wsgi import WSGIMiddleware
from django.core.asgi import get_asgi_application

from . import bare
from .wsgi import application as wsgi

from scoring.views import boards  # isort: skip

STREAMS = "/live/"  # where the addresses of streams begin, and no others
THREADS = 4  # for those who look, and as many for those who write
PIECE = 64 * 1024  # bytes of what is sent that are kept in memory; more of it waits in a file
SENT_MAX = 2_000_000  # bytes: a deck list by mistake a picture, and the form around it,
FILES_MAX = {"/groups/import/": 21_000_000}  # and a playgroup's document
TOO_MUCH = "This is too much: 2 MB at most, a playgroup 20 MB. Nothing was changed. Send less."
NO_ROOM = "The site has no room for this now. Nothing was changed. Try again in a minute."

TYPE = b"content-type"

pages = WSGIMiddleware(wsgi, workers=THREADS)
alive = WSGIMiddleware(wsgi, workers=1)  # so that it is told even if all others wait
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
    most = FILES_MAX.get(scope["path"], SENT_MAX)
    with SpooledTemporaryFile(PIECE) as sent:
        try:
            if not await _is_whole(sent, receive, most):
                return
        except OSError:  # the disk is full
            await _refuse(scope, send, 503, NO_ROOM)
            return
        if sent.tell() > most:
            await _refuse(scope, send, 413, TOO_MUCH)
            return

        async def piece() -> dict[str, Any]:
            body = sent.read(PIECE)
            return {"type": "http.request", "body": body, "more_body": len(body) == PIECE}

        sent.seek(0)
        await _side(scope)(scope, piece, send)


def _side(scope: Any) -> WSGIMiddleware:
    if scope["path"] == "/healthz":
        return alive
    return taps if scope["method"] == "POST" else pages


async def _is_whole(sent: SpooledTemporaryFile[bytes], receive: Any, most: int) -> bool:
    """Keep what comes; say whether it came to its end, or to more than may be sent."""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return False
        sent.write(message.get("body", b""))
        if sent.tell() > most or not message.get("more_body", False):
            return True


async def _refuse(scope: Any, send: Any, status: int, words: str) -> None:
    body = f"{words}\n".encode()
    headers = {
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Length": str(len(body)),
        "Connection": "close",  # the rest of it is not read
    }
    await bare.answer(scope, send, "other", status, headers, body)
