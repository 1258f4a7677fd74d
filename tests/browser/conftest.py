"""A real site for a real browser: the app behind uvicorn, and Chromium as a phone."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from scoring.models import GameSet
from scoring.record import commands
from scoring.rules.formats import COALITION_906
from tests.needs import lack
from tests.scoring.tables import address
from tests.serving import Site, serving

from .chromium import ARGUMENTS, find_chromium
from .hand import STEADY, keep_score, kept_open, reception
from .looks import seat

# Playwright keeps an event loop in the thread of the tests, where Django would refuse to work.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
expect.set_options(timeout=20_000)  # milliseconds: a busy machine is slow, and not wrong

HERE = Path(__file__).parent
PHONE = {"width": 393, "height": 852}
# Of a visitor who has been here: a page with times loads itself again at the first visit.
ZONE = {"name": "zone", "value": "UTC", "domain": "127.0.0.1", "path": "/"}
WITHOUT_WORKER = "delete Navigator.prototype.serviceWorker;"  # as browsers do on plain http


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(autouse=True, scope="session")
def _axe_looks_once(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> None:
    folder = tmp_path_factory.getbasetemp()
    shared = folder if worker_id == "master" else folder.parent
    os.environ["SEEN_BY_AXE"] = str(shared / "seen-by-axe")


@pytest.fixture
def site(transactional_db: None) -> Iterator[Site]:
    with serving() as served:
        yield served


@pytest.fixture
def table(site: Site, request: pytest.FixtureRequest) -> GameSet:
    """Four players in their first game, Ann to begin; of another ruleset by ``parametrize``."""
    return seat(4, ruleset=getattr(request, "param", COALITION_906))


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Start the Chromium of this machine; without one skip, but not where tests must run."""
    path = find_chromium() or lack("THE BROWSER TESTS", "apt-get install chromium-headless-shell")
    return {"executable_path": path, "args": ARGUMENTS}


@pytest.fixture
def browser_context_args(site: Site) -> dict[str, Any]:
    return {
        "base_url": site.address,
        "viewport": PHONE,
        "has_touch": True,
        "is_mobile": True,
        "timezone_id": "UTC",
        "storage_state": {"cookies": [ZONE]},
    }


@pytest.fixture
def new_context(new_context: Callable[..., BrowserContext]) -> Callable[..., BrowserContext]:
    """Return a way to open a browser of somebody with a steady finger.

    It has a service worker only if that is asked for: each page that is opened has it fetch all
    that the page is made of, and requests that it makes are not caught.
    """

    def make(*, worker: bool = False, **how: Any) -> BrowserContext:
        context = new_context(**how)
        context.add_init_script(STEADY if worker else STEADY + WITHOUT_WORKER)
        return context

    return make


@pytest.fixture
def pad(page: Page, site: Site, table: GameSet) -> Page:
    """The only phone that keeps the score, with the pad open."""
    keep_score(page, site, table)
    reception(page, "Live")
    return page


@pytest.fixture
def kept(phone: Callable[..., Page]) -> Page:
    """A phone with the pad open that could keep the score without a connection."""
    page = phone(worker=True)
    kept_open(page)
    return page


@pytest.fixture
def phone(new_context, site: Site, table: GameSet) -> Callable[..., Page]:
    """Return a way to open the pad on one phone more, with the scorekeeper link."""
    key = f"the-key-of-{table.code}"
    commands.change_key(table, key)

    def take_out(*, worker: bool = False) -> Page:
        context = new_context(worker=worker)
        context.add_cookies([{"name": f"key-{table.code}", "value": key, "url": site.address}])
        page = context.new_page()
        page.goto(address(table, "score"))
        reception(page, "Live")
        return page

    return take_out
