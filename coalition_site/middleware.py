"""Small middlewares of the site."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils import timezone

from .lib.answers import policies

Handler = Callable[[HttpRequest], HttpResponse]


def content_security(get_response: Handler) -> Handler:
    """Add to every response what its page may load and use."""

    def handle(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        for name, value in policies().items():
            response.headers[name] = value
        return response

    return handle


def search_engines(get_response: Handler) -> Handler:
    """Ask search engines to leave out addresses with a code, number or secret in them.

    People get there by a link, and those pages have people's names. A view whose page may be
    listed sets ``is_listed`` on its response. Parts of pages, for htmx, have no such header.
    """

    def handle(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        match = request.resolver_match
        is_listed = getattr(response, "is_listed", match is None or not match.kwargs)
        if not is_listed and "HX-Request" not in request.headers:
            response.headers["X-Robots-Tag"] = "noindex"
        return response

    return handle


class CompressPages(GZipMiddleware):
    """Compresses pages; streams are sent as they are, piece by piece, and so are pictures."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        is_as_it_is = response.streaming or response.get("Content-Type", "").startswith("image/")
        return response if is_as_it_is else super().process_response(request, response)


def visitor_zone(get_response: Handler) -> Handler:
    """Show times in the visitor's zone, which a line of JavaScript stores in a cookie."""

    def handle(request: HttpRequest) -> HttpResponse:
        name = request.COOKIES.get("zone", "")
        try:
            zone = ZoneInfo(name) if name else None
        except (KeyError, ValueError, OSError):  # unknown, a path, or too long for a file
            zone = None
        with timezone.override(zone):
            return get_response(request)

    return handle
