"""Responses made without Django, with the same policies, request number and log line."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from django.conf import settings

from . import observing

# Nothing inline, nothing from elsewhere but the pictures of cards, where the site's owner says so.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'{pictures}",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
# No device of the visitor's either; waking the screen and copying links stay allowed.
CLOSED = "camera display-capture geolocation microphone midi payment publickey-credentials-get usb"
PERMISSIONS = ", ".join(f"{feature}=()" for feature in CLOSED.split())


def policies() -> dict[str, str]:
    """Return the headers that say what a page may load and use."""
    from_elsewhere = settings.CARD_PICTURES == "scryfall"
    pictures = f" {settings.CARD_PICTURES_SOURCE}" if from_elsewhere else ""
    return {
        "Content-Security-Policy": POLICY.format(pictures=pictures),
        "Permissions-Policy": PERMISSIONS,
    }


async def answer(
    scope: Any, send: Any, view: str, status: int, headers: dict[str, str], body: bytes
) -> None:
    """Answer a request by ASGI; ``view`` is its name in the log and in metrics."""
    began, given = perf_counter(), dict(scope["headers"]).get(b"x-request-id", b"")
    number = observing.numbered(given.decode("latin-1"))
    everything = _policies() | headers | {"X-Request-ID": number}
    pairs = [(name.lower().encode(), value.encode()) for name, value in everything.items()]
    await send({"type": "http.response.start", "status": status, "headers": pairs})
    await send({"type": "http.response.body", "body": body})
    observing.note(scope["method"], view, status, perf_counter() - began)


def _policies() -> dict[str, str]:
    """Return the headers that the middlewares, Django's and ours, add to every response."""
    headers = policies() | {
        "X-Frame-Options": "DENY",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": settings.SECURE_REFERRER_POLICY,
        "Cross-Origin-Opener-Policy": settings.SECURE_CROSS_ORIGIN_OPENER_POLICY,
    }
    if settings.HTTPS:
        headers["Strict-Transport-Security"] = f"max-age={settings.SECURE_HSTS_SECONDS}"
    return headers
