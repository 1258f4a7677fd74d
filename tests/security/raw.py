"""What a socket can send and no client would: from a seed, to the real server."""

from __future__ import annotations

import socket
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random
from urllib.parse import urlsplit

PHONES = 20  # at once
PATIENCE = 1.0  # seconds for an answer; half a request has none
SILENT = 0  # the status of a connection that is closed without an answer, or waits for more
LINES = (
    *(
        b"GET /?a=b HTTP/1.1",
        b"GET /start/?a=b HTTP/1.1",
        b"GET / HTTP/1.0",
        b"GET /",
        b"GET  /  HTTP/1.1",
        b"get / http/1.1",
    ),
    *(b"GET http://evil.example/ HTTP/1.1", b"GET //evil.example/ HTTP/1.1", b"GET * HTTP/1.1"),
    *(b"OPTIONS * HTTP/1.1", b"CONNECT evil.example:443 HTTP/1.1", b"PRI * HTTP/2.0", b"\0"),
    *(b"GET /\xff\xfe HTTP/1.1", b"GET /%00 HTTP/1.1", b"GET /s/%2e%2e/%2F HTTP/1.1", b""),
    *(b"GET /../../etc/passwd HTTP/1.1", b"GET /static/..%2f..%2fetc/passwd HTTP/1.1"),
    *(b"GET /static//etc/passwd HTTP/1.1", b"GET /static/%00 HTTP/1.1", b"GET /?" + b"a" * 70_000),
    *(b"GET /" + b"a" * 20_000 + b" HTTP/1.1", b"GET /?" + b"a=b&" * 2000 + b" HTTP/1.1"),
    *(b"POST /theme/ HTTP/1.1", b"POST /start/ HTTP/1.1", b"POST /decks/ HTTP/1.1"),
    *(
        b"GET /live/s/22222222/ HTTP/1.1",
        b"POST /live/s/22222222/ HTTP/1.1",
        b"GET /live/ HTTP/1.1",
    ),
    *(
        b"HEAD / HTTP/1.1",
        b"PUT / HTTP/1.1",
        b"BREW / HTTP/1.1",
        b"GET / HTTP/9.9",
        b"\x16\x03\x01",
    ),
)
ENCODINGS = (
    *("rot13", "zlib", "hex", "base64", "undefined", "idna", "punycode", "utf-16", "x", "utf-8'"),
)
HEADERS = (
    *(b"Host: localhost", b"Host: localhost", b"Host: evil.example", b"Host: ", b"Host: \xff"),
    *(b"Host: localhost:junk", b"Host: a\0b", b"Host: localhost\r\nHost: evil.example", b"Host"),
    *(b"Content-Length: -1", b"Content-Length: junk", b"Content-Length: 5", b"Content-Length: 0"),
    *(b"Content-Length: 5\r\nContent-Length: 6", b"Content-Length: 99999999999999999999"),
    *(b"Transfer-Encoding: chunked", b"Transfer-Encoding: chunked\r\nContent-Length: 3"),
    *(b"Transfer-Encoding: xchunked", b"Transfer-Encoding: identity, chunked"),
    *(b"Connection: Upgrade\r\nUpgrade: websocket", b"Upgrade: h2c", b"Expect: 100-continue"),
    *(b"Cookie: " + b"a=b; " * 1500, b"Cookie: sessionid=" + b"\xff" * 40, b"X: " + b"y" * 70000),
    *(b"X-" + b"y" * 5000 + b": 1", b" folded: 1", b"X\0Y: 1", b": nameless", b"X: a\r\n b"),
    *(
        b"Range: bytes=0-5",
        b"Range: bytes=99999999-",
        b"If-None-Match: \xff",
        b"Accept-Encoding: \xff",
    ),
    *(b"HX-Request: true", b"HX-Current-URL: http://[", b"X-Forwarded-For: \xff", b"Referer: \xff"),
    *(f"Content-Type: text/x; charset={one}".encode() for one in ENCODINGS),
    *(f"Content-Type: text/x; charset*=utf-8''{one}".encode() for one in ENCODINGS),
)
BODIES = (
    *(b"", b"a=b", b"5\r\nhello\r\n0\r\n\r\n", b"ZZ\r\n", b"ffffffffffffffff\r\n", b"-1\r\nx"),
    *(
        b"0\r\nX: y\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"\0" * 999,
        b"tap_id=%ff",
    ),
)


def make(chance: Random) -> bytes:
    """Return what to send: mostly something like a request."""
    if chance.random() < 0.05:
        return chance.randbytes(chance.randint(1, 3000))
    chosen = [chance.choice(HEADERS) for _ in range(chance.randint(0, 5))]
    if chance.random() < 0.7:
        chosen.insert(0, b"Host: localhost")
    head = b"\r\n".join([chance.choice(LINES), *chosen])
    whole = head + b"\r\n\r\n" + chance.choice(BODIES)
    return whole[: chance.randrange(len(whole))] if chance.random() < 0.1 else whole


def send(address: str, sent: bytes, patience: float = 20.0) -> int:
    """Send bytes, and return the status of the answer."""
    place = urlsplit(address)
    with socket.create_connection((str(place.hostname), int(place.port or 0)), patience) as phone:
        try:
            phone.sendall(sent)
            answer = phone.recv(4096)
        except (ConnectionError, TimeoutError):
            return SILENT
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/") else SILENT


def run(address: str, seed: int, count: int) -> tuple[Counter[int], list[str]]:
    """Send so much, by many at once; return how often each status came, and what broke it."""
    chance = Random(seed)
    made = [make(chance) for _ in range(count)]
    with ThreadPoolExecutor(PHONES) as pool:
        found = list(pool.map(lambda sent: send(address, sent, PATIENCE), made))
    broken = [
        f"{status} {sent[:300]!r}"
        for status, sent in zip(found, made, strict=True)
        if status >= 500
    ]
    return Counter(found), broken
