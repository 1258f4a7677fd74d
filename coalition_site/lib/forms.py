"""The base of forms, and checks of what people type."""

from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from .dates import FIRST_DAY, LAST_DAY
from .texts import is_visible

DAMAGED = "This form is damaged. Reload the page."


def check_showable(text: str) -> None:
    """Refuse a text that no file could contain, or that nobody would see."""
    if not is_visible(text):
        raise ValidationError("This contains a character that can't be shown. Type it again.")


def check_lines_showable(text: str) -> None:  # lines, and tabs
    check_showable("".join(part for part in text if part not in "\r\n\t"))


def check_day(day: date) -> None:
    if not FIRST_DAY <= day <= LAST_DAY:
        raise ValidationError(f"{day} is out of range: it must be from {FIRST_DAY} to {LAST_DAY}.")


def check_not_later(day: date) -> None:
    if day > timezone.localdate():
        raise ValidationError(f"{day} is still to come.")


def any_error(text: str) -> dict[str, str]:
    return dict.fromkeys(("required", "invalid", "invalid_choice", "min_value", "max_value"), text)


class DayField(forms.DateField):
    default_validators = [check_day]

    def __init__(self, what: str, *, required: bool = True, **options: Any) -> None:
        wrong = f"{what} is not a date: write it like 2026-03-09."
        super().__init__(
            required=required,
            input_formats=["%Y-%m-%d"],
            widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            error_messages=any_error(wrong),
            **options,
        )


class Tap(forms.Form):
    """Any form that writes: its id makes a repeated tap count once."""

    tap_id = forms.UUIDField(error_messages=any_error(DAMAGED))


def first_error(form: forms.Form) -> str:
    return next(str(error) for errors in form.errors.values() for error in errors)
