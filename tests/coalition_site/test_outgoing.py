"""Asking other sites: in so many seconds and bytes, with a certificate, and nobody else."""

import socket
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from coalition_site.lib import outgoing
from coalition_site.lib.outgoing import Answer, ask
from tests.receiver import answering, receiving

HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n"
UNTIL_THE_END = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello"


def test_what_is_sent_arrives_as_it_is_and_by_no_proxy(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://localhost:1")
    with receiving() as receiver:
        body = '{"name": "Ann “the elf” Ö"}'.encode()
        answer = ask("POST", receiver.address, {"Content-Type": "application/json"}, body)

    ((path, headers, received),) = receiver.requests
    assert (answer, path, received.encode()) == (Answer(204), "/news?to=us", body)
    assert headers["Content-Type"] == "application/json"
    assert headers["User-Agent"] == "coalition-table"


@pytest.mark.parametrize("status", [302, 307])
def test_a_redirect_is_answered_and_not_followed(status):
    with receiving() as inside:
        moved = {"Location": inside.address}
        with receiving(status=status, headers=moved) as receiver:
            answer = ask("POST", receiver.address, {}, b"{}", most=5)

    assert (answer, answer.is_good) == (Answer(status), False)
    assert (len(receiver.requests), inside.connections) == (1, 0)


@pytest.mark.parametrize(("said", "wait"), [("7", 7), ("soon", 0), ("9" * 20, 0)])
def test_a_receiver_says_how_long_to_leave_it_alone(said, wait):
    with receiving(status=429, headers={"Retry-After": said}) as receiver:
        assert ask("POST", receiver.address, {}) == Answer(429, wait)


def test_of_the_answer_to_a_post_only_the_head_is_read():
    with answering(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 65_536) as address:
        assert ask("POST", address, {}) == Answer(200)


@pytest.mark.parametrize("answer", [HEAD + b"hello", CHUNKED, UNTIL_THE_END])
def test_what_is_fetched_arrives_whole_or_not_at_all(answer):
    with answering(answer) as address:
        assert ask("GET", address, {}, most=5) == Answer(200, body=b"hello")
        larger = Answer(0, problem="Its answer is larger than 4 bytes")
        assert ask("GET", address, {}, most=4) == larger


LATE = "No answer within 0.3 seconds"
ODD = "Its answer is not HTTP"


@pytest.mark.parametrize(
    ("answer", "endless", "told"),
    [
        (b"", b"", LATE),
        (b"HTTP/1.1 200 OK\r\nX: ", b"x", LATE),
        (b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 100 Continue\r\n\r\n", LATE),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", b"x", LATE),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 1_000_000, b"", ODD),  # a long head
        (b"SSH-2.0-OpenSSH_9\r\n", b"", ODD),
        (b"\0" * 20_000, b"", ODD),
        (HEAD + b"hel", b"", ODD),  # half of it
    ],
    ids=range(8),
)
def test_an_answer_without_an_end_is_not_waited_for_and_one_that_is_no_http_not_read_on(
    monkeypatch, answer, endless, told
):
    monkeypatch.setattr(outgoing, "SECONDS", 0.3)
    with answering(answer, endless) as address:
        assert ask("GET", address, {}, most=1_000_000) == Answer(0, problem=told)


def test_where_nobody_listens_there_is_no_connection():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    for host in (f"localhost:{port}", "nobody.invalid"):
        assert ask("POST", f"http://{host}/", {}) == Answer(0, problem="No connection")


def test_nothing_is_sent_to_a_site_without_a_valid_certificate(tmp_path):
    encryption = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    encryption.load_cert_chain(self_signed(tmp_path / "pem"))
    with receiving(encryption) as receiver:
        answer = ask("POST", receiver.address, {})

    assert answer == Answer(0, problem="Its certificate is not valid")
    assert receiver.requests == []


def self_signed(path: Path) -> Path:
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    names = x509.SubjectAlternativeName([x509.DNSName("localhost")])
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1).add_extension(names, False)
    builder = builder.not_valid_before(now - timedelta(1)).not_valid_after(now + timedelta(1))
    form, no_password = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    pem = serialization.Encoding.PEM
    certificate = builder.sign(key, hashes.SHA256()).public_bytes(pem)
    path.write_bytes(certificate + key.private_bytes(pem, form, no_password))
    return path
