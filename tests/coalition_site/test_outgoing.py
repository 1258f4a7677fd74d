"""Posting to addresses that visitors typed: nothing inside the site's own network is reached."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from coalition_site.lib import outgoing
from coalition_site.lib.outgoing import (
    AddressRefused,
    Answer,
    NotSent,
    checked,
    fetch,
    is_public,
    post,
)
from tests.receiver import answering, receiving

PUBLIC, NAME = "93.184.215.14", "receiver.example"
NOT_PUBLIC = (
    *("127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254"),
    *("0.0.0.0", "0.1.2.3", "100.64.0.1", "198.18.0.1", "192.0.0.1", "192.0.2.1", "203.0.113.9"),
    *("224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"),
    *("::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "fec0::1", "ff02::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:93.184.215.14", "::127.0.0.1"),
    *("64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2001::1", "2001:db8::1", "100::1"),
)
REFUSED = {
    "http://receiver.example/": "Give an address that begins with https://.",
    "ftp://receiver.example/": "Give an address that begins with https://.",
    "//receiver.example/": "Give an address that begins with https://.",
    "https://": "Give an address that begins with https://.",
    "https:///news": "Give an address that begins with https://.",
    "news": "Give an address that begins with https://.",
    "https://me:secret@receiver.example/": "Give the address without a user name and password.",
    "https://receiver.example@127.0.0.1/": "Give the address without a user name and password.",
    "https://receiver.example:8443/": "Give an address without a port: only 443 is allowed.",
    "https://receiver.example:99999/": "This is not an address. Copy it again, from https:// on.",
    "https://[::1/": "This is not an address. Copy it again, from https:// on.",
    f"https://{'a' * 64}.example/": "This is not an address. Copy it again, from https:// on.",
} | {
    f"https://{host}/": "This address is inside a private network. Give a public one."
    for host in ("127.0.0.1", "10.0.0.1", "[::1]", "[fe80::1]", "[::ffff:127.0.0.1]")
}


@pytest.fixture(autouse=True)
def in_public(settings: Any) -> None:
    settings.WEBHOOKS_ANYWHERE = False


@pytest.fixture
def at_home(settings: Any, in_public: None) -> None:
    settings.WEBHOOKS_ANYWHERE = True


def resolves(monkeypatch: pytest.MonkeyPatch, *answers: tuple[str, ...]) -> list[str]:
    """Have names resolve to these addresses, each time to the next; return what was asked for."""
    asked: list[str] = []

    async def getaddrinfo(self: Any, host: str, port: int, **_: Any) -> list[Any]:
        asked.append(host)
        addresses = answers[min(len(asked), len(answers)) - 1]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port)) for ip in addresses]

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", getaddrinfo)
    return asked


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_an_address_that_is_not_of_the_public_internet_is_refused(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", [PUBLIC, "1.1.1.1", "2606:4700::1111", "2a00:1450:4001::1"])
def test_a_public_address_is_allowed(address):
    assert is_public(address)


@pytest.mark.parametrize(("address", "problem"), REFUSED.items())
def test_an_address_is_refused_with_what_to_do(address, problem):
    with pytest.raises(AddressRefused) as refused:
        checked(address)

    assert str(refused.value) == problem


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "2130706433", "0x7f.1", "127.1"])
def test_a_name_that_leads_to_this_machine_reaches_nobody(monkeypatch, host):
    with receiving() as receiver:
        monkeypatch.setattr(outgoing, "PORT", receiver.port)
        with pytest.raises(NotSent, match="Not sent: its address is inside a private network"):
            post(f"https://{host}/", b"{}", {})

        assert receiver.connections == 0


@pytest.mark.parametrize("inside", ["127.0.0.1", "10.0.0.1", "::1"])
def test_one_address_inside_among_public_ones_is_enough_to_refuse(monkeypatch, inside):
    resolves(monkeypatch, (PUBLIC, inside))

    with pytest.raises(NotSent, match="inside a private network"):
        post(f"https://{NAME}/", b"{}", {})


def test_a_name_that_leads_elsewhere_a_moment_later_is_connected_to_as_it_was_checked(monkeypatch):
    """DNS rebinding: the first answer is public, each later one is this machine."""
    asked = resolves(monkeypatch, (PUBLIC,), ("127.0.0.1",))
    connected: list[Any] = []

    async def connect(*where: Any, **how: Any) -> Any:
        connected.append((*where, how["server_hostname"]))
        raise ConnectionRefusedError

    monkeypatch.setattr(asyncio, "open_connection", connect)

    with pytest.raises(NotSent, match="No connection"):
        post(f"https://{NAME}/", b"{}", {})

    assert (asked, connected) == ([NAME], [(PUBLIC, 443, NAME)])


def test_what_is_connected_to_is_an_address_that_nobody_resolves_again(monkeypatch, at_home):
    with receiving() as receiver:
        asked: list[str] = []
        real = asyncio.BaseEventLoop.getaddrinfo

        async def getaddrinfo(self: Any, host: str, *args: Any, **how: Any) -> Any:
            asked.append(host)
            return await real(self, host, *args, **how)

        monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", getaddrinfo)
        post(receiver.address, b"{}", {})

    assert [host for host in asked if host != "127.0.0.1" and host != "::1"] == ["localhost"]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(at_home, status):
    with receiving() as inside:
        moved = {"Location": f"http://127.0.0.1:{inside.port}/"}
        with receiving(status=status, headers=moved) as receiver:
            answer = post(receiver.address, b"{}", {})

    assert (answer.status, answer.is_good) == (status, False)
    assert (len(receiver.requests), inside.connections) == (1, 0)


def test_what_is_sent_arrives_as_it_is(at_home):
    with receiving() as receiver:
        body = '{"name": "Ann “the elf” Ö"}'.encode()
        answer = post(receiver.address, body, {"Content-Type": "application/json", "X-A": "b"})

    ((path, headers, received),) = receiver.requests
    assert (answer, path, received.encode()) == (Answer(204), "/news?to=us", body)
    assert headers == {
        "Host": f"localhost:{receiver.port}",
        "Content-Length": str(len(body)),
        "Connection": "close",
        "User-Agent": "coalition-table",
        "Content-Type": "application/json",
        "X-A": "b",
    }


def test_a_line_break_in_an_address_makes_no_second_header(at_home):
    with receiving() as receiver:
        address = f"http://localhost:{receiver.port}/a\r\nX-Evil: 1\r\n/é?b=\x01 c"
        post(address, b"{}", {})

    ((path, headers, _),) = receiver.requests
    assert path == "/aX-Evil:%201/%C3%A9?b=%01%20c"
    assert "X-Evil" not in headers


@pytest.mark.parametrize(("said", "wait"), [("7", 7), ("soon", 0), ("9" * 20, 0)])
def test_a_receiver_says_how_long_to_leave_it_alone(at_home, said, wait):
    with receiving(status=429, headers={"Retry-After": said}) as receiver:
        assert post(receiver.address, b"{}", {}) == Answer(429, wait)


# --- limits ---
@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch, at_home: None) -> None:
    monkeypatch.setattr(outgoing, "SECONDS", 0.3)


@pytest.mark.parametrize(
    ("answer", "endless"),
    [
        (b"", b""),
        (b"HTTP/1.1 200 OK\r\nX: ", b"x"),
        (b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 100 Continue\r\n\r\n"),
    ],
    ids=["nothing", "drop by drop", "always about to"],
)
def test_an_answer_that_does_not_end_is_waited_for_so_long_and_no_longer(hasty, answer, endless):
    with (
        answering(answer, endless) as (port, _),
        pytest.raises(NotSent, match="No answer within"),
    ):
        post(f"http://localhost:{port}/", b"{}", {})


@pytest.mark.parametrize(
    "answer",
    [b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000, b"SSH-2.0-OpenSSH_9\r\n", b"\0" * 20_000],
    ids=["a long head", "another protocol", "nonsense"],
)
def test_an_answer_that_is_too_long_or_no_http_is_not_read_on(at_home, answer):
    with answering(answer) as (port, _), pytest.raises(NotSent, match="Its answer is not HTTP"):
        post(f"http://localhost:{port}/", b"{}", {})


def test_of_a_good_answer_only_the_head_is_read(at_home):
    with answering(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 65_536) as (port, _):
        assert post(f"http://localhost:{port}/", b"{}", {}) == Answer(200)


def test_a_name_that_nobody_has_and_a_port_where_nobody_listens_are_told(at_home):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    with pytest.raises(NotSent, match="No connection"):
        post(f"http://localhost:{port}/", b"{}", {})
    with pytest.raises(NotSent, match="There is no such name"):
        post("http://nobody.invalid/", b"{}", {})


# --- encryption ---
Certified = Callable[[str], ssl.SSLContext]


@pytest.fixture
def certified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Certified:
    """Return a server's encryption for a name, by an authority that is trusted here."""
    key = ec.generate_private_key(ec.SECP256R1())

    def signed(name: str) -> ssl.SSLContext:
        certificate = _certificate(key, name)
        (tmp_path / "pem").write_bytes(
            certificate.public_bytes(serialization.Encoding.PEM)
            + key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        trusted = ssl.create_default_context(cafile=str(tmp_path / "pem"))
        monkeypatch.setattr(outgoing, "_trusted", lambda: trusted)
        encryption = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        encryption.load_cert_chain(tmp_path / "pem")
        return encryption

    return signed


def _certificate(key: ec.EllipticCurvePrivateKey, name: str) -> x509.Certificate:
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(subject)
    builder = builder.public_key(key.public_key()).serial_number(1)
    builder = builder.not_valid_before(now - timedelta(1)).not_valid_after(now + timedelta(1))
    names = x509.SubjectAlternativeName([x509.DNSName(name)])
    builder = builder.add_extension(names, critical=False)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    return builder.sign(key, hashes.SHA256())


@pytest.mark.parametrize("name", [NAME, "other.example"])
def test_the_certificate_must_be_of_the_name_though_the_address_is_connected_to(
    monkeypatch, at_home, certified, name
):
    resolves(monkeypatch, ("127.0.0.1",))
    with receiving(certified(name)) as receiver:
        where = f"https://{NAME}:{receiver.port}/"
        if name == NAME:
            assert post(where, b"{}", {}) == Answer(204)
        else:
            with pytest.raises(NotSent, match="Its certificate is not valid"):
                post(where, b"{}", {})

    assert len(receiver.requests) == (name == NAME)


# --- fetching ---
HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n"
UNTIL_THE_END = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello"


@pytest.mark.parametrize("answer", [HEAD + b"hello", CHUNKED, UNTIL_THE_END])
def test_what_is_fetched_arrives_whole(at_home, answer):
    with answering(answer) as (port, _):
        assert fetch(f"http://localhost:{port}/", {}, most=5) == Answer(200, body=b"hello")


@pytest.mark.parametrize("answer", [HEAD + b"hello", CHUNKED, UNTIL_THE_END])
def test_what_is_larger_than_was_asked_for_is_not_fetched(at_home, answer):
    with (
        answering(answer) as (port, _),
        pytest.raises(NotSent, match="Its answer is larger than 4 bytes"),
    ):
        fetch(f"http://localhost:{port}/", {}, most=4)


@pytest.mark.parametrize("endless", [b"", b"x"])
def test_what_does_not_end_is_not_fetched(hasty, endless):
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"
    if not endless:
        head = b""
    with (
        answering(head, endless) as (port, _),
        pytest.raises(NotSent, match="No answer within"),
    ):
        fetch(f"http://localhost:{port}/", {}, most=1_000_000)


def test_what_breaks_off_is_not_fetched(at_home):
    with (
        answering(HEAD + b"hel") as (port, _),
        pytest.raises(NotSent, match="Its answer is not HTTP"),
    ):
        fetch(f"http://localhost:{port}/", {}, most=5)


def test_a_redirect_is_answered_and_not_followed(at_home):
    with answering(b"") as (inside, connected):
        to = f"Location: http://localhost:{inside}/\r\n".encode()
        with answering(b"HTTP/1.1 302 Found\r\n" + to + b"\r\n") as (port, _):
            assert fetch(f"http://localhost:{port}/", {}, most=5) == Answer(302)

        assert connected == []


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
def test_nothing_inside_the_network_is_fetched(host):
    with receiving() as receiver:
        with pytest.raises(NotSent, match="inside a private network"):
            fetch(f"https://{host}/", {}, most=5)

        assert receiver.connections == 0
