"""Pages of the site itself: the choice of colours, and what is shown when something is wrong."""

import sys

from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from . import unavailable
from .ops import health
from .theme import THEMES

YEAR = 365 * 24 * 60 * 60  # seconds


@require_POST
def choose_theme(request: HttpRequest) -> HttpResponse:
    """Keep the visitor's choice of colours, and go back to where it was made."""
    back = request.POST.get("back", "")
    inside = back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    response = HttpResponseRedirect(back if inside else "/")
    theme = request.POST.get("theme", "")
    if theme in THEMES:
        response.set_cookie("theme", theme, max_age=YEAR, samesite="Lax")
    return response


def unseen(request: HttpRequest, what_to_do: str, otherwise: str) -> HttpResponse:
    """Say that there is nothing here for the visitor, in the same words whether there is or not.

    Signing in leads back here; where something was posted, to the address ``otherwise``.
    """
    is_page = request.method in ("GET", "HEAD")
    back = request.get_full_path() if is_page else otherwise
    return _problem(request, 404, "Nothing here", what_to_do, back)


def _problem(
    request: HttpRequest, status: int, title: str, what_to_do: str, back: str = ""
) -> HttpResponse:
    context = {"title": title, "what_to_do": what_to_do, "back": back}
    return render(request, "problem.html", context, status=status)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _problem(
        request, 404, "Nothing here", "Check the link. A table's link ends in eight characters."
    )


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _problem(
        request, 400, "That was too much or damaged", "Nothing was changed. Go back and try again."
    )


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return _problem(
        request,
        403,
        "This page is too old",
        "Nothing was changed. Load the page anew and enter it again; cookies must be allowed.",
    )


def server_error(request: HttpRequest) -> HttpResponse:
    """Say that a page broke; or, with 503, that the database can't be reached."""
    request.user = AnonymousUser()  # the database may be what broke
    error = sys.exc_info()[1]  # Django calls this while it handles what broke
    told = unavailable.words(error) if unavailable.is_unavailable(error) else None
    if told is None and isinstance(error, DatabaseError) and health.problem():
        told = unavailable.BEHIND, unavailable.WAIT
    if told is None:
        return _problem(
            request, 500, "Something broke here", "Nothing was changed. Load the page anew."
        )
    response = _problem(request, 503, *told)
    response.headers["Retry-After"] = str(unavailable.AGAIN)
    return response
