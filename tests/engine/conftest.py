"""The site as docker-compose.yml runs it, and a phone that reaches it through Caddy over TLS."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.chromium import ARGUMENTS, find_chromium
from tests.needs import lack

from . import engine
from .engine import Installation

TESTS = "THE COMPOSE FILE IN AN ENGINE"
FOLDER = Path(os.environ.get("ENGINE_FOLDER", "/var/lib/coalition-engine"))
LONGEST = 1200  # seconds for one test: the first one builds all images


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    is_asked = os.environ.get("WITH_ENGINE") == "1"
    for item in items:
        if Path(__file__).parent not in item.path.parents:
            continue
        item.add_marker(pytest.mark.timeout(LONGEST))
        if not is_asked:
            item.add_marker(pytest.mark.skip(f"!!! {TESTS} NOT RUN: `make harden` as root does it"))


@pytest.fixture(scope="session", autouse=True)
def _engine_may_run() -> None:
    if obstacle := engine.obstacle(FOLDER):
        lack(TESTS, obstacle)


@pytest.fixture(scope="session")
def installation() -> Iterator[Installation]:
    running = engine.running(FOLDER)
    running.make_stand_ins()
    made = Installation(running)
    made.copy()
    made.fill_in()
    made.compose("down", "--volumes", "--remove-orphans")
    made.build()
    made.up()
    yield made
    made.compose("down", "--volumes")
    engine.stop(running)


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    path = find_chromium() or lack(TESTS, "apt-get install chromium-headless-shell")
    return {"executable_path": path, "args": ARGUMENTS}


@pytest.fixture
def browser_context_args(installation: Installation) -> dict[str, Any]:
    """Be a phone that trusts the proxy's own authority."""
    phone: dict[str, Any] = {"viewport": {"width": 393, "height": 852}, "has_touch": True}
    return phone | {"base_url": "https://localhost", "ignore_https_errors": True}
