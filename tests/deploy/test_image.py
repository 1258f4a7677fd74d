"""The image, made by hand as the Dockerfile makes it, and started as in production."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import pytest

from tests.bench.server import free_port

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60  # seconds until a server that does not start has failed
PROXIED = {"Host": "table.example.org", "X-Forwarded-Proto": "https"}
SETTINGS = {
    "COALITION_HTTPS": "1",
    "COALITION_HOSTS": "table.example.org",
    "COALITION_SECRET_KEY": "kX3-a9" * 9,
    "COALITION_LOGS": "json",
}
OURS = ("COALITION_", "DJANGO_", "DATABASE_", "PYTHON")


@pytest.fixture
def built(tmp_path: Path) -> Path:
    into = tmp_path / "app"
    build = [str(ROOT / "deploy/build.sh"), str(into)]
    subprocess.run(build, check=True, env=outside() | {"PYTHON": sys.executable})
    return into


def outside() -> dict[str, str]:
    return {name: said for name, said in os.environ.items() if not name.startswith(OURS)}


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return outside() | SETTINGS | {"DATABASE_URL": f"sqlite:///{tmp_path / 'site.sqlite3'}"}


def manage(built: Path, *command: str) -> list[str]:
    return [str(built / "venv/bin/python"), str(built / "site/manage.py"), *command]


@pytest.fixture
def port(built: Path, environment: dict[str, str]) -> Iterator[int]:
    port = free_port()
    command = manage(built, "serve", "--host", "127.0.0.1", "--port", str(port))
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as served:
        try:
            give_up, is_up = time.monotonic() + PATIENCE, False
            while not is_up:
                assert served.poll() is None, "the site ended"
                assert time.monotonic() < give_up, "the site did not start"
                time.sleep(0.05)
                with suppress(OSError, HTTPException):
                    is_up = ask(port, "/healthz")[0] == 200
            yield port
        finally:
            served.terminate()
    assert served.returncode in (0, -signal.SIGTERM)


def ask(port: int, path: str, headers: dict[str, str] | None = None) -> tuple[int, str, Any]:
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", path, headers=headers or {})
    answer = connection.getresponse()
    found = answer.status, answer.read().decode(), answer.headers
    connection.close()
    return found


def files(folder: Path) -> dict[str, int]:
    """Return each file below a folder, and when it was written."""
    return {str(one): one.stat().st_mtime_ns for one in folder.rglob("*") if one.is_file()}


@pytest.mark.long
def test_the_image_serves_the_site_and_writes_nothing_into_itself(built, environment, port):
    before = files(built)

    status, words, _ = ask(port, "/readyz")
    assert (status, words.startswith("Run manage.py migrate: ")) == (503, True)
    subprocess.run(manage(built, "migrate", "--verbosity", "0"), env=environment, check=True)

    assert ask(port, "/readyz")[:2] == (200, "Ready.\n")
    status, page, headers = ask(port, "/", PROXIED)
    assert (status, headers["Strict-Transport-Security"]) == (200, "max-age=31536000")
    assert re.fullmatch("[0-9a-f]{32}", headers["X-Request-ID"])
    style = re.search(r'href="(/static/site\.[0-9a-f]{12}\.css)"', page)
    assert style
    assert ask(port, style[1], PROXIED)[0] == 200
    assert ask(port, "/", {"Host": "table.example.org"})[0] == 301
    assert ask(port, "/", PROXIED | {"Host": "evil.example"})[0] == 400
    assert files(built) == before
    # No secret, and nothing that only developers need.
    found = {one.name for one in (built / "site").iterdir()} - {"__pycache__"}
    assert found == set(
        "LICENSE coalition_site decks manage.py scoring static templates var".split()
    )
    assert {one.name for one in (built / "site/var").iterdir()} == {"static"}
    assert not [one for name in ("pytest", "pip") for one in (built / "venv/lib").rglob(name)]


def test_a_folder_that_is_there_stays_as_it_is(tmp_path):
    (tmp_path / "kept").write_text("kept")

    done = subprocess.run(
        [str(ROOT / "deploy/build.sh"), str(tmp_path)], capture_output=True, text=True, check=False
    )

    told = f"{tmp_path} is there already: name a new folder.\n"
    assert (done.returncode, done.stderr, os.listdir(tmp_path)) == (1, told, ["kept"])


def test_a_build_that_fails_leaves_no_folder_and_can_be_repeated(tmp_path):
    python = tmp_path / "python-without-a-net"
    python.write_text(f'#!/bin/sh\n[ "$2" = venv ] && exec {sys.executable} "$@"\nexit 1\n')
    python.chmod(0o755)
    build = [str(ROOT / "deploy/build.sh"), str(tmp_path / "new")]

    done = subprocess.run(build, env=os.environ | {"PYTHON": str(python)}, check=False)

    assert (done.returncode, os.listdir(tmp_path)) == (1, [python.name])
