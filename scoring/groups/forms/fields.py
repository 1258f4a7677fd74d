"""Fields that several forms of a playgroup share, and what they may hold."""

from __future__ import annotations

from datetime import date

from django import forms
from django.core.exceptions import ValidationError

from coalition_site.lib.forms import check_showable

from ...rules.formats import RULESETS
from ...setlog.document import NAME_MAX
from ..document import FIRST_DAY, LAST_DAY

RANKED = [ruleset for ruleset in RULESETS.values() if ruleset.is_ranked]


class NameField(forms.CharField):
    """A name whose characters all can be shown."""

    def __init__(self, missing: str) -> None:
        super().__init__(
            max_length=NAME_MAX,
            validators=[check_showable],
            error_messages={
                "required": missing,
                "max_length": f"The name is too long: {NAME_MAX} characters at most.",
            },
        )


def check_day(day: date) -> None:
    """Refuse a day long before or after anybody plays."""
    if not FIRST_DAY <= day <= LAST_DAY:
        raise ValidationError(f"{day} is out of range: it must be from {FIRST_DAY} to {LAST_DAY}.")


class DayField(forms.DateField):
    """A day as browsers send it."""

    default_validators = [check_day]

    def __init__(self, what: str) -> None:
        wrong = f"{what} is not a date: write it like 2026-03-09."
        super().__init__(
            input_formats=["%Y-%m-%d"],
            widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            error_messages=dict.fromkeys(("required", "invalid"), wrong),
        )
