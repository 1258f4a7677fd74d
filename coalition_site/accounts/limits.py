"""Limits on sign-in attempts: by name and address together, counted by django-axes, and by name."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from django.utils.crypto import constant_time_compare, salted_hmac

from ..lib.limits import count, window

NAME_MAX = 150  # no account's name is longer
SIGNED_IN = "signed-in-here"  # the cookie that says who signed in here last, to this site only
REMEMBERED = 365 * 24 * 60 * 60  # seconds


class NamesEverywhere:
    """Lets nobody in, but locks a name that is tried too often, from any addresses."""

    # Not where its account is signed in, or signed in last: else a stranger could keep its owner
    # out.

    def authenticate(self, request: HttpRequest, username: str = "", **_: object) -> None:
        user = get_user_model().objects.filter(username=username).first()
        known = request.COOKIES.get(SIGNED_IN, "")
        is_own = user and constant_time_compare(known, _unreadable(str(user.pk)))
        if "name" in settings.LIMITS and not is_own and request.user != user:
            most, now, ends = window("name")
            if count("name", _unreadable(username), ends, now) > most:
                request.axes_locked_out = True  # type: ignore[attr-defined]  # see AxesMiddleware
                raise PermissionDenied


def remember(response: HttpResponse, account: str) -> None:
    """Set the cookie for the account with this key, which stays when its name changes."""
    value, secure = _unreadable(account), settings.SESSION_COOKIE_SECURE
    response.set_cookie(SIGNED_IN, value, REMEMBERED, secure=secure, httponly=True, samesite="Lax")


def _unreadable(text: str) -> str:
    return salted_hmac(SIGNED_IN, text).hexdigest()


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
