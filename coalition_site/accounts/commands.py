from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.urls import Resolver404, resolve

from decks.decks import commands as decks
from scoring.groups import queries
from scoring.groups.people import account_deletion

from ..lib.keys import key_hash


def may_sign_up(back: str) -> bool:
    """Return whether somebody may create an account who then goes ``back`` to an address."""
    # With sign-up by invitation that is the link of an open one. One query then, otherwise none.
    if settings.SIGN_UP != "invitation":
        return settings.SIGN_UP == "open"
    try:
        match = resolve(back)
    except Resolver404:
        return False
    if match.url_name != "join":
        return False
    return queries.open_invitations().filter(key_hash=key_hash(match.kwargs["key"])).exists()


@transaction.atomic
def delete(user: User) -> None:
    """Delete an account; its players' results and their decks stay, under neutral names."""
    account_deletion.leave_groups(user)
    decks.give_up_decks(user.pk, f"Deck of a {account_deletion.NEUTRAL.lower()}")
    AccessAttempt.objects.filter(username__iexact=user.username).delete()
    user.delete()
