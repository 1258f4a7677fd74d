"""What is shown when something is wrong."""

import logging
import sys

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import DisallowedHost
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers

from .accounts.forms import LABELS
from .api.door import Problem
from .lib import unavailable
from .lib.problems import problem
from .ops import health

API = "/api/v"
HOST_MAX = 100  # letters that are shown and logged

log = logging.getLogger(__name__)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return problem(
        request, 404, "Nothing here", "Check the link. A table's link ends in eight characters."
    )


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if isinstance(exception, DisallowedHost):
        host = request.META.get("HTTP_HOST", "")[:HOST_MAX]
        log.warning("Refused a request for the host %r: it is not in COALITION_HOSTS.", host)
        return render(request, "wrong_host.html", status=400)
    return problem(
        request, 400, "That was too much or damaged", "Nothing was changed. Go back and try again."
    )


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Give a form back whose token is another session's; nobody's page but ours may send it.

    Passwords are typed again, and files chosen again: neither is given back.
    """
    if reason.startswith(("Origin checking failed", "Referer checking failed")):
        return _from_elsewhere(request)
    if "HX-Request" in request.headers:  # the page that sent it is still there
        return problem(
            request,
            403,
            "This page is too old",
            "Nothing was changed. Reload the page and enter it again; cookies must be allowed.",
        )
    entered = {name: request.POST.getlist(name) for name in request.POST}
    entered.pop("csrfmiddlewaretoken", None)
    context = {
        "passwords": [name for name in entered if "password" in name],
        "entered": {name: entered[name] for name in entered if "password" not in name},
        "files": list(request.FILES),
        "labels": LABELS,
    }
    response = render(request, "send_again.html", context, status=403)
    add_never_cache_headers(response)
    return response


def _from_elsewhere(request: HttpRequest) -> HttpResponse:
    """Answer that a form came from no page of the site, or that nothing says from which.

    Either somebody else's page sent it, or the site, its proxy or the browser is set up wrongly.
    """
    origin = request.headers.get("Origin", "null")
    sender = request.headers.get("Referer", "") if origin == "null" else origin
    context = {
        "sender": "/".join(sender.split("/")[:3])[:HOST_MAX],  # without the page, if it has one
        "site": f"{request.scheme}://{request.get_host()}",
    }
    log.warning(
        "Refused a form from %(sender)r, for this is %(site)r: see COALITION_ORIGINS, "
        "COALITION_HTTPS, and the proxy's headers Host, X-Forwarded-Proto and Referrer-Policy.",
        context,
    )
    return render(request, "wrong_origin.html", context, status=403)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer that a page failed; or, with 503, that the database can't be reached."""
    request.user = AnonymousUser()  # the database may be what failed
    error = sys.exc_info()[1]  # Django calls this while it handles the exception
    reason = unavailable.words(error) if unavailable.is_unavailable(error) else None
    if reason is None and isinstance(error, DatabaseError) and health.problem():
        reason = unavailable.BEHIND, unavailable.WAIT
    is_api = request.path_info.startswith(API)
    if reason is None and is_api:
        return Problem(500, "Something went wrong here. Try again later.").response()
    if reason is None:
        return problem(
            request, 500, "Something went wrong", "Nothing was changed. Reload the page."
        )
    response = (
        Problem(503, f"{reason[0]}. Try again in {unavailable.AGAIN} seconds.").response()
        if is_api
        else problem(request, 503, *reason)
    )
    response.headers["Retry-After"] = str(unavailable.AGAIN)
    return response
