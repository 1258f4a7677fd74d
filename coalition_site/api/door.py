"""The door of the API: methods, limits, who asks, and answers that are still the same.

No cookie counts here: a program shows a token, or it is a stranger.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import conditional_page

from ..lib import limits
from . import problems, tokens

View = Callable[..., HttpResponse]
ALLOWED = "GET, HEAD, OPTIONS"
ONLY_READS = f"The API only reads: use {ALLOWED}. Tables are scored on the site’s pages."
NOT_VALID = (
    "This token is not valid: it was revoked, or not copied as a whole. Make another on your "
    "account page."
)
BEARER = "Send a token as “Authorization: Bearer ctt_…”, or no such header for what is public."


def door(view: View) -> View:
    """Answer by a view of the API, for whoever's token the request shows."""

    @csrf_exempt  # no cookie counts, and nothing is written
    @wraps(view)
    def handle(request: HttpRequest, **rest: Any) -> HttpResponse:
        method = request.method
        request.method = "GET" if method == "HEAD" else method
        try:
            response = _answer(request, view, rest)
        finally:
            request.method = method
        patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ["Authorization"])
        if method in ("GET", "HEAD") and "Authorization" not in request.headers:
            _open_to_other_sites(response)
        return response

    return handle


def _open_to_other_sites(response: HttpResponse) -> None:
    """Let pages of other sites read what a stranger may.

    No preflight succeeds, so that they can't send tokens: a token in a page is everybody's.
    """
    response["Access-Control-Allow-Origin"] = "*"
    response["Access-Control-Expose-Headers"] = "ETag, Retry-After"


def _answer(request: HttpRequest, view: View, rest: dict[str, Any]) -> HttpResponse:
    if request.method == "OPTIONS":
        return HttpResponse(headers={"Allow": ALLOWED})
    if request.method != "GET":
        return _with("Allow", ALLOWED, problems.respond(405, ONLY_READS))
    if wait := limits.wait(request, "api"):
        detail = f"Too many requests from here. Try again in {wait} seconds."
        return _with("Retry-After", str(wait), problems.respond(429, detail))
    request.COOKIES = {}
    try:
        request.user = _visitor(request)
    except problems.Problem as problem:
        response = problems.respond(problem.status, problem.detail)
        return _with("WWW-Authenticate", "Bearer", response)
    return conditional_page(view)(request, **rest)


def _visitor(request: HttpRequest) -> User | AnonymousUser:
    """Return the account of the request's token. One query if there is a token."""
    header = request.headers.get("Authorization")
    if header is None:
        return AnonymousUser()
    scheme, _, secret = header.partition(" ")
    if scheme.casefold() != "bearer":
        raise problems.Problem(401, BEARER)
    owner = tokens.owner_of(secret.strip())
    if owner is None:
        raise problems.Problem(401, NOT_VALID)
    return owner


def _with(header: str, value: str, response: HttpResponse) -> HttpResponse:
    response[header] = value
    return response
