"""What the tests of the walls share."""

from __future__ import annotations

import pytest

from .world import World, build


@pytest.fixture
def world(db: None) -> World:
    """One of everything, and an account for each role."""
    return build()
