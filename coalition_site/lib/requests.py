"""A request as the middleware leaves it."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


class Request(HttpRequest):
    """With what htmx says of itself, and the scorekeeper's number that the browser is to get."""

    htmx: HtmxDetails
    scorekeeper: int
