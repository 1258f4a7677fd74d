"""Who may see what only those who run the site need."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest


def may_see_state(request: HttpRequest) -> bool:
    """Return whether the visitor is of the staff; ban list editors need not be."""
    user = request.user
    return bool(user.is_authenticated and user.is_active and user.is_staff)


def permissions(request: HttpRequest) -> dict[str, Any]:
    """Return what the admin's own pages ask, for their templates."""
    return {"may_see_state": may_see_state(request)}
