"""Answering with a picture: cached by its stamp, limited by address, private where that is."""

from django.core.cache.backends.locmem import LocMemCache
from django.http import HttpResponse
from django.utils.cache import get_conditional_response

from coalition_site.lib import limits
from coalition_site.lib.problems import problem
from coalition_site.lib.requests import Request

from . import drawing, rendering
from .picture import Subject

DAY = 86_400
AGAIN = 2  # seconds after which a picture may be asked for again
# In each worker's memory, since /tmp is memory as well where the site runs in a container: some
# 60 kB each, of which a third gives way where there are more.
cache = LocMemCache("pictures", {"TIMEOUT": None, "OPTIONS": {"MAX_ENTRIES": 120}})


def answer(request: Request, subject: Subject) -> HttpResponse:
    """Answer with a picture, as it is now whatever version the address names."""
    etag = f'"{subject.stamp}"'
    response = get_conditional_response(request, etag=etag, response=None)
    if response is None:
        png = cache.get(subject.stamp)
        if png is None:
            if refused := limits.refusal(request, "picture"):
                return refused
            try:
                png = rendering.png(drawing.svg(subject.draw()))
            except rendering.Busy:
                what_to_do = "Too many pictures are being drawn. Reload the page in a moment."
                response = problem(request, 503, "No picture yet", what_to_do)
                response["Retry-After"] = str(AGAIN)
                response["Cache-Control"] = "no-store"
                return response
            cache.set(subject.stamp, png)
        response = HttpResponse(png, content_type="image/png")
    if response.status_code in (200, 304):
        response["ETag"] = etag
        response["Cache-Control"] = (
            "private, no-cache"
            if subject.is_private
            # No longer than a day, in case that somebody then can't see it any more.
            else f"public, max-age={DAY}"
            if request.GET.get("v") == subject.stamp
            else "no-cache"
        )
    return response
