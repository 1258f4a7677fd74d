"""A playgroup's webhook: where its news goes, how it is signed, and the page that sets it."""

import hashlib
import hmac
from base64 import b64decode, b64encode
from datetime import timedelta
from typing import Any

import httpx
from django import forms
from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from coalition_site.lib import encryption
from coalition_site.lib.forms import Tap, any_error, check_showable
from coalition_site.lib.keys import key_for
from coalition_site.lib.limits import limited
from coalition_site.lib.pages import cleaned_data
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ...models import Delivery, Playgroup, Webhook
from ...record import counting, news
from ..bases import group_page
from ..decorators import owner_view, takes_form, takes_posts

ADDRESS, SECRET = "news.address", "news.secret"  # purposes of the encryption
BLOCK = 64  # bytes
PREFIX = "whsec_"  # of secrets, as standardwebhooks.com describes them
DISCORD = ("discord.com", "discordapp.com", "canary.discord.com", "ptb.discord.com")
ADDRESS_MAX = 1000
SHOWN = 10  # deliveries of a webhook that are kept once they are done
OFF_AFTER = timedelta(days=5)  # in which nothing arrived


def check(address: str) -> httpx.URL:
    """:raises Refused: unless this site sends there."""
    try:
        url = httpx.URL(address)
    except httpx.InvalidURL:
        raise Refused("This is not an address. Copy it again, from https:// on.") from None
    if f"{url.scheme}://{url.netloc.decode()}" in settings.WEBHOOK_ORIGINS and not url.userinfo:
        return url
    if url.scheme != "https" or not url.host:
        raise Refused("Give an address that begins with https://.")
    if url.userinfo:
        raise Refused("Give the address without a user name and password.")
    raise Refused(
        f"This site sends to Discord and Slack, and not to {url.host}. Give another address, or "
        "ask whoever runs the site to add that name to COALITION_WEBHOOK_HOSTS."
    )


@transaction.atomic
def save(group: Playgroup, form: str, address: str, *, site: str, key: str) -> str:
    """Return the secret if the form is signed and it is new, else "".

    :raises Refused: if nothing may be sent there.
    """
    # The secret comes from ``key``, so that a repeated tap gets the same.
    url = check(address)
    is_of_discord = url.host in DISCORD and url.path.startswith("/api/webhooks/")
    if form == Webhook.Form.DISCORD and not is_of_discord:
        raise Refused(
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
    webhook.deliveries.exclude(next_at=None).update(body="")  # written anew, for what is set now
    news.remind_of_all(group)
    return secret if form == Webhook.Form.JSON and before in (None, secret) else ""


def _secret(key: str) -> str:
    return PREFIX + b64encode(key.encode()).decode()


# Both are None if they were encrypted with another key of the site.
def address_of(webhook: Webhook) -> str | None:
    return encryption.decrypt(webhook.address_box, ADDRESS)


def secret_of(webhook: Webhook) -> str | None:
    return encryption.decrypt(webhook.secret_box, SECRET)


def signature(secret: str, number: str, at: int, body: str) -> str:
    """Return the signature of a body under a number, at a time in Unix seconds.

    >>> signature("whsec_c2VjcmV0", "n1", 1700000000, "{}")
    'v1,htS0zyc06gut08Vr7TGaXk18hLyFVTIjNcyD8li2v9A='
    """
    key = b64decode(secret.removeprefix(PREFIX))
    signed = hmac.new(key, f"{number}.{at}.{body}".encode(), hashlib.sha256)
    return f"v1,{b64encode(signed.digest()).decode()}"


# --- its page, for owners ---
class WebhookForm(Tap):
    form = forms.ChoiceField(
        label="Sent as",
        choices=Webhook.Form.choices,
        error_messages=any_error("Choose a form."),
    )
    address = forms.CharField(
        label="Address",
        max_length=ADDRESS_MAX,
        validators=[check_showable],
        error_messages={
            "required": "Give the address that news is sent to.",
            "max_length": f"The address is too long: {ADDRESS_MAX} characters at most.",
        },
    )


def webhook_page(
    request: Request, group: Playgroup, refused: Refused | None = None, secret: str = ""
) -> HttpResponse:
    webhook = Webhook.objects.filter(playgroup=group).first()
    initial: dict[str, Any] = {"form": Webhook.Form.DISCORD}
    deliveries, not_sent = list[Delivery](), ""
    if webhook:
        deliveries = list(webhook.deliveries.order_by("-pk")[:SHOWN])
        address = address_of(webhook) or ""
        initial = {"form": webhook.form, "address": address}
        try:
            check(address)
        except Refused as problem:
            not_sent = str(problem)
    # A page that waits for a delivery asks for the list only.
    is_followed = request.htmx and request.method == "GET"
    return group_page(
        request,
        "groups/_deliveries.html" if is_followed else "groups/webhook.html",
        group,
        refused,
        form=WebhookForm(request.POST if refused else None, initial=initial),
        webhook=webhook,
        not_sent=not_sent,
        secret=secret,
        days=OFF_AFTER.days,
        deliveries=deliveries,
        is_waiting=any(
            one.next_at and not one.outcome and one.kind != Delivery.Kind.REMINDER
            for one in deliveries
        ),
    )


@never_cache
@takes_form(owner_view, webhook_page)
def webhook(request: Request, group: Playgroup) -> HttpResponse:
    data = cleaned_data(WebhookForm(request.POST))
    site = request.build_absolute_uri("/").removesuffix("/")
    key = key_for(data["tap_id"], group.code, "webhook")
    secret = save(group, data["form"], data["address"], site=site, key=key)
    messages.success(request, "Saved.")
    return webhook_page(request, group, None, secret) if secret else redirect("webhook", group.code)


@never_cache
@takes_posts(owner_view, webhook_page)
def renew_secret(request: Request, group: Playgroup) -> HttpResponse:
    key = key_for(cleaned_data(Tap(request.POST))["tap_id"], group.code, "webhook")
    webhook, secret = get_object_or_404(Webhook, playgroup=group), _secret(key)
    webhook.secret_box = encryption.encrypt(secret, SECRET, BLOCK)
    webhook.save(update_fields=["secret_box"])
    return webhook_page(request, group, None, secret)


@require_POST
@limited("send_test")
@owner_view
def send_test(request: Request, group: Playgroup) -> HttpResponse:
    get_object_or_404(Webhook, playgroup=group).deliveries.create(kind=Delivery.Kind.TEST)
    return redirect("webhook", group.code)


@require_POST
@owner_view
def switch_on(request: Request, group: Playgroup) -> HttpResponse:
    with transaction.atomic():
        counting.lock_group(group.pk)
        Webhook.objects.filter(playgroup=group).update(switched_off_at=None, failing_since=None)
        news.remind_of_all(group)
    messages.success(request, "Switched on.")
    return redirect("webhook", group.code)


@require_POST
@owner_view
def remove(request: Request, group: Playgroup) -> HttpResponse:
    get_object_or_404(Webhook, playgroup=group).delete()
    messages.success(request, "Removed.")
    return redirect("webhook", group.code)
