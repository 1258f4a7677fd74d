"""What the page of a webhook shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from django.contrib.messages.storage.base import Message

from ..groups.pages.bases import GroupPage
from ..models import Delivery, Webhook
from . import webhooks
from .forms import WebhookForm
from .queue import GIVES_UP_AFTER, SHOWN


@dataclass(kw_only=True)
class WebhookPage(GroupPage):
    """A playgroup's webhook with its latest deliveries; ``secret`` is one that was just created."""

    template: ClassVar[str] = "groups/webhook.html"
    form: WebhookForm
    webhook: Webhook | None
    secret: str = ""
    messages: Iterable[Message] = ()
    days: int = GIVES_UP_AFTER.days
    deliveries: Sequence[Delivery] = field(init=False)
    is_waiting: bool = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.deliveries = webhooks.latest(self.webhook, SHOWN) if self.webhook else ()
        self.is_waiting = any(one.next_at and not one.outcome for one in self.deliveries)


@dataclass(kw_only=True)
class DeliveriesPage(WebhookPage):
    """The latest deliveries alone, for the page to follow them."""

    template: ClassVar[str] = "groups/_deliveries.html"
