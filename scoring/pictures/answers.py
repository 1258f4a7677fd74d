"""Answering with a picture: cached by its stamp, limited by address, private where that is."""

from collections import OrderedDict
from threading import Lock

from django.http import HttpResponse
from django.utils.cache import get_conditional_response

from coalition_site.lib import limits
from coalition_site.lib.problems import problem
from coalition_site.lib.requests import Request

from . import drawing, rendering
from .picture import Subject

DAY = 86_400
AGAIN = 2  # seconds after which a picture may be asked for again
# In each worker's memory, since /tmp is memory as well where the site runs in a container.
BYTES_MAX = 8_000_000


class Cache:
    """Pictures by stamp in this process: those asked for last, up to some bytes.

    >>> cache = Cache(most=5)
    >>> for stamp, png in (("a", b"123"), ("b", b"12"), ("c", b"1")):
    ...     cache.put(stamp, png)
    >>> [cache.get(stamp) for stamp in "abc"]
    [None, b'12', b'1']
    """

    def __init__(self, most: int = BYTES_MAX) -> None:
        self.most = most
        self.pictures: OrderedDict[str, bytes] = OrderedDict()
        self.lock = Lock()

    def get(self, stamp: str) -> bytes | None:
        with self.lock:
            if stamp in self.pictures:
                self.pictures.move_to_end(stamp)
            return self.pictures.get(stamp)

    def put(self, stamp: str, png: bytes) -> None:
        with self.lock:
            self.pictures[stamp] = png
            while sum(map(len, self.pictures.values())) > self.most:
                self.pictures.popitem(last=False)


cache = Cache()


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
            cache.put(subject.stamp, png)
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
