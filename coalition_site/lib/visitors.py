"""Where a visitor comes from."""

from __future__ import annotations

from ipaddress import IPv4Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest


def visitors_place(request: HttpRequest) -> str | None:
    """Return the address of where a visitor comes from: behind a proxy, what that wrote last."""
    forwarded = request.headers.get("X-Forwarded-For", "")
    return place_of(forwarded, request.META.get("REMOTE_ADDR", ""))


def place_of(forwarded: str, connected: str) -> str | None:
    """Return where a visitor comes from, of what X-Forwarded-For says and who connected."""
    proxied = forwarded if settings.HTTPS else ""
    return _place(proxied.rpartition(",")[2].strip()) or _place(connected)


def _place(told: str) -> str | None:
    """Return what stands for all addresses that one visitor has; None if none is told.

    >>> _place("192.0.2.7"), _place("::ffff:192.0.2.7"), _place("2001:db8:1:2:3::4")
    ('192.0.2.7', '192.0.2.7', '2001:db8:1:2::')
    >>> _place("fe80::1%eth0"), _place("unknown")
    (None, None)
    """
    try:
        address = ip_address(told)
    except ValueError:
        return None
    if isinstance(address, IPv4Address):
        return told
    if address.scope_id:  # no address for PostgreSQL
        return None
    return str(address.ipv4_mapped or ip_network((address, 64), strict=False).network_address)
