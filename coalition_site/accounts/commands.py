"""Saving and deleting accounts."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.forms import ModelForm

from decks import commands as decks
from scoring.groups import account_deletion

from .forms import TAKEN


def save(form: ModelForm) -> bool:
    """Save an account; if its name was taken a moment ago, add that error to the form."""
    try:
        with transaction.atomic():
            form.save()
    except IntegrityError:
        form.add_error("username", TAKEN)
    return form.is_valid()


@transaction.atomic
def delete(user: User) -> None:
    """Delete an account; its players' results and their decks stay, under neutral names."""
    account_deletion.leave_groups(user)
    decks.give_up_decks(user.pk, f"Deck of a {account_deletion.NEUTRAL.lower()}")
    user.delete()
