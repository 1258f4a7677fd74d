"""What the tests of a playgroup's pages share."""

import pytest

from scoring.models import Playgroup

from .evenings import make_group


@pytest.fixture
def group(db: None) -> Playgroup:
    """A playgroup that anybody with its link sees."""
    return make_group()
