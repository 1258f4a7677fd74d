"""Answers for monitoring: is the site up, is it ready, how is it doing."""

from functools import cache

from django.conf import settings
from django.db import Error, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from ..lib import metrics as counted
from ..lib.requests import Handler

AWAY = "The database does not answer: check that it runs, and DATABASE_URL."


def plain(text: str, status: int = 200) -> HttpResponse:
    return HttpResponse(f"{text}\n", content_type="text/plain; charset=utf-8", status=status)


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    return plain("The process answers.")


@require_safe
@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    reason = problem()
    return plain(reason, 503) if reason else plain("Ready.")


def problem() -> str:
    """Return why visitors can't be served, and what to do; "" if they can."""
    try:
        missing = _needed() - MigrationRecorder(connection).applied_migrations().keys()
    except Error:
        return AWAY
    names = ", ".join(" ".join(migration) for migration in sorted(missing)[:3])
    return f"Run manage.py migrate: {len(missing)} not applied, {names}." if missing else ""


@cache  # reading them takes a while
def _needed() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None).graph.nodes)


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    if not settings.METRICS_TOKEN:
        return plain("Nothing here.", 404)
    sent = request.headers.get("Authorization", "")
    if not constant_time_compare(sent, f"Bearer {settings.METRICS_TOKEN}"):
        refusal = plain("Send the token: Authorization: Bearer …", 401)
        refusal["WWW-Authenticate"] = "Bearer"
        return refusal
    return HttpResponse(counted.text(), content_type=CONTENT_TYPE_LATEST)


ANSWERS: dict[str, Handler] = {"/healthz": healthz, "/readyz": readyz, "/metrics": metrics}
