"""Sign-in attempts are limited: by name and address together, counted by django-axes."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import IPv4Address, ip_address, ip_network
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers

NAME_MAX = 150  # no account has a longer one


def name_tried(request: HttpRequest, credentials: Mapping[str, Any] | None = None) -> str:
    """Return whose password was tried, cut to what the database keeps of it."""
    return str((credentials or request.POST).get("username", ""))[:NAME_MAX]


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


def locked_out(request: HttpRequest, *_: object) -> HttpResponse:
    """Say that no password is tried any more, and when it will be."""
    wait = settings.AXES_COOLOFF_TIME
    context = {"attempts": settings.AXES_FAILURE_LIMIT, "minutes": wait.seconds // 60}
    response = render(request, "accounts/locked.html", context, status=429)
    response.headers["Retry-After"] = str(wait.seconds)
    add_never_cache_headers(response)
    return response
