"""What the tests of decks and ban lists share."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(autouse=True)
def _nothing_collected(settings: Any) -> None:
    """Serve static files from where they are written, not from where they are collected."""
    settings.STATIC_ROOT = None
