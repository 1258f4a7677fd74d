from ipaddress import IPv4Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest


def visitors_place(request: HttpRequest) -> str | None:
    """Return a visitor's address; behind a proxy, the last address that the proxy added."""
    # Without a proxy anybody can send the header; with one, all but its last entry.
    proxied = request.headers.get("X-Forwarded-For", "") if settings.HTTPS else ""
    connected = request.META.get("REMOTE_ADDR", "")
    return _place(proxied.rpartition(",")[2].strip()) or _place(connected)


def _place(text: str) -> str | None:
    """Return what all addresses of one visitor share; None if the text is no address.

    >>> _place("192.0.2.7"), _place("::ffff:192.0.2.7"), _place("2001:db8:1:2:3::4")
    ('192.0.2.7', '192.0.2.7', '2001:db8:1::')
    >>> _place("fe80::1%eth0"), _place("unknown")
    (None, None)
    """
    try:
        address = ip_address(text)
    except ValueError:
        return None
    if isinstance(address, IPv4Address):
        return text
    if address.scope_id:  # PostgreSQL would not store it
        return None
    return str(address.ipv4_mapped or ip_network((address, 48), strict=False).network_address)
