"""The request as views get it."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django_htmx.middleware import HtmxDetails

View = Callable[..., HttpResponseBase]


class Request(HttpRequest):
    """A request with htmx's details, and the scorekeeper number for the browser."""

    htmx: HtmxDetails
    scorekeeper: int
