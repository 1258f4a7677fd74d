"""The page on which owners set a playgroup's webhook."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from coalition_site.lib.forms import Tap, check_showable
from coalition_site.lib.keys import key_for
from coalition_site.lib.limits import limited
from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ..groups.views.decorators import owner_view
from ..models import Delivery, Playgroup, Webhook
from . import webhooks
from .sender import OFF_AFTER, SHOWN

ADDRESS_MAX = 1000


class WebhookForm(Tap):
    form = forms.ChoiceField(
        label="Sent as",
        choices=Webhook.Form.choices,
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose a form."),
    )
    address = forms.CharField(
        label="Address",
        max_length=ADDRESS_MAX,
        validators=[check_showable],
        error_messages={
            "required": "Give the address that news are sent to.",
            "max_length": f"The address is too long: {ADDRESS_MAX} characters at most.",
        },
    )


def webhook_page(
    request: Request, group: Playgroup, refused: Refused | None = None, secret: str = ""
) -> HttpResponse:
    """Show the webhook, its latest deliveries, and a secret that was just created."""
    webhook = Webhook.objects.filter(playgroup=group).first()
    initial: dict[str, Any] = {"form": Webhook.Form.DISCORD}
    deliveries, not_sent = list[Delivery](), ""
    if webhook:
        deliveries = list(webhook.deliveries.order_by("-pk")[:SHOWN])
        address = webhooks.address_of(webhook) or ""
        initial = {"form": webhook.form, "address": address}
        try:
            webhooks.check(address)
        except webhooks.AddressRefused as problem:
            not_sent = str(problem)
    # A page that waits for a delivery asks for the list only.
    is_followed = request.htmx and request.method == "GET"
    context = {
        "group": group,
        "problem": str(refused or ""),
        "form": WebhookForm(request.POST if refused else None, initial=initial),
        "webhook": webhook,
        "not_sent": not_sent,
        "secret": secret,
        "messages": () if refused else messages.get_messages(request),
        "days": OFF_AFTER.days,
        "deliveries": deliveries,
        "is_waiting": any(one.next_at and not one.outcome for one in deliveries),
    }
    template = "groups/_deliveries.html" if is_followed else "groups/webhook.html"
    return render(request, template, context, status=422 if refused else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@owner_view
@shows_refusals(webhook_page)
def webhook(request: Request, group: Playgroup) -> HttpResponse:
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
    key = key_for(cleaned_data(Tap(request.POST))["tap_id"], group.code, "webhook")
    webhook = get_object_or_404(Webhook, playgroup=group)
    return webhook_page(request, group, secret=webhooks.renew_secret(webhook, key))


@require_POST
@limited("send_test")
@owner_view
def send_test(request: Request, group: Playgroup) -> HttpResponse:
    get_object_or_404(Webhook, playgroup=group).deliveries.create(kind=Delivery.Kind.TEST)
    return redirect("webhook", group.code)


@require_POST
@owner_view
def switch_on(request: Request, group: Playgroup) -> HttpResponse:
    Webhook.objects.filter(playgroup=group).update(switched_off_at=None, failing_since=None)
    messages.success(request, "Switched on.")
    return redirect("webhook", group.code)


@require_POST
@owner_view
def remove(request: Request, group: Playgroup) -> HttpResponse:
    get_object_or_404(Webhook, playgroup=group).delete()
    messages.success(request, "Removed.")
    return redirect("webhook", group.code)
