"""The base of forms, and checks of what people type."""

from django import forms
from django.core.exceptions import ValidationError

from .texts import is_visible

DAMAGED = "This form is damaged. Reload the page."


def check_showable(text: str) -> None:
    """Refuse a text that no file could contain, or that nobody would see."""
    if not is_visible(text):
        raise ValidationError("This contains a character that can't be shown. Type it again.")


def check_lines_showable(text: str) -> None:  # lines, and tabs
    check_showable("".join(part for part in text if part not in "\r\n\t"))


class Tap(forms.Form):
    """Any form that writes: its id makes a repeated tap count once."""

    tap_id = forms.UUIDField(error_messages=dict.fromkeys(("required", "invalid"), DAMAGED))


def first_error(form: forms.Form) -> str:
    return next(str(error) for errors in form.errors.values() for error in errors)
