"""What the tests of the walls share."""

from copy import deepcopy
from typing import Any

import pytest

from .world import World, build


@pytest.fixture(scope="module")
def built(shared_rows: Any) -> World:
    with shared_rows():
        return build()


@pytest.fixture
def world(built: World, db: None) -> World:
    return deepcopy(built)
