"""Who may create an account, as ``COALITION_SIGN_UP`` says."""

from __future__ import annotations

from django.conf import settings
from django.urls import Resolver404, resolve

from scoring.groups import queries


def may_sign_up(back: str) -> bool:
    """Return whether somebody may create an account who then goes ``back`` to an address.

    With sign-up by invitation that is the link of an open one. One query then, otherwise none.
    """
    if settings.SIGN_UP != "invitation":
        return settings.SIGN_UP == "open"
    try:
        found = resolve(back)
    except Resolver404:
        return False
    return found.url_name == "join" and queries.is_open_invitation(found.kwargs["key"])
