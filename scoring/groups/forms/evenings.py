"""What people type about evenings: a plan, who is here, and who sits elsewhere."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from coalition_site.lib.forms import Tap, check_showable

from ...models.evenings import MINUTES_MAX, ROUNDS_MAX
from ...rules.formats import RULESETS
from ...setlog.document import NAME_MAX
from .fields import RANKED, MomentField, NameField, check_day

PEOPLE_MAX = 128
WRONG_ROUNDS = f"Plan 1 to {ROUNDS_MAX} rounds."
WRONG_MINUTES = f"Give the time of a round in minutes, 1 to {MINUTES_MAX}, or leave it empty."
TOO_LONG = f"A name is too long: {NAME_MAX} characters at most."


class EveningForm(Tap):
    """A new evening; a ``group`` plays its own format unless another is chosen."""

    name = NameField("Give the evening a name.")
    ruleset = forms.ChoiceField(
        choices=[(ruleset.key, ruleset.title) for ruleset in RANKED],
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose a ruleset."),
    )
    rounds = forms.IntegerField(
        min_value=1,
        max_value=ROUNDS_MAX,
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"), WRONG_ROUNDS
        ),
    )
    usual_size = forms.TypedChoiceField(
        coerce=int,
        choices=[(size, str(size)) for size in range(2, 9)],
        error_messages=dict.fromkeys(
            ("required", "invalid_choice"), "Choose how many sit at a table."
        ),
    )
    minutes = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MINUTES_MAX,
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), WRONG_MINUTES),
    )
    starts_at = MomentField(
        required=False,
        input_formats=["%Y-%m-%dT%H:%M"],
        error_messages={"invalid": "The start is not a time: write it like 2026-03-09T19:30."},
    )

    def clean_ruleset(self) -> Any:
        return RULESETS[self.cleaned_data["ruleset"]]

    def clean_starts_at(self) -> datetime | None:
        starts_at: datetime | None = self.cleaned_data["starts_at"]
        if starts_at:
            check_day(starts_at.date())
        return starts_at


class ArrivalForm(forms.Form):
    """Who is here, beside the chips: a name in each line, or with commas between them."""

    names = forms.CharField(
        max_length=PEOPLE_MAX * (NAME_MAX + 1), error_messages={"required": "Type a name."}
    )
    as_guests = forms.BooleanField(required=False)

    def clean_names(self) -> list[str]:
        lines = self.cleaned_data["names"].replace(",", "\n").splitlines()
        names = list(dict.fromkeys(name for line in lines if (name := line.strip())))
        if not names:
            raise ValidationError("Type a name.")
        if len(names) > PEOPLE_MAX:
            raise ValidationError(f"At most {PEOPLE_MAX} people at once.")
        for name in names:
            if len(name) > NAME_MAX:
                raise ValidationError(TOO_LONG)
            check_showable(name)
        return names


class ChipForm(forms.Form):
    """A player, by key, who comes or leaves."""

    come = forms.IntegerField(required=False)
    leave = forms.IntegerField(required=False)


class DrawForm(forms.Form):
    """The round to draw, and how often it had been drawn when the page was shown."""

    number = forms.IntegerField(required=False)
    draws = forms.IntegerField(required=False)

    @property
    def after(self) -> tuple[int, int] | None:
        number, draws = self.cleaned_data["number"], self.cleaned_data["draws"]
        return None if number is None or draws is None else (number, draws)


class MoveForm(forms.Form):
    """A person, by key, and the table to move to; 0 is a bye."""

    player = forms.IntegerField(
        error_messages=dict.fromkeys(("required", "invalid"), "Choose who moves.")
    )
    table = forms.IntegerField(
        min_value=0,
        error_messages=dict.fromkeys(("required", "invalid", "min_value"), "Choose a table."),
    )


class CancelForm(forms.Form):
    """The evening, by key: its number may be another's once it is cancelled."""

    evening = forms.IntegerField(
        error_messages=dict.fromkeys(
            ("required", "invalid"), "Reload the page, and cancel it there."
        )
    )
