"""Middlewares that see each request as a whole: its number, its line in the log, its time."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from contextvars import ContextVar
from time import perf_counter
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.db import connection
from django.http import HttpRequest, HttpResponse

from . import metrics

Handler = Callable[[HttpRequest], HttpResponse]
ID = re.compile("[A-Za-z0-9-]{8,64}")
request_id: ContextVar[str] = ContextVar("request_id", default="-")
METHODS = ("GET", "HEAD", "POST")

log = logging.getLogger(__name__)


def observe(get_response: Handler) -> Handler:
    """Give the request its number, the one of the proxy if it has one, count it and log it.

    The line names the view and not the address, which may have a secret.
    """

    def handle(request: HttpRequest) -> HttpResponse:
        began, number = perf_counter(), numbered(request.headers.get("X-Request-ID", ""))
        response = get_response(request)
        response["X-Request-ID"] = number
        view = request.resolver_match.view_name if request.resolver_match else "other"
        note(request.method or "", view, response.status_code, perf_counter() - began)
        return response

    return handle


def numbered(given: str) -> str:
    """Return the number of a request, ``given`` by the proxy or a new one: log lines have it from
    now on, until the next one, since Django itself says something after the answer."""
    number = given if ID.fullmatch(given) else uuid4().hex
    request_id.set(number)
    return number


def note(method: str, view: str, status: int, seconds: float) -> None:
    """Count a request that was answered, and log it."""
    metrics.REQUESTS.labels(view, status).inc()
    metrics.SECONDS.labels(view).observe(seconds)
    method, ms = method if method in METHODS else "other", round(seconds * 1000, 1)
    told = {"method": method, "view": view, "status": status, "ms": ms}
    log.info("%s %s %s", method, view, status, extra=told)


class Meter:
    """Counts statements, and the time that they take."""

    def __init__(self) -> None:
        self.count, self.seconds = 0, 0.0

    def __call__(self, execute: Callable[..., Any], *statement: Any) -> Any:
        began = perf_counter()
        try:
            return execute(*statement)
        finally:
            self.count += 1
            self.seconds += perf_counter() - began


def server_timing(get_response: Handler) -> Handler:
    """Tell the browser's tools, in DEBUG, how long the whole took, and the database."""
    if not settings.DEBUG:
        raise MiddlewareNotUsed

    def handle(request: HttpRequest) -> HttpResponse:
        began, meter = perf_counter(), Meter()
        with connection.execute_wrapper(meter):
            response = get_response(request)
        total = (perf_counter() - began) * 1000
        response["Server-Timing"] = (
            f'db;dur={meter.seconds * 1000:.1f};desc="{meter.count} statements", '
            f"total;dur={total:.1f}"
        )
        return response

    return handle
