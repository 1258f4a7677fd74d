"""Each request has a number, is counted, and has a line in the log."""

import logging
import re
from collections.abc import Callable
from contextvars import ContextVar
from time import perf_counter
from uuid import uuid4

from django.http import HttpRequest, HttpResponse

from . import metrics

Handler = Callable[[HttpRequest], HttpResponse]
ID = re.compile("[A-Za-z0-9-]{8,64}")
request_id: ContextVar[str] = ContextVar("request_id", default="-")
METHODS = ("GET", "HEAD", "POST")

log = logging.getLogger(__name__)


def observe(get_response: Handler) -> Handler:
    """Number each request, with the proxy's number if it sends any, count it and log it."""

    def handle(request: HttpRequest) -> HttpResponse:
        began, number = perf_counter(), numbered(request.headers.get("X-Request-ID", ""))
        response = get_response(request)
        response["X-Request-ID"] = number
        # Not the address, which may contain a secret.
        view = request.resolver_match.view_name if request.resolver_match else "other"
        note(request.method or "", view, response.status_code, perf_counter() - began)
        return response

    return handle


def numbered(given: str) -> str:
    """Return the number of a request, ``given`` by the proxy or new, and put it into log lines."""
    number = given if ID.fullmatch(given) else uuid4().hex
    request_id.set(number)  # until the next request: Django logs some things after the response
    return number


def note(method: str, view: str, status: int, seconds: float) -> None:
    metrics.counts.requests.labels(view, status).inc()
    metrics.counts.seconds.labels(view).observe(seconds)
    method, ms = method if method in METHODS else "other", round(seconds * 1000, 1)
    extra = {"method": method, "view": view, "status": status, "ms": ms}
    log.info("%s %s %s", method, view, status, extra=extra)
