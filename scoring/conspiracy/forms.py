"""The form that seals a conspiracy. Its error messages never repeat the secret."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from coalition_site.lib.forms import DAMAGED, Tap, check_showable

from ..forms.taps import seat_choices
from .cards import VOTES

NAMED_MAX = 150  # characters; the longest name of a card has 141


class Secret(forms.CharField):
    def __init__(self, what: str, **options: Any) -> None:
        errors = {
            "required": f"{what}: fill this in.",
            "max_length": f"{what}: {NAMED_MAX} characters at most.",
        }
        super().__init__(
            max_length=NAMED_MAX,
            validators=[check_showable],
            error_messages=errors,
            **options,
        )


class SealForm(Tap):
    """A conspiracy with hidden agenda or, where ``second`` is filled, with double agenda.

    ``token`` comes from the page, so that sending the form twice makes the same seal.
    """

    player = forms.TypedChoiceField(
        coerce=int,
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose whose it is."),
    )
    token = forms.RegexField(
        r"^[0-9a-f]{32}\Z",
        error_messages=dict.fromkeys(("required", "invalid"), DAMAGED),
    )
    card = Secret("Conspiracy")
    name = Secret("Named card")
    second = Secret("Second named card", required=False)

    def __init__(self, data: Any, *, names: dict[int, str]) -> None:
        super().__init__(data)
        self.fields["player"].choices = seat_choices(names)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        names = tuple(filter(None, (cleaned.get("name"), cleaned.get("second"))))
        if len(set(names)) < len(names):
            raise ValidationError("Double agenda names two different cards.")
        return {**cleaned, "names": names}


class TypingForm(forms.Form):
    name = forms.CharField(max_length=NAMED_MAX, required=False)
    second = forms.CharField(max_length=NAMED_MAX, required=False)


class VoteCardForm(Tap):
    """The card whose vote is called: a listed one, or else the one whose ``name`` was typed."""

    vote_card = forms.ChoiceField(
        required=False,
        choices=[(card, card) for card in VOTES],
        error_messages={"invalid_choice": "Which card?"},
    )
    name = forms.CharField(
        required=False, max_length=NAMED_MAX, error_messages={"max_length": "That is no card."}
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not (cleaned.get("vote_card") or cleaned.get("name") or self.errors):
            raise ValidationError("Which card?")
        return cleaned
