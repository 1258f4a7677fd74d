"""Django's pages in threads of their own, between an event loop and WSGI.

Our own, and not a2wsgi's, which crosses from thread to thread four times a request. Here the whole
request is there before a thread begins, and the thread comes back once, with the whole response.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import IO, Any

from .answers import Answer

App = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
BARE = {"content-type": "CONTENT_TYPE", "content-length": "CONTENT_LENGTH"}  # without HTTP_


class Bridge:
    """A WSGI app in so many threads. It may serve many requests at once, more of them wait."""

    def __init__(self, app: App, threads: int) -> None:
        self.app = app
        self.executor = ThreadPoolExecutor(threads, thread_name_prefix="pages")

    async def answer(self, scope: Any, sent: IO[bytes], answer: Answer) -> None:
        """Have a request, whose body is in ``sent``, answered into ``answer``.

        :raises Exception: whatever the app raises.
        """
        loop, run = asyncio.get_running_loop(), copy_context().run
        await loop.run_in_executor(self.executor, run, self._run, scope, sent, answer)

    def _run(self, scope: Any, sent: IO[bytes], answer: Answer) -> None:
        parts = self.app(environ(scope, sent), answer.begin)
        try:
            for part in parts:
                if not answer.write(part):
                    break
        finally:
            # Here Django ends the request, and looks after this thread's database connection.
            if hasattr(parts, "close"):
                parts.close()


def environ(scope: Any, sent: IO[bytes]) -> dict[str, Any]:
    """Return a request as WSGI describes it (PEP 3333): its texts are bytes, read as Latin-1."""
    server, port = scope.get("server") or ("localhost", 80)
    client, _ = scope.get("client") or ("", 0)
    return _headers(scope["headers"]) | {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client,
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": sent,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }


def _headers(pairs: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return headers by their names in WSGI; those sent repeatedly are joined.

    >>> _headers([(b"content-type", b"text/html"), (b"x-a", b"1"), (b"x-a", b"2")])
    {'CONTENT_TYPE': 'text/html', 'HTTP_X_A': '1,2'}
    >>> _headers([(b"cookie", b"a=1"), (b"cookie", b"b=2")])
    {'HTTP_COOKIE': 'a=1; b=2'}
    """
    headers: dict[str, str] = {}
    for key, content in pairs:
        plain, value = key.decode("latin-1"), content.decode("latin-1")
        name = BARE.get(plain) or "HTTP_" + plain.upper().replace("-", "_")
        if name in headers:
            value = headers[name] + ("; " if plain == "cookie" else ",") + value
        headers[name] = value
    return headers
