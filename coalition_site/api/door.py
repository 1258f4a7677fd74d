"""What every address of the API does: methods, limits, who asks, parameters, pages of long lists.

No cookie counts here: a program shows a token, or it is a stranger.
"""

from collections.abc import Callable, Iterable
from datetime import date
from functools import wraps
from http import HTTPStatus
from itertools import islice
from typing import Any, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils import cache
from django.views.decorators.csrf import csrf_exempt

from scoring.groups.data.serializing import Json

from ..lib import limits
from . import tokens

T = TypeVar("T")

PAGE = 50  # items at a time
PAGES_MAX = 100_000
TRUTHS = {
    **dict.fromkeys(("1", "on", "t", "true", "y", "yes"), True),
    **dict.fromkeys(("0", "f", "false", "n", "no", "off"), False),
}
ALLOWED = "GET, HEAD, OPTIONS"
ONLY_READS = f"The API only reads: use {ALLOWED}. Tables are scored on the site’s pages."
NOT_VALID = (
    "This token is not valid: it was revoked, or not copied as a whole. Make another on your "
    "account page."
)
WITH_TOKEN = "send the token of an account that belongs to it."
BEARER = "Send a token as “Authorization: Bearer ctt_…”, or no such header for what is public."


class Problem(Exception):
    """A request that can't be answered; ``detail`` says what to do (RFC 9457)."""

    def __init__(self, status: int, detail: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(status, detail)
        self.response: HttpResponse = JsonResponse(
            {"status": status, "title": HTTPStatus(status).phrase, "detail": detail},
            status=status,
            content_type="application/problem+json",
            headers=headers,
            json_dumps_params={"ensure_ascii": False},
        )


def door(view: Callable[..., Json]) -> Callable[..., HttpResponse]:
    @csrf_exempt  # no cookie counts, and nothing is written
    @wraps(view)
    def handle(request: HttpRequest, **rest: Any) -> HttpResponse:
        response = HttpResponse(headers={"Allow": ALLOWED})
        if request.method != "OPTIONS":
            try:
                _admit(request)
                answer = JsonResponse(view(request, **rest))
                cache.set_response_etag(answer)
                same = cache.get_conditional_response(request, answer["ETag"], response=answer)
                response = same or answer
            except Problem as problem:
                response = problem.response
        cache.patch_cache_control(response, private=True, no_cache=True)
        cache.patch_vary_headers(response, ["Authorization"])
        if request.method in ("GET", "HEAD") and "Authorization" not in request.headers:
            # Pages of other sites may read what a stranger may. No preflight succeeds, so that
            # they can't send tokens: a token in a page is everybody's.
            response["Access-Control-Allow-Origin"] = "*"
            response["Access-Control-Expose-Headers"] = "ETag, Retry-After"
        return response

    return handle


def _admit(request: HttpRequest) -> None:
    # Let a request in as one of the account of its token. One query if there is a token.
    if request.method not in ("GET", "HEAD"):
        raise Problem(405, ONLY_READS, {"Allow": ALLOWED})
    if wait := limits.wait(request, "api"):
        detail = f"Too many requests from here. Try again in {wait} seconds."
        raise Problem(429, detail, {"Retry-After": str(wait)})
    request.COOKIES = {}
    request.user = AnonymousUser()
    if (header := request.headers.get("Authorization")) is not None:
        scheme, _, secret = header.partition(" ")
        is_bearer = scheme.casefold() == "bearer"
        owner = tokens.owner_of(secret.strip()) if is_bearer else None
        if owner is None:
            detail = NOT_VALID if is_bearer else BEARER
            raise Problem(401, detail, {"WWW-Authenticate": "Bearer"})
        request.user = owner


def or_404(row: T | None, detail: str) -> T:
    """:raises Problem: in the same words, whether it doesn't exist or isn't for this visitor."""
    if row is None:
        raise Problem(404, detail)
    return row


def link(request: HttpRequest, name: str, *args: object) -> str:
    return request.build_absolute_uri(reverse(name, args=args))


# --- parameters ---
def wrong(name: str, detail: str) -> Problem:
    return Problem(422, f"{name}: {detail}.")


def _read(request: HttpRequest, name: str, read: Callable[[str], T], problem: str) -> T | None:
    value = request.GET.get(name)
    try:
        return None if value is None else read(value)
    except (LookupError, ValueError):
        raise wrong(name, f"Input should be a valid {problem}") from None


def number(request: HttpRequest, name: str) -> int | None:
    return _read(request, name, int, "integer, unable to parse string as an integer")


def truth(request: HttpRequest, name: str) -> bool | None:
    kind = "boolean, unable to interpret input"
    return _read(request, name, lambda value: TRUTHS[value.lower()], kind)


def day(request: HttpRequest, name: str) -> date | None:
    return _read(request, name, date.fromisoformat, "date, like 2026-03-09")


def page(request: HttpRequest, rows: Iterable[T], written: Callable[[T], Json]) -> Json:
    asked = number(request, "page")
    at = 1 if asked is None else asked
    if at < 1:
        raise wrong("page", "Input should be greater than or equal to 1")
    if at > PAGES_MAX:
        raise wrong("page", f"Input should be less than or equal to {PAGES_MAX}")
    first, end = (at - 1) * PAGE, at * PAGE + 1  # one more, to know whether there is a next page
    items = list(rows[first:end] if isinstance(rows, QuerySet) else islice(rows, first, end))
    following = None
    if len(items) > PAGE:
        query = request.GET.copy()
        query["page"] = str(at + 1)
        following = request.build_absolute_uri(f"{request.path}?{query.urlencode()}")
    return {"items": [written(row) for row in items[:PAGE]], "page": at, "next": following}
