"""What tests of the finder share."""

from __future__ import annotations

import pytest

from decks.counted import PLAYED


@pytest.fixture(autouse=True)
def _count_decks_again() -> None:
    PLAYED.forget()
