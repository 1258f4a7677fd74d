from collections.abc import Iterator
from typing import Any

import pytest

from scoring.groups.news import webhooks
from scoring.models import Playgroup, Webhook
from tests.receiver import Receiver, receiving

KEY, SITE = "a-key-of-a-test", "https://table.example"


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    with receiving() as receiver:
        settings.WEBHOOK_ORIGINS = [receiver.origin]
        yield receiver


@pytest.fixture
def hook(thursday: Playgroup, receiver: Receiver) -> Webhook:
    """A webhook of the playgroup, for JSON, that leads to the receiver."""
    webhooks.save(thursday, "json", receiver.address, site=SITE, key=KEY)
    return thursday.webhook
