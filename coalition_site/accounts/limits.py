"""Limits on sign-in attempts, by name and address together, counted by django-axes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers

NAME_MAX = 150  # no account's name is longer


def name_tried(request: HttpRequest, credentials: Mapping[str, Any] | None = None) -> str:
    """Return the name that was tried, cut to what the database stores."""
    return str((credentials or request.POST).get("username", ""))[:NAME_MAX]


def locked_out(request: HttpRequest, *_: object) -> HttpResponse:
    """Answer that signing in is locked, and until when."""
    wait = settings.AXES_COOLOFF_TIME
    context = {"attempts": settings.AXES_FAILURE_LIMIT, "minutes": wait.seconds // 60}
    response = render(request, "accounts/locked.html", context, status=429)
    response.headers["Retry-After"] = str(wait.seconds)
    add_never_cache_headers(response)
    return response
