"""Addresses that a browser sends."""

from django.utils.http import url_has_allowed_host_and_scheme


def is_inside(address: str) -> bool:
    """Return whether an address is one of this site, given from its root.

    >>> is_inside("/start/"), is_inside("//example.org/"), is_inside("")
    (True, False, False)
    """
    return address.startswith("/") and url_has_allowed_host_and_scheme(address, allowed_hosts=None)
