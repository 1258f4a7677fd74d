"""Answers in which Django has no part: with the same policies, a number and a line in the log."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from django.conf import settings

from . import observing

# Nothing inline, nothing from elsewhere.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
# Nor any device of the visitor's, but a screen that stays awake and a link that is copied.
CLOSED = "camera display-capture geolocation microphone midi payment publickey-credentials-get usb"
PERMISSIONS = ", ".join(f"{feature}=()" for feature in CLOSED.split())
POLICIES = {"Content-Security-Policy": POLICY, "Permissions-Policy": PERMISSIONS}


async def answer(
    scope: Any, send: Any, view: str, status: int, headers: dict[str, str], body: bytes
) -> None:
    """Answer a request by ASGI; ``view`` is what it is called in log and metrics."""
    began, given = perf_counter(), dict(scope["headers"]).get(b"x-request-id", b"")
    told = _policies() | headers | {"X-Request-ID": observing.numbered(given.decode("latin-1"))}
    pairs = [(name.lower().encode(), said.encode()) for name, said in told.items()]
    await send({"type": "http.response.start", "status": status, "headers": pairs})
    await send({"type": "http.response.body", "body": body})
    observing.note(scope["method"], view, status, perf_counter() - began)


def _policies() -> dict[str, str]:
    """Return what the middlewares, Django's and ours, say with every answer."""
    told = POLICIES | {
        "X-Frame-Options": "DENY",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": settings.SECURE_REFERRER_POLICY,
        "Cross-Origin-Opener-Policy": settings.SECURE_CROSS_ORIGIN_OPENER_POLICY,
    }
    if settings.HTTPS:
        told["Strict-Transport-Security"] = f"max-age={settings.SECURE_HSTS_SECONDS}"
    return told
