"""What the forms of both apps share."""

from __future__ import annotations

from django import forms

DAMAGED = "This form is damaged. Load the page anew."


class Tap(forms.Form):
    """Any form that writes: its id makes a repeated tap count once."""

    tap_id = forms.UUIDField(error_messages=dict.fromkeys(("required", "invalid"), DAMAGED))


def first_error(form: forms.Form) -> str:
    """Return what is wrong with a form, the first thing first."""
    return next(str(error) for errors in form.errors.values() for error in errors)
