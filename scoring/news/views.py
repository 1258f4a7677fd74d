"""The page on which owners set a playgroup's webhook."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from coalition_site.lib.forms import Tap
from coalition_site.lib.keys import key_for
from coalition_site.lib.limits import limited
from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ..groups.views.decorators import owner_view
from ..models import Playgroup, Webhook
from . import webhooks
from .forms import WebhookForm
from .pages import DeliveriesPage, WebhookPage

NONE = "This playgroup has no webhook."


def webhook_page(
    request: Request, group: Playgroup, refused: Refused | None = None, secret: str = ""
) -> HttpResponse:
    """Show the webhook, its latest deliveries, and a secret that was just created."""
    webhook = webhooks.find(group)
    form = WebhookForm(request.POST if refused else None, initial=_initial(webhook))
    page = DeliveriesPage if request.htmx and request.method == "GET" else WebhookPage
    shown = () if refused else messages.get_messages(request)
    return page(
        group=group, refused=refused, form=form, webhook=webhook, secret=secret, messages=shown
    ).respond(request)


def _initial(webhook: Webhook | None) -> dict[str, str]:
    if webhook is None:
        return {"form": Webhook.Form.DISCORD}
    return {"form": webhook.form, "address": webhooks.address_of(webhook) or ""}


def _found(group: Playgroup) -> Webhook:
    webhook = webhooks.find(group)
    if webhook is None:
        raise Http404(NONE)
    return webhook


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@owner_view
@shows_refusals(webhook_page)
def webhook(request: Request, group: Playgroup) -> HttpResponse:
    """Show the webhook, and change where it leads; a new secret is shown only now."""
    if request.method != "POST":
        return webhook_page(request, group)
    data = cleaned_data(WebhookForm(request.POST))
    site = request.build_absolute_uri("/").removesuffix("/")
    key = key_for(data["tap_id"], group.code, "webhook")
    secret = webhooks.save(group, data["form"], data["address"], site=site, key=key)
    messages.success(request, "Saved.")
    if secret:
        return webhook_page(request, group, secret=secret)
    return redirect("webhook", group.code)


@require_POST
@never_cache
@owner_view
@shows_refusals(webhook_page)
def renew_secret(request: Request, group: Playgroup) -> HttpResponse:
    """Replace the secret; the new secret is shown only now."""
    key = key_for(cleaned_data(Tap(request.POST))["tap_id"], group.code, "webhook")
    return webhook_page(request, group, secret=webhooks.renew_secret(_found(group), key))


@require_POST
@limited("send_test")
@owner_view
def send_test(request: Request, group: Playgroup) -> HttpResponse:
    """Queue a test."""
    webhooks.send_test(_found(group))
    return redirect("webhook", group.code)


@require_POST
@owner_view
def switch_on(request: Request, group: Playgroup) -> HttpResponse:
    """Send news again; a repeated request leaves it on."""
    webhooks.switch_on(_found(group))
    messages.success(request, "Switched on.")
    return redirect("webhook", group.code)


@require_POST
@owner_view
def remove(request: Request, group: Playgroup) -> HttpResponse:
    """Remove the webhook."""
    webhooks.remove(_found(group))
    messages.success(request, "Removed.")
    return redirect("webhook", group.code)
