"""The entries of a playgroup's own ban list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from coalition_site.lib.forms import check_showable
from coalition_site.lib.untrusted import TEXT_MAX
from decks.catalogue.memory import closest_names
from decks.models import NAME_MAX as CARD_NAME_MAX
from decks.models import Card, Status
from decks.queries import find_cards, has_cards

from .fields import DayField

STATUSES = (
    (Status.BANNED, "Banned"),
    (Status.ALLOWED, "Allowed, although the format bans it"),
    (Status.WATCHED, "Watched"),
)


class HouseBanForm(forms.Form):
    """What a playgroup's own list says of a card, from which day on."""

    card = forms.CharField(
        max_length=CARD_NAME_MAX,
        error_messages={
            "required": "Which card? Type its English name.",
            "max_length": "There is no card with such a long name.",
        },
    )
    status = forms.ChoiceField(
        choices=STATUSES,
        error_messages=dict.fromkeys(
            ("required", "invalid_choice"), "Choose what the list says of it."
        ),
    )
    reason = forms.CharField(required=False, max_length=TEXT_MAX, validators=[check_showable])
    starts_on = DayField("The first day")

    def clean_card(self) -> Card:
        """Return the card of that name, looked up as the cards of deck lists are."""
        name = self.cleaned_data["card"]
        card = find_cards([name]).get(name)
        if card is None and not has_cards():
            raise ValidationError(
                "No card has been imported yet: whoever runs this site can do it by the command "
                "import_cards."
            )
        if card is None:
            near = closest_names([name])[name]
            hint = f" Did you mean {' or '.join(near)}?" if near else " Type its English name."
            raise ValidationError(f"There is no card called {name}.{hint}")
        return card


class EndBanForm(forms.Form):
    """An entry's reason, and the first day on which it no longer applies."""

    reason = forms.CharField(required=False, max_length=TEXT_MAX, validators=[check_showable])
    ends_on = DayField("The day")

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        self.fields["ends_on"].required = False
