"""The image, made by hand as the Dockerfile makes it, and started as in production."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from tests.bench.server import Server, running

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
def site(built: Path, tmp_path: Path) -> Iterator[Server]:
    site = Server("", root=built / "site")
    site.python = str(built / "venv/bin/python")
    database = {"DATABASE_URL": f"sqlite:///{tmp_path / 'site.sqlite3'}"}
    site.environment = outside() | SETTINGS | database
    with running(site):
        yield site
    assert site.process.returncode in (0, -signal.SIGTERM)


def ask(site: Server, path: str, headers: dict[str, str] | None = None) -> tuple[int, str, Any]:
    with closing(HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)) as connection:
        connection.request("GET", path, headers=headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), answer.headers


def files(folder: Path) -> dict[str, int]:
    """Return each file below a folder, and when it was written."""
    return {str(one): one.stat().st_mtime_ns for one in folder.rglob("*") if one.is_file()}


@pytest.mark.long
def test_the_image_serves_the_site_and_writes_nothing_into_itself(built, site):
    before = files(built)

    status, words, _ = ask(site, "/readyz")
    assert (status, words.startswith("Run manage.py migrate: ")) == (503, True)
    site.manage("migrate", "-v0")

    assert ask(site, "/readyz")[:2] == (200, "Ready.\n")
    status, page, headers = ask(site, "/", PROXIED)
    assert (status, headers["Strict-Transport-Security"]) == (200, "max-age=31536000")
    assert re.fullmatch("[0-9a-f]{32}", headers["X-Request-ID"])
    style = re.search(r'href="(/static/site\.[0-9a-f]{12}\.css)"', page)
    assert style
    assert ask(site, style[1], PROXIED)[0] == 200
    assert ask(site, "/", {"Host": "table.example.org"})[0] == 301
    assert ask(site, "/", PROXIED | {"Host": "evil.example"})[0] == 400
    assert files(built) == before
    # No secret, and nothing that only developers need.
    found = {one.name for one in (built / "site").iterdir()} - {"__pycache__"}
    assert found == set(
        "LICENSE coalition_site decks manage.py scoring static templates var".split()
    )
    assert {one.name for one in (built / "site/var").iterdir()} == {"static"}
    assert not [one for name in ("pytest", "pip") for one in (built / "venv/lib").rglob(name)]


def test_a_build_leaves_a_folder_that_is_there_as_it_is_and_none_when_it_fails(tmp_path):
    kept, python = tmp_path / "kept", tmp_path / "python-without-a-net"
    kept.mkdir()
    python.write_text(f'#!/bin/sh\n[ "$2" = venv ] && exec {sys.executable} "$@"\nexit 1\n')
    python.chmod(0o755)

    def build(into: Path) -> tuple[int, str]:
        command, environment = [ROOT / "deploy/build.sh", into], os.environ | {"PYTHON": python}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    assert build(kept) == (1, f"{kept} is there already: name a new folder.\n")
    assert build(tmp_path / "new")[0] == 1
    assert sorted(os.listdir(tmp_path)) == [kept.name, python.name]
