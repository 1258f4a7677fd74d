"""Limits on sign-in attempts: by name and address together, counted by django-axes, and by name."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from django.utils.crypto import constant_time_compare, salted_hmac

from ..lib.limits import count, window

NAME_MAX = 150  # no account's name is longer
SIGNED_IN = "signed-in"  # the cookie that says who signed in here last, to this site only
REMEMBERED = 365 * 24 * 60 * 60  # seconds


class NamesEverywhere:
    """Lets nobody in, but locks a name that is tried too often, from any addresses."""

    # Not where its account is signed in, or signed in last: else a stranger could keep its owner
    # out.

    def authenticate(self, request: HttpRequest, username: str = "", **_: object) -> None:
        known, name = request.COOKIES.get(SIGNED_IN, ""), _unreadable(username)
        is_own = request.user.get_username() == username or constant_time_compare(known, name)
        if "name" in settings.LIMITS and not is_own:
            most, now, ends = window("name")
            if count("name", name, ends, now) > most:
                request.axes_locked_out = True  # type: ignore[attr-defined]  # see AxesMiddleware
                raise PermissionDenied


def remember(response: HttpResponse, name: str) -> HttpResponse:
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(
        SIGNED_IN, _unreadable(name), REMEMBERED, secure=secure, httponly=True, samesite="Lax"
    )
    return response


def _unreadable(name: str) -> str:
    return salted_hmac(SIGNED_IN, name).hexdigest()


def name_tried(request: HttpRequest, credentials: Mapping[str, Any] | None = None) -> str:
    name = (credentials or request.POST).get("username", "")
    return str(name)[:NAME_MAX]  # what the database stores


def locked_out(request: HttpRequest, *_: object) -> HttpResponse:
    wait = settings.AXES_COOLOFF_TIME
    context = {"minutes": wait.seconds // 60}
    response = render(request, "accounts/locked.html", context, status=429)
    response.headers["Retry-After"] = str(wait.seconds)
    add_never_cache_headers(response)
    return response
