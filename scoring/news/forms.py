"""What owners type about their playgroup's webhook."""

from __future__ import annotations

from django import forms

from coalition_site.lib.forms import Tap, check_showable
from coalition_site.lib.outgoing import ADDRESS_MAX

from ..models import Webhook

MISSING = "Give the address that news are sent to."


class WebhookForm(Tap):
    """Where news go, and in which form."""

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
            "required": MISSING,
            "max_length": f"The address is too long: {ADDRESS_MAX} characters at most.",
        },
    )
