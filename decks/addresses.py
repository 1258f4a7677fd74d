from functools import lru_cache

from django.urls import reverse

from .rules.names import address_name


@lru_cache(maxsize=4096)
def card_address(name: str) -> str:
    """Names of heroes are whatever people type: a name may have nothing to make an address of."""
    return reverse("card", args=[address_name(name) or "_"])
