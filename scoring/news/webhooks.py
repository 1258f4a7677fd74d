"""Where a playgroup's news go, and how they are signed."""

import hashlib
import hmac
from base64 import b64decode, b64encode

import httpx
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from coalition_site.lib import encryption
from coalition_site.lib.refusals import Refused

from ..models import Playgroup, Webhook
from ..results import counting

ADDRESS, SECRET = "news.address", "news.secret"  # purposes of the encryption
BLOCK = 64  # bytes
PREFIX = "whsec_"  # of secrets, as standardwebhooks.com describes them
DISCORD = ("discord.com", "discordapp.com", "canary.discord.com", "ptb.discord.com")


class AddressRefused(Refused):
    pass


def check(address: str) -> httpx.URL:
    """Return an address as it will be read when something is sent there.

    :raises AddressRefused: unless this site sends there.
    """
    try:
        url = httpx.URL(address)
    except httpx.InvalidURL:
        raise AddressRefused("This is not an address. Copy it again, from https:// on.") from None
    if f"{url.scheme}://{url.netloc.decode()}" in settings.WEBHOOK_ORIGINS and not url.userinfo:
        return url
    if url.scheme != "https" or not url.host:
        raise AddressRefused("Give an address that begins with https://.")
    if url.userinfo:
        raise AddressRefused("Give the address without a user name and password.")
    raise AddressRefused(
        f"This site sends to Discord and Slack, and not to {url.host}. Give another address, or "
        "ask whoever runs the site to add that name to COALITION_WEBHOOK_HOSTS."
    )


@transaction.atomic
def save(group: Playgroup, form: str, address: str, *, site: str, key: str) -> str:
    """Set where a playgroup's news go, and switch that on.

    Returns the secret if the form is signed and it is new, else "". It comes from ``key``, so that
    a repeated tap gets the same.

    :raises AddressRefused: if nothing may be sent there.
    """
    url = check(address)
    is_of_discord = url.host in DISCORD and url.path.startswith("/api/webhooks/")
    if form == Webhook.Form.DISCORD and not is_of_discord:
        raise AddressRefused(
            "This is not an address of Discord. Copy it there: Edit channel, Integrations, "
            "Webhooks, Copy webhook URL."
        )
    counting.lock_group(group.pk)
    webhook = Webhook.objects.filter(playgroup=group).first()
    webhook = webhook or Webhook(playgroup=group, created_at=timezone.now())
    webhook.form, webhook.host, webhook.site = form, url.host, site
    webhook.address_box = encryption.encrypt(address, ADDRESS, BLOCK)
    webhook.failing_since = webhook.switched_off_at = None
    secret, before = _secret(key), secret_of(webhook)
    if form == Webhook.Form.JSON and before is None:
        webhook.secret_box = encryption.encrypt(secret, SECRET, BLOCK)
    webhook.save()
    return secret if form == Webhook.Form.JSON and before in (None, secret) else ""


def renew_secret(webhook: Webhook, key: str) -> str:
    """Sign everything with the secret that comes from a key, from now on, and return it."""
    secret = _secret(key)
    webhook.secret_box = encryption.encrypt(secret, SECRET, BLOCK)
    webhook.save(update_fields=["secret_box"])
    return secret


def _secret(key: str) -> str:
    return PREFIX + b64encode(key.encode()).decode()


# Both are None if they were encrypted with another key of the site.
def address_of(webhook: Webhook) -> str | None:
    address = encryption.decrypt(webhook.address_box, ADDRESS)
    return address and address.rstrip()


def secret_of(webhook: Webhook) -> str | None:
    secret = encryption.decrypt(webhook.secret_box, SECRET)
    return secret and secret.rstrip()


def signature(secret: str, number: str, at: int, body: str) -> str:
    """Return the signature of a body under a number, at a time in Unix seconds.

    >>> signature("whsec_c2VjcmV0", "n1", 1700000000, "{}")
    'v1,htS0zyc06gut08Vr7TGaXk18hLyFVTIjNcyD8li2v9A='
    """
    key = b64decode(secret.removeprefix(PREFIX))
    signed = hmac.new(key, f"{number}.{at}.{body}".encode(), hashlib.sha256)
    return f"v1,{b64encode(signed.digest()).decode()}"
