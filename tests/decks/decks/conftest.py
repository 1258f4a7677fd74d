"""What tests of decks share."""

import pytest

from ..faults import bring_pool


@pytest.fixture
def pool(db: None) -> None:
    bring_pool()
