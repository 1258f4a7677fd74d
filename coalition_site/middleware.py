"""Small middlewares of the site."""

import logging
import re
from contextlib import suppress
from contextvars import ContextVar
from time import perf_counter
from uuid import uuid4
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import redirect
from django.urls import Resolver404, resolve
from django.utils import timezone

from .accounts.limits import SIGNED_IN, remember
from .lib import metrics
from .lib.requests import Handler, middleware
from .ops.health import ANSWERS

ID = re.compile("[A-Za-z0-9-]{8,64}")
request_id: ContextVar[str] = ContextVar("request_id", default="-")
METHODS = ("GET", "HEAD", "POST")

SENT_MAX = 2_000_000  # bytes: enough for a picture chosen by mistake instead of a deck list
FILES_MAX = {"/groups/import/": 3_100_000}  # a playgroup's document may be larger
TOO_MUCH = (
    "This is too large: 2 MB at most, 3 MB for a playgroup. Nothing was changed. Send less.\n"
)
# Nothing inline, nothing from elsewhere but the pictures of cards, where the site's owner says so.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'{pictures}; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
# No device of the visitor's either; waking the screen and copying links stay allowed.
CLOSED = "camera display-capture geolocation microphone midi payment publickey-credentials-get usb"
PERMISSIONS = ", ".join(f"{feature}=()" for feature in CLOSED.split())

log = logging.getLogger(__name__)


@middleware
def observe(get_response: Handler, request: HttpRequest) -> HttpResponse:
    """Number each request, with the proxy's number if it sends any, count it and log it."""
    began, given = perf_counter(), request.headers.get("X-Request-ID", "")
    number = given if ID.fullmatch(given) else uuid4().hex
    request_id.set(number)  # until the next: Django logs some things after the response
    response = get_response(request)
    response["X-Request-ID"] = number
    seconds, status = perf_counter() - began, response.status_code
    method = request.method if request.method in METHODS else "other"
    # Not the address, which may contain a secret.
    view = request.resolver_match.view_name if request.resolver_match else "other"
    metrics.counts.requests.labels(view, status).inc()
    metrics.counts.seconds.labels(view).observe(seconds)
    extra = {"method": method, "view": view, "status": status, "ms": round(seconds * 1000, 1)}
    log.info("%s %s %s", method, view, status, extra=extra)
    return response


@middleware
def answer_machines(get_response: Handler, request: HttpRequest) -> HttpResponse:
    # Monitoring uses any host name, and has no session.
    view = ANSWERS.get(request.path_info)
    if view is None:
        return get_response(request)
    request.resolver_match = resolve(request.path_info)  # so that it is counted by its name
    return view(request)


@middleware
def add_headers(get_response: Handler, request: HttpRequest) -> HttpResponse:
    """Say what pages may load, and ask search engines to leave out addresses with a code, number or
    secret in them."""
    # Those pages have people's names. A view whose page may be listed sets ``is_listed`` on its
    # response. Parts of pages, for htmx, have no such header.
    response = get_response(request)
    from_elsewhere = settings.CARD_PICTURES == "scryfall"
    pictures = f" {settings.CARD_PICTURES_SOURCE}" if from_elsewhere else ""
    response.headers["Content-Security-Policy"] = POLICY.format(pictures=pictures)
    response.headers["Permissions-Policy"] = PERMISSIONS
    match = request.resolver_match
    is_listed = getattr(response, "is_listed", match is None or not match.kwargs)
    if not is_listed and "HX-Request" not in request.headers:
        response.headers["X-Robots-Tag"] = "noindex"
    return response


@middleware
def know_the_visitor(get_response: Handler, request: HttpRequest) -> HttpResponse:
    """Take the visitor's time zone from a cookie; and tell scripts by another who is signed in."""
    # A line of JavaScript stores the zone. Taps that wait belong to an account.
    name = request.COOKIES.get("zone", "")
    try:
        zone = ZoneInfo(name) if name else None
    except (KeyError, ValueError, OSError):  # unknown, a path, or too long for a file
        zone = None
    with timezone.override(zone):
        response = get_response(request)
    if not request.session.accessed:  # nothing is asked of the database for that
        return response
    account = request.session.get(SESSION_KEY, "")
    is_remembered = SIGNED_IN in request.COOKIES or not account
    if is_remembered and account == request.COOKIES.get("account", ""):
        return response
    if account:
        age, secure = request.session.get_expiry_age(), request.is_secure()
        response.set_cookie("account", account, age, samesite="Lax", secure=secure)
        remember(response, account)  # here, since there are many ways to sign in
    else:
        response.delete_cookie("account", samesite="Lax")
    return response


class CompressPages(GZipMiddleware):
    """Compress pages; streams are sent as they are, piece by piece, and so are pictures."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if response.streaming or response.headers.get("Content-Type", "").startswith("image/"):
            return response
        return super().process_response(request, response)


@middleware
def refuse_too_much(get_response: Handler, request: HttpRequest) -> HttpResponse:
    if int(request.META.get("CONTENT_LENGTH") or 0) <= sent_max(request.path_info):
        return get_response(request)
    headers = {"Connection": "close"}  # the body is not read
    return HttpResponse(TOO_MUCH, "text/plain; charset=utf-8", 413, headers=headers)


def sent_max(path: str) -> int:
    return FILES_MAX.get(path, SENT_MAX)


@middleware
def lead_to_pages(get_response: Handler, request: HttpRequest) -> HttpResponse:
    """Lead whoever visits an address that only takes forms to the page whose form it is."""
    # That is the nearest page above it. Signing in leads to such addresses, and so does a reload.
    response = get_response(request)
    is_visit = request.method in ("GET", "HEAD")
    if not is_visit or response.status_code != 405 or "GET" in response["Allow"]:
        return response
    above = request.path_info
    while above != "/":
        above = above.rstrip("/").rpartition("/")[0] + "/"
        with suppress(Resolver404):
            resolve(above)
            break
    return redirect(above)
