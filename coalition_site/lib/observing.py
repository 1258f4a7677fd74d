"""Each request has a number, is counted, and has a line in the log."""

import logging
import re
from contextvars import ContextVar
from time import perf_counter
from uuid import uuid4

from django.http import HttpRequest, HttpResponse

from . import metrics
from .requests import Handler, middleware

ID = re.compile("[A-Za-z0-9-]{8,64}")
request_id: ContextVar[str] = ContextVar("request_id", default="-")
METHODS = ("GET", "HEAD", "POST")

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
