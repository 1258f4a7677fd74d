"""A real site for a real browser: the app behind uvicorn, and Chromium as a phone."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from django.db import connections

from .chromium import ARGUMENTS, find_chromium

# Playwright keeps an event loop in the thread of the tests, where Django would refuse to work.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"

HERE = Path(__file__).parent
PHONE = {"width": 393, "height": 852}
LOUD = "!!! No Chromium found: THE BROWSER TESTS DID NOT RUN."
PATIENCE = 10  # seconds until a server that does not start or stop has failed


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


class Site:
    """The app served on a free port, until it is stopped."""

    def __init__(self, application: Any) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        config = uvicorn.Config(
            application,
            access_log=False,
            log_level="warning",
            lifespan="off",
            timeout_graceful_shutdown=1,
        )
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, args=([self.socket],))

    def start(self) -> None:
        self.thread.start()
        give_up = time.monotonic() + PATIENCE
        while not self.server.started:
            assert time.monotonic() < give_up, "the site did not start"
            time.sleep(0.01)

    def stop(self) -> None:
        """Stop answering; the port is free afterwards."""
        self.server.should_exit = True
        self.thread.join(PATIENCE)
        self.socket.close()
        assert not self.thread.is_alive(), "the site did not stop"


@pytest.fixture
def site(transactional_db: None) -> Iterator[Site]:
    """Serve the app, over the database of the test."""
    from coalition_site.asgi import application

    # The threads of the server keep no connection that would outlive the test's database.
    kept = connections.settings["default"]["CONN_MAX_AGE"]
    connections.settings["default"]["CONN_MAX_AGE"] = 0
    served = Site(application)
    served.start()
    yield served
    served.stop()
    connections.settings["default"]["CONN_MAX_AGE"] = kept


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Start the Chromium of this machine; without one skip, but not where tests must run."""
    path = find_chromium()
    if path is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(LOUD)
    return {"executable_path": path, "args": ARGUMENTS}


@pytest.fixture
def browser_context_args(site: Site) -> dict[str, Any]:
    """Be a phone, held upright."""
    return {"base_url": site.address, "viewport": PHONE, "has_touch": True, "is_mobile": True}
