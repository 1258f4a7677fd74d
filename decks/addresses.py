"""The addresses of cards."""

from functools import lru_cache

from django.urls import reverse

from .rules.names import address_name


@lru_cache(maxsize=4096)
def card_address(name: str) -> str:
    """Return the address of a card's page, by its whole name or its front's. No query.

    Names of heroes are whatever people type, so that a name may have nothing to make one of.
    """
    return reverse("card", args=[address_name(name) or "_"])
