"""The request as views get it."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django_htmx.middleware import HtmxDetails

View = Callable[..., HttpResponseBase]


class Request(HttpRequest):
    """A request with htmx's details, and the scorekeeper number for the browser.

    ``for_all`` is set where every viewer may have its answer: see ``scoring/views/boards.py``.
    """

    htmx: HtmxDetails
    scorekeeper: int
    for_all: tuple[str, int]
