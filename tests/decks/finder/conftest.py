"""What tests of the finder share."""

import pytest

from decks.decks.counted import PLAYED


@pytest.fixture(autouse=True)
def _count_decks_again() -> None:
    PLAYED.forget()
