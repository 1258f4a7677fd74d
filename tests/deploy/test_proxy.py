"""What deploy/Caddyfile lets through: a real Caddy, before an app that tells what it got."""

import json
import os
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from coalition_site.serving import SERVED
from scoring.live import hub
from tests.bench.server import free_port
from tests.needs import need

CADDYFILE = Path(__file__).resolve().parents[2] / "deploy/Caddyfile"
LOG = "caddy.log"
PATIENCE = 20  # seconds; only a failure waits so long
IDLE = 120  # seconds for which Caddy, by default, keeps an idle connection to the app


class App(ThreadingHTTPServer):
    daemon_threads = True
    taken = 0
    goes_on, is_cut = threading.Event(), threading.Event()


class Handler(BaseHTTPRequestHandler):
    server: App

    def do_GET(self) -> None:
        if self.path.startswith("/broken/"):
            self.close_connection = True
            return
        self.send_response(200)
        self.send_header("Strict-Transport-Security", "max-age=1")
        self.end_headers()
        if self.path.startswith("/endless/"):
            self.close_connection = True
            with suppress(ConnectionError):
                while True:
                    self.wfile.write(bytes(1_000_000))
            self.server.is_cut.set()
        elif self.path.startswith("/live/"):
            self.wfile.write(b"data: 1\n\n")
            self.server.goes_on.wait(PATIENCE)
        else:
            told = [(name.lower(), value) for name, value in self.headers.items()]
            self.wfile.write(json.dumps(told).encode())

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        if len(self.rfile.read(length)) == length:
            self.server.taken += 1
            self.do_GET()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def app() -> Iterator[App]:
    with App(("127.0.0.1", 0), Handler) as app:
        threading.Thread(target=app.serve_forever, daemon=True).start()
        yield app
        app.goes_on.set()
        app.shutdown()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("caddy")


@pytest.fixture(scope="module")
def ports(app: App, folder: Path) -> Iterator[tuple[int, int]]:
    with proxy(app.server_port, folder) as ports:
        yield ports


@contextmanager
def proxy(app: int, folder: Path, **settings: str) -> Iterator[tuple[int, int]]:
    """Run a Caddy before the app at a port, and give its own ports for http and https."""
    http, https = free_port(), free_port()
    environment = {
        "SITE": "localhost",
        "APP": f"127.0.0.1:{app}",
        "HTTP_PORT": str(http),
        "HTTPS_PORT": str(https),
        "PATIENCE": "1s",
        **dict.fromkeys(("XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME"), str(folder)),
        **settings,
    }
    with (
        (folder / LOG).open("wb") as said,
        subprocess.Popen(caddy("run"), env=environment, stderr=said) as process,
    ):
        try:
            give_up, is_up = time.monotonic() + PATIENCE, False
            while not is_up:
                assert time.monotonic() < give_up, "Caddy did not start"
                time.sleep(0.05)
                with suppress(OSError):
                    open_to(https).close()
                    is_up = True
            yield http, https
        finally:
            process.terminate()


def caddy(command: str) -> list[str]:
    program = need("caddy", "THE PROXY")
    return [program, command, "--config", str(CADDYFILE), "--adapter", "caddyfile"]


def open_to(port: int) -> HTTPSConnection:
    """Return a connection over TLS; the certificate is Caddy's own, whose issuer nobody knows."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connection = HTTPSConnection("localhost", port, timeout=PATIENCE, context=context)
    connection.connect()
    return connection


@contextmanager
def asked(port: int, *request: Any, **options: Any) -> Iterator[HTTPResponse]:
    """Ask the proxy, and keep the connection open meanwhile; headers go out as they are spelled."""
    with closing(open_to(port)) as connection:
        connection.request(*request, **options)
        with connection.getresponse() as answer:
            yield answer


@pytest.mark.parametrize("between", ["-", "_"])
def test_what_a_visitor_says_of_where_he_comes_from_does_not_pass(ports, between):
    lies = {
        "X-Forwarded-For": "203.0.113.9, 198.51.100.1",
        "X-Forwarded-Proto": "http",
        "X-Forwarded-Host": "evil.example",
        "X-Request-ID": "chosen-by-me",
    }
    spelled = {name.replace("-", between): value for name, value in lies.items()}

    with asked(ports[1], "GET", "/", headers=spelled) as answer:
        got: dict[str, list[str]] = {}
        for name, value in json.loads(answer.read()):
            got.setdefault(name, []).append(value)

    assert not [name for name in got if "_" in name]
    assert got["x-forwarded-for"] in (["127.0.0.1"], ["::1"])
    assert got["x-forwarded-proto"] == ["https"]
    assert got["x-forwarded-host"] == [f"localhost:{ports[1]}"]
    (number,) = got["x-request-id"]
    assert (len(number), number.replace("-", "").isalnum()) == (36, True)


def test_plain_http_is_led_to_https_where_no_header_is_doubled_nor_says_what_runs(ports):
    with closing(HTTPConnection("localhost", ports[0], timeout=PATIENCE)) as connection:
        connection.request("GET", "/bans/")
        answer = connection.getresponse()
        assert (answer.status, answer.headers["Location"]) == (308, "https://localhost/bans/")

    with asked(ports[1], "GET", "/") as answer:
        assert answer.headers.get_all("Strict-Transport-Security") == ["max-age=1"]
        assert answer.headers["Server"] is None


def test_a_stream_goes_out_word_by_word(ports, app):
    with asked(ports[1], "GET", "/live/s/22222222/") as answer:
        assert answer.readline() == b"data: 1\n"
        assert not app.goes_on.is_set()  # the app has more to say
        app.goes_on.set()


@pytest.mark.parametrize(
    ("path", "size", "too_much"),
    [("/groups/import/", 3_050_000, 3_150_000), ("/decks/check/", 1_900_000, 2_100_000)],
)
def test_more_than_the_app_would_take_is_not_passed_on(ports, app, path, size, too_much):
    with asked(ports[1], "POST", path, b"x" * size) as taken:
        assert taken.status == 200
    taken_before = app.taken

    with suppress(OSError), asked(ports[1], "POST", path, b"x" * too_much) as refused:
        assert refused.status in (413, 503)  # Caddy before 2.7 takes it for the app's fault
    assert app.taken == taken_before


def test_while_the_app_is_away_visitors_read_so_and_no_secret_link_is_logged(ports, folder):
    with asked(ports[1], "GET", "/broken/s/22222222/key/the-key/") as answer:
        found = (answer.status, answer.headers["Retry-After"], answer.headers["Server"])
        words = answer.read().decode()

    assert (found, words) == (
        (503, "10", None),
        "The site is not there now. Nothing was changed. Try again in a minute.",
    )
    assert "the-key" not in (folder / LOG).read_text()


def test_a_client_that_does_not_read_is_cut_off(app, tmp_path):
    with (
        proxy(app.server_port, tmp_path, ANSWER_WITHIN="1s") as (_, https),
        asked(https, "GET", "/endless/"),
    ):
        assert app.is_cut.wait(PATIENCE)


def test_no_stream_is_cut_off_before_its_end():
    environment = os.environ | {"SITE": "localhost", "APP": "127.0.0.1:8000"}
    adapted = subprocess.run(caddy("adapt"), env=environment, check=True, capture_output=True)
    (server,) = json.loads(adapted.stdout)["apps"]["http"]["servers"].values()

    assert server["write_timeout"] > (hub.LASTS + hub.BEAT) * 1e9


def test_the_app_keeps_an_idle_connection_for_longer_than_caddy_does():
    assert SERVED["timeout_keep_alive"] > IDLE
