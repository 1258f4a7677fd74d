"""Sign-in attempts are limited: by name and address together, counted by django-axes."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers

NAME_MAX = 150  # no account has a longer one


def name_tried(request: HttpRequest, credentials: Mapping[str, Any] | None = None) -> str:
    """Return whose password was tried, cut to what the database keeps of it."""
    return str((credentials or request.POST).get("username", ""))[:NAME_MAX]


def visitors_address(request: HttpRequest) -> str | None:
    """Return where a visitor comes from: behind a proxy, what that wrote last."""
    nearest: str | None = request.META.get("REMOTE_ADDR") or None
    if not settings.HTTPS:
        return nearest
    told = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
    return told if _is_address(told) else nearest


def _is_address(told: str) -> bool:
    try:
        ip_address(told)
    except ValueError:
        return False
    return "%" not in told  # a zone: no address for PostgreSQL


def locked_out(request: HttpRequest, *_: object) -> HttpResponse:
    """Say that no password is tried any more, and when it will be."""
    wait = settings.AXES_COOLOFF_TIME
    context = {"attempts": settings.AXES_FAILURE_LIMIT, "minutes": wait.seconds // 60}
    response = render(request, "accounts/locked.html", context, status=429)
    response.headers["Retry-After"] = str(wait.seconds)
    add_never_cache_headers(response)
    return response
