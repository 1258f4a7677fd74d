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
from .lib.problems import problem
from .ops import health
from .ops.logs import is_unavailable

HOST_MAX = 100  # letters that are shown and logged
AGAIN = 10  # seconds until another try makes sense
STORED = "Taps on the pad are stored on this phone and will be sent by themselves. "
WAIT = STORED + "For anything else, wait a moment and reload the page."
AWAY = "The site can’t reach its database now", WAIT
BEHIND = "The site is being brought up to date", WAIT
TELL = STORED + "For anything else, tell whoever runs the site: its disk is full."
FULL = "The site’s disk is full", TELL

log = logging.getLogger(__name__)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    advice = "Check the link. A table's link ends in eight characters."
    return problem(request, 404, "Nothing here", advice)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if isinstance(exception, DisallowedHost):
        host = request.META.get("HTTP_HOST", "")[:HOST_MAX]
        log.warning("Refused a request for the host %r: it is not in COALITION_HOSTS.", host)
        return render(request, "wrong_host.html", status=400)
    advice = "Nothing was changed. Go back and try again."
    return problem(request, 400, "That was too large or damaged", advice)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Give a form back whose token is another session's; nobody's page but ours may send it."""
    if reason.startswith(("Origin checking failed", "Referer checking failed")):
        # Somebody else's page sent it, or the site, its proxy or the browser is set up wrongly.
        origin = request.headers.get("Origin", "null")
        sender = request.headers.get("Referer", "") if origin == "null" else origin
        sent = {
            "sender": "/".join(sender.split("/")[:3])[:HOST_MAX],  # without the page, if it has one
            "site": f"{request.scheme}://{request.get_host()}",
        }
        log.warning(
            "Refused a form from %(sender)r, for this is %(site)r: see COALITION_ORIGINS, "
            "COALITION_HTTPS, and the proxy's headers Host, X-Forwarded-Proto and Referrer-Policy.",
            sent,
        )
        return render(request, "wrong_origin.html", sent, status=403)
    if "HX-Request" in request.headers:  # the page that sent it is still there
        advice = "Nothing was changed. Reload the page and enter it again; cookies must be allowed."
        return problem(request, 403, "This page is too old", advice)
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


def server_error(request: HttpRequest) -> HttpResponse:
    # Answer that a page failed; or, with 503, that the database can't be reached.
    request.user = AnonymousUser()  # the database may be what failed
    error = sys.exc_info()[1]  # Django calls this while it handles the exception
    is_api = request.path_info.startswith("/api/v")
    if is_unavailable(error):
        reason = FULL if "is full" in str(error) or "No space left" in str(error) else AWAY
    elif isinstance(error, DatabaseError) and health.problem():
        reason = BEHIND
    elif is_api:
        return Problem(500, "Something went wrong here. Try again later.").response
    else:
        advice = "Nothing was changed. Reload the page."
        return problem(request, 500, "Something went wrong", advice)
    if is_api:
        response = Problem(503, f"{reason[0]}. Try again in {AGAIN} seconds.").response
    else:
        response = problem(request, 503, *reason)
    response.headers["Retry-After"] = str(AGAIN)
    return response
