"""The site for uvicorn: streams run on Django's ASGI side, everything else on its WSGI side in
threads, which is three times as fast for short responses."""

import asyncio
import re
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import Any

from django.core.asgi import get_asgi_application

from .lib import answers
from .lib.visitors import place_of
from .serving import capacity
from .serving import streams as open_streams
from .serving.answers import PIECE, Answer
from .serving.bridge import Bridge
from .serving.connections import has_body
from .wsgi import application as wsgi_application

from scoring.views import boards  # isort: skip

STREAMS = "/live/"  # the prefix of every stream's address, and of no other
EXPORTS = ("/export.json", "/results.csv")  # endings of addresses whose responses take seconds
CARD_PICTURES = "/card-pictures/"  # the prefix of addresses that a slow source may hold up
TAPS = re.compile("/s/[^/]+/score/")  # beginning of the addresses where scorekeepers post
SENT_MAX = 2_000_000  # bytes: enough for a picture chosen by mistake instead of a deck list
FILES_MAX = {"/groups/import/": 3_100_000}  # a playgroup's document may be larger
TOO_MUCH = "This is too much: 2 MB at most, a playgroup 3 MB. Nothing was changed. Send less."
SENT_WITHIN = 120.0  # seconds for a whole request to arrive; proxies have less patience
TOO_SLOW = (
    "This took too long to arrive. Nothing was changed. Try again where the network is better."
)
ONLY_ASK = "Streams are opened by GET, without a body."
TOO_MANY = "Too many pages here are following live. This one asks for news now and then instead."
NO_ROOM = "The site has no room for this now. Nothing was changed. Try again in a minute."
TOO_LARGE = "The site has no room for so large a response now. Try again in a minute."

ENDING = "The site is restarting. Reload this page in a moment: what you sent is then sent again."

TYPE = b"content-type"

wsgi: Any = wsgi_application  # a response of Django's is iterable, which its types don't say
pages = Bridge(wsgi, capacity.READERS)
forms = Bridge(wsgi, capacity.FORMS)
taps = Bridge(wsgi, capacity.taps())  # so that taps queue behind nobody but each other
exports = Bridge(wsgi, capacity.EXPORTS)
pictures = Bridge(wsgi, capacity.PICTURES)
alive = Bridge(wsgi, threads=1)  # answers even while every other thread is busy
streams = get_asgi_application()


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Hand a request to the side that serves it best."""
    scope = _in_utf_8(_without_underscores(scope))
    if scope["path"].startswith(STREAMS):
        await _stream(scope, receive, send)
    elif scope["method"] != "GET" or has_body(scope["headers"]):
        await _page(scope, receive, send)
    else:
        await boards.serve(scope, send, partial(_page, scope, receive))


def _without_underscores(scope: Any) -> Any:
    """Drop headers with an underscore in their name.

    WSGI can't tell ``X_Forwarded_For`` from the ``X-Forwarded-For`` that the proxy sets, and would
    join the two.
    """
    return scope | {"headers": [pair for pair in scope["headers"] if b"_" not in pair[0]]}


def _in_utf_8(scope: Any) -> Any:
    """Drop the charset that a form names.

    Browsers send UTF-8, and Django fails on codecs that don't decode text, such as rot13.
    """
    headers = [
        (name, value.partition(b";")[0] if name == TYPE and b"charset" in value.lower() else value)
        for name, value in scope["headers"]
    ]
    return scope | {"headers": headers}


async def _stream(scope: Any, receive: Any, send: Any) -> None:
    """Let a page follow a table, once its request is checked.

    Django would first read and store any body, however long.
    """
    if scope["method"] not in ("GET", "HEAD"):
        await _refuse(scope, send, 405, ONLY_ASK, Allow="GET, HEAD")
    elif has_body(scope["headers"]):
        await _refuse(scope, send, 413, ONLY_ASK)
    elif not open_streams.has_room(place := _place(scope)):
        await _refuse(scope, send, 503, TOO_MANY, Retry_After="15")
    else:
        with open_streams.counted(place):
            # Calling ``streams`` itself would give each stream a thread, and the thread a database
            # connection, for as long as it lasts. ``handle`` lets all of them in through one.
            await streams.handle(scope, receive, send)


def _place(scope: Any) -> str:
    """Return where a visitor comes from, by the same rule as all limits."""
    forwarded = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    connected, _ = scope.get("client") or ("", 0)
    return place_of(b",".join(forwarded).decode("latin-1"), connected) or "nowhere"


async def _page(scope: Any, receive: Any, send: Any) -> None:
    """Give the request to a thread once it has arrived, and send the response once it is written.

    Otherwise a phone that loses its connection, or doesn't read, would keep the thread busy.
    """
    with Answer() as answer:
        try:
            with SpooledTemporaryFile(PIECE) as sent:
                if has_body(scope["headers"]) and not await _take(scope, receive, send, sent):
                    return
                await _side(scope).answer(scope, sent, answer)
        except asyncio.CancelledError:  # the worker ends, and has waited as long as it may
            return await _refuse(scope, send, 503, ENDING, Retry_After="5")
        answer.rewind()
        if answer.has_room:
            await answer.hand_out(send)
        else:
            await _refuse(scope, send, 503, TOO_LARGE, Retry_After="60")


async def _take(scope: Any, receive: Any, send: Any, sent: SpooledTemporaryFile[bytes]) -> bool:
    """Wait for the whole body, so that half a form isn't taken for a whole one.

    Return whether it arrived. If not, the visitor got an error, or is gone.
    """
    most = FILES_MAX.get(scope["path"], SENT_MAX)
    try:
        async with asyncio.timeout(SENT_WITHIN):
            if not await _is_whole(sent, receive, most):
                return False
    except TimeoutError:
        await _refuse(scope, send, 408, TOO_SLOW)
        return False
    except OSError:  # the disk is full
        await _refuse(scope, send, 503, NO_ROOM)
        return False
    if sent.tell() > most:
        await _refuse(scope, send, 413, TOO_MUCH)
        return False
    sent.seek(0)
    return True


def _side(scope: Any) -> Bridge:
    if scope["path"] == "/healthz":
        return alive
    if scope["path"].endswith(EXPORTS):
        return exports
    if scope["path"].startswith(CARD_PICTURES):
        return pictures
    if scope["method"] != "POST":
        return pages
    return taps if TAPS.match(scope["path"]) else forms


async def _is_whole(sent: SpooledTemporaryFile[bytes], receive: Any, most: int) -> bool:
    """Store the body; return False if the visitor left before its end.

    Stops early once there is more than may be sent.
    """
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return False
        sent.write(message.get("body", b""))
        if sent.tell() > most or not message.get("more_body", False):
            return True


async def _refuse(scope: Any, send: Any, status: int, words: str, **more: str) -> None:
    body = f"{words}\n".encode()
    headers = {
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Length": str(len(body)),
        "Connection": "close",  # the rest of the body is not read
    }
    headers |= {name.replace("_", "-"): value for name, value in more.items()}
    await answers.answer(scope, send, "other", status, headers, body)
