"""What owners change about their playgroup's webhook; the only writer of its settings.

Whatever is refused has written nothing.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from coalition_site.lib import boxes, outgoing
from coalition_site.lib.outgoing import AddressRefused

from ..models import Delivery, Playgroup, Webhook
from ..results import counting
from ..results.news import enqueue
from . import signing

ADDRESS, SECRET = "news.address", "news.secret"  # purposes of the boxes
BLOCK = 64  # bytes
DISCORD = ("discord.com", "discordapp.com", "canary.discord.com", "ptb.discord.com")
DISCORD_PATH = "/api/webhooks/"


def find(group: Playgroup) -> Webhook | None:
    """Return a playgroup's webhook. One query."""
    return Webhook.objects.filter(playgroup=group).first()


@transaction.atomic
def save(group: Playgroup, form: str, address: str, *, site: str, key: str) -> str:
    """Set where a playgroup's news go, and switch that on.

    Returns the secret if the form is signed and it is new, else "". It comes from ``key``, so that
    a repeated tap gets the same.

    :raises AddressRefused: if nothing may be sent there.
    """
    parts = outgoing.checked(address)
    if form == Webhook.Form.DISCORD and not _is_of_discord(parts.hostname, parts.path):
        raise AddressRefused(
            "This is not an address of Discord. Copy it there: Edit channel, Integrations, "
            "Webhooks, Copy webhook URL."
        )
    counting.lock_group(group.pk)
    webhook = find(group) or Webhook(playgroup=group, created_at=timezone.now())
    webhook.form, webhook.host, webhook.site = form, parts.hostname or "", site
    webhook.address_box = boxes.closed(address, ADDRESS, BLOCK)
    webhook.failing_since = webhook.switched_off_at = None
    secret, before = signing.secret(key), secret_of(webhook)
    if form == Webhook.Form.JSON and before is None:
        webhook.secret_box = boxes.closed(secret, SECRET, BLOCK)
    webhook.save()
    return secret if form == Webhook.Form.JSON and before in (None, secret) else ""


def _is_of_discord(host: str | None, path: str) -> bool:
    return settings.WEBHOOKS_ANYWHERE or (host in DISCORD and path.startswith(DISCORD_PATH))


def renew_secret(webhook: Webhook, key: str) -> str:
    """Return the secret that comes from a key; from now on everything is signed with it."""
    secret = signing.secret(key)
    box = boxes.closed(secret, SECRET, BLOCK)
    Webhook.objects.filter(pk=webhook.pk).update(secret_box=box)
    return secret


def switch_on(webhook: Webhook) -> None:
    """Send news again after the webhook was switched off."""
    Webhook.objects.filter(pk=webhook.pk).update(switched_off_at=None, failing_since=None)


def remove(webhook: Webhook) -> None:
    """Remove a webhook, with its queue."""
    Webhook.objects.filter(pk=webhook.pk).delete()


def send_test(webhook: Webhook) -> Delivery:
    """Queue a test; a webhook that is switched off is tested, too."""
    return enqueue(webhook, Delivery.Kind.TEST, None)


def address_of(webhook: Webhook) -> str | None:
    """Return the address; None if it was encrypted with another key of the site."""
    return _opened(webhook.address_box, ADDRESS)


def secret_of(webhook: Webhook) -> str | None:
    """Return the secret; None if there is none, or it was encrypted with another key."""
    return _opened(webhook.secret_box, SECRET) if webhook.secret_box else None


def _opened(box: str, purpose: str) -> str | None:
    text = boxes.opened(box, purpose)
    return text.rstrip() if text is not None else None


def latest(webhook: Webhook, count: int) -> list[Delivery]:
    """Return the latest deliveries, the latest first. One query."""
    return list(webhook.deliveries.order_by("-pk")[:count])


def is_failing(webhook: Webhook, since: datetime) -> bool:
    """Return whether nothing has arrived since a time."""
    return webhook.failing_since is not None and webhook.failing_since <= since
