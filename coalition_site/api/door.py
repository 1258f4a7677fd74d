"""The door of the API: methods, limits, who asks, and answers that are still the same.

No cookie counts here: a program shows a token, or it is a stranger.
"""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import conditional_page

from ..lib import limits
from . import tokens

Json = dict[str, Any]
CONTENT_TYPE = "application/problem+json"
ALLOWED = "GET, HEAD, OPTIONS"
ONLY_READS = f"The API only reads: use {ALLOWED}. Tables are scored on the site’s pages."
NOT_VALID = (
    "This token is not valid: it was revoked, or not copied as a whole. Make another on your "
    "account page."
)
BEARER = "Send a token as “Authorization: Bearer ctt_…”, or no such header for what is public."


class Problem(Exception):
    """A request that can't be answered; ``detail`` says what to do (RFC 9457)."""

    def __init__(self, status: int, detail: str, **headers: str) -> None:
        super().__init__(status, detail)
        self.status, self.detail = status, detail
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}

    def response(self) -> HttpResponse:
        title = HTTPStatus(self.status).phrase
        return JsonResponse(
            {"status": self.status, "title": title, "detail": self.detail},
            status=self.status,
            content_type=CONTENT_TYPE,
            headers=self.headers,
            json_dumps_params={"ensure_ascii": False},
        )


def door(view: Callable[..., Json]) -> Callable[..., HttpResponse]:

    @conditional_page
    def answer(request: HttpRequest, **rest: Any) -> HttpResponse:
        return JsonResponse(view(request, **rest))

    @csrf_exempt  # no cookie counts, and nothing is written
    @wraps(view)
    def handle(request: HttpRequest, **rest: Any) -> HttpResponse:
        method = request.method
        if method == "OPTIONS":
            response = HttpResponse(headers={"Allow": ALLOWED})
        else:
            try:
                _admit(request)
                response = answer(request, **rest)
            except Problem as problem:
                response = problem.response()
            finally:
                request.method = method
        patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ["Authorization"])
        if method in ("GET", "HEAD") and "Authorization" not in request.headers:
            # Pages of other sites may read what a stranger may. No preflight succeeds, so that
            # they can't send tokens: a token in a page is everybody's.
            response["Access-Control-Allow-Origin"] = "*"
            response["Access-Control-Expose-Headers"] = "ETag, Retry-After"
        return response

    return handle


def _admit(request: HttpRequest) -> None:
    """Let a request in as a GET of the account of its token. One query if there is a token."""
    if request.method not in ("GET", "HEAD"):
        raise Problem(405, ONLY_READS, Allow=ALLOWED)
    request.method = "GET"
    if wait := limits.wait(request, "api"):
        detail = f"Too many requests from here. Try again in {wait} seconds."
        raise Problem(429, detail, Retry_After=str(wait))
    request.COOKIES = {}
    request.user = AnonymousUser()
    if (header := request.headers.get("Authorization")) is not None:
        request.user = _owner(header)


def _owner(header: str) -> User:
    scheme, _, secret = header.partition(" ")
    if scheme.casefold() != "bearer":
        raise Problem(401, BEARER, WWW_Authenticate="Bearer")
    owner = tokens.owner_of(secret.strip())
    if owner is None:
        raise Problem(401, NOT_VALID, WWW_Authenticate="Bearer")
    return owner
