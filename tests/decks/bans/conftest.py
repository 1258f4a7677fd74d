"""What tests of ban lists share."""

import pytest
from django.contrib.auth.models import User

from ..cards import given, record
from ..lists import editor


@pytest.fixture
def ed(db: None) -> User:
    """An editor, and three cards to say something of."""
    given(*(record(name, "Sorcery") for name in ("Balance", "Channel", "Jihad")))
    return editor()
