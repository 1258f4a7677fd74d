"""Posting to an address that a visitor typed, and fetching, from nothing inside the site's network.

A name is resolved once. All of its addresses are checked, and the connection goes to a checked
address: a name that leads elsewhere a moment later changes nothing. Redirects are not followed. Of
an answer to a post only the head is read, of what is fetched no more than was asked for.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, quote, urlsplit

import h11
from django.conf import settings

from .refusals import Refused

SECONDS = 10.0  # for all of it: finding the address, connecting, sending, the answer's head
HEAD_MAX = 16_384  # bytes of the answer that are read
ADDRESS_MAX = 1000
PORT = 443
GLOBAL = IPv6Network("2000::/3")
PLAIN = "/?%:@!$&'()*+,;=~"  # characters of an address that stay as they are
TUNNEL = IPv6Network("2002::/16")  # 6to4: leads to any IPv4 address

Address = tuple[str, int]


class AddressRefused(Refused):
    """Nothing may be sent to this address."""


class NotSent(Exception):
    """It did not arrive; the message says why."""


@dataclass(frozen=True)
class Answer:
    """An answer; ``wait`` is for how many seconds it asked to be left alone.

    ``body`` is empty unless it was fetched.
    """

    status: int
    wait: int = 0
    body: bytes = b""

    @property
    def is_good(self) -> bool:
        return 200 <= self.status < 300

    @property
    def text(self) -> str:
        """Return the status with its name.

        >>> Answer(204).text, Answer(599).text
        ('204 No Content', '599')
        """
        names = {status.value: status.phrase for status in HTTPStatus}
        return f"{self.status} {names.get(self.status, '')}".rstrip()


def checked(address: str) -> SplitResult:
    """Return an address in its parts.

    :raises AddressRefused: if nothing may be sent there, as far as can be seen from its text.
    """
    try:
        parts = urlsplit(address)
        port, name = parts.port, (parts.hostname or "").encode("idna").decode()
    except (ValueError, UnicodeError):
        raise AddressRefused("This is not an address. Copy it again, from https:// on.") from None
    if settings.WEBHOOKS_ANYWHERE and parts.scheme == "http" and name:
        return parts
    if parts.scheme != "https" or not name:
        raise AddressRefused("Give an address that begins with https://.")
    if "@" in parts.netloc:
        raise AddressRefused("Give the address without a user name and password.")
    if settings.WEBHOOKS_ANYWHERE:
        return parts
    if port not in (None, PORT):
        raise AddressRefused(f"Give an address without a port: only {PORT} is allowed.")
    if is_literal(name) and not is_public(name):
        raise AddressRefused("This address is inside a private network. Give a public one.")
    return parts


def is_literal(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def is_public(address: str) -> bool:
    """Return whether an IP address belongs to the public internet, and to one machine there.

    >>> [is_public(ip) for ip in ("93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c")]
    [True, True]
    >>> [is_public(ip) for ip in ("127.0.0.1", "10.1.2.3", "169.254.169.254", "0.0.0.0", "::1")]
    [False, False, False, False, False]
    >>> [is_public(ip) for ip in ("224.0.0.1", "100.64.0.1", "::ffff:8.8.8.8", "64:ff9b::a00:1")]
    [False, False, False, False]
    """
    ip = ip_address(address.partition("%")[0])
    if not ip.is_global or ip.is_multicast or ip.is_reserved or ip.is_unspecified:
        return False
    return isinstance(ip, IPv4Address) or _is_public_6(ip)


def _is_public_6(ip: IPv6Address) -> bool:
    return ip in GLOBAL and ip not in TUNNEL


def post(address: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Post to an address, and return the head of the answer.

    :raises NotSent: if it can't be sent there, or nobody answers in time.
    """
    return asyncio.run(send(address, body, headers))


def fetch(address: str, headers: Mapping[str, str], most: int) -> Answer:
    """Get what is at an address, up to ``most`` bytes of it.

    :raises NotSent: if it can't be asked for, nobody answers in time, or there is more of it.
    """
    return asyncio.run(_within_time(address, "GET", b"", headers, most))


async def send(address: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Post to an address, in a loop that is running."""
    return await _within_time(address, "POST", body, headers, most=0)


async def _within_time(
    address: str, method: str, body: bytes, headers: Mapping[str, str], most: int
) -> Answer:
    try:
        async with asyncio.timeout(SECONDS):
            return await _send(checked(address), method, body, headers, most)
    except TimeoutError:
        raise NotSent(f"No answer within {SECONDS:g} seconds") from None
    except AddressRefused as refused:
        raise NotSent(str(refused)) from None
    except ssl.SSLCertVerificationError:
        raise NotSent("Its certificate is not valid") from None
    except (OSError, ssl.SSLError):
        raise NotSent("No connection") from None
    except (h11.ProtocolError, EOFError):
        raise NotSent("Its answer is not HTTP") from None


async def _send(
    parts: SplitResult, method: str, body: bytes, headers: Mapping[str, str], most: int
) -> Answer:
    name = (parts.hostname or "").encode("idna").decode()
    port = parts.port or (PORT if parts.scheme == "https" else 80)
    reader, writer = await _connect(await resolved(name, port), parts.scheme == "https", name)
    try:
        request = _request(parts, method, name, body, headers)
        return await _exchange(reader, writer, request, body, most)
    finally:
        writer.transport.abort()


def _request(
    parts: SplitResult, method: str, name: str, body: bytes, headers: Mapping[str, str]
) -> h11.Request:
    host = f"[{name}]" if ":" in name else name
    path, query = quote(parts.path or "/", PLAIN), quote(parts.query, PLAIN)
    return h11.Request(
        method=method,
        target=f"{path}?{query}" if query else path,
        headers=[
            ("Host", f"{host}:{parts.port}" if parts.port else host),
            ("Content-Length", str(len(body))),
            ("Connection", "close"),
            ("User-Agent", "coalition-table"),
            *headers.items(),
        ],
    )


async def resolved(name: str, port: int) -> Sequence[Address]:
    """Return the addresses of a name.

    :raises NotSent: if there are none, or any of them is in a private network.
    """
    loop = asyncio.get_running_loop()
    try:
        infos = await loop.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise NotSent("There is no such name") from None
    addresses = [info[4][:2] for info in infos]
    if not settings.WEBHOOKS_ANYWHERE and not all(is_public(str(ip)) for ip, _ in addresses):
        raise NotSent("Not sent: its address is inside a private network")
    return [(str(ip), int(port)) for ip, port in addresses]


async def _connect(
    addresses: Sequence[Address], is_encrypted: bool, name: str
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to the first of the addresses that lets us; its certificate must be the name's."""
    encryption = {"ssl": _trusted(), "server_hostname": name} if is_encrypted else {}
    problem: OSError = OSError("no address")
    for ip, port in addresses:
        try:
            return await asyncio.open_connection(ip, port, limit=HEAD_MAX, **encryption)  # type: ignore[arg-type]
        except ssl.SSLError:
            raise
        except OSError as error:
            problem = error
    raise problem


def _trusted() -> ssl.SSLContext:
    return ssl.create_default_context()


async def _exchange(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    request: h11.Request,
    body: bytes,
    most: int,
) -> Answer:
    """Send a request; return the head of the answer, with up to ``most`` bytes of its body."""
    http = h11.Connection(h11.CLIENT, max_incomplete_event_size=HEAD_MAX)
    for part in (request, h11.Data(data=body), h11.EndOfMessage()):
        writer.write(http.send(part) or b"")
    await writer.drain()
    answer, received = Answer(0), bytearray()
    while True:
        event = http.next_event()
        if isinstance(event, h11.Response):
            answer = Answer(event.status_code, _wait(event))
            if not most or not answer.is_good:
                return answer
        if isinstance(event, h11.Data):
            received += event.data
            if len(received) > most:
                raise NotSent(f"Its answer is larger than {most:,} bytes")
        if isinstance(event, h11.EndOfMessage):
            return replace(answer, body=bytes(received))
        if isinstance(event, h11.ConnectionClosed):
            raise EOFError
        if event is h11.NEED_DATA:
            http.receive_data(await reader.read(HEAD_MAX))


def _wait(response: h11.Response) -> int:
    values = [value for name, value in response.headers if name == b"retry-after"]
    return int(values[0]) if values and values[0].isdigit() and len(values[0]) < 9 else 0
