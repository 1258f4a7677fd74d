"""A real site for a real browser: the app behind uvicorn, and Chromium as a phone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.needs import lack
from tests.serving import Site, serving

from .chromium import ARGUMENTS, find_chromium

# Playwright keeps an event loop in the thread of the tests, where Django would refuse to work.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
expect.set_options(timeout=20_000)  # milliseconds: a busy machine is slow, and not wrong

HERE = Path(__file__).parent
PHONE = {"width": 393, "height": 852}
# Of a visitor who has been here: a page with times loads itself again at the first visit.
ZONE = {"name": "zone", "value": "UTC", "domain": "127.0.0.1", "path": "/"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture
def site(transactional_db: None) -> Iterator[Site]:
    """Serve the app, over the database of the test."""
    with serving() as served:
        yield served


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Start the Chromium of this machine; without one skip, but not where tests must run."""
    path = find_chromium() or lack("THE BROWSER TESTS", "apt-get install chromium-headless-shell")
    return {"executable_path": path, "args": ARGUMENTS}


@pytest.fixture
def browser_context_args(site: Site) -> dict[str, Any]:
    """Be a phone, held upright."""
    return {
        "base_url": site.address,
        "viewport": PHONE,
        "has_touch": True,
        "is_mobile": True,
        "timezone_id": "UTC",
        "storage_state": {"cookies": [ZONE]},
    }
