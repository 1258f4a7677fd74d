"""The request as views get it."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


class Request(HttpRequest):
    """A request with htmx's details, and the scorekeeper number for the browser."""

    htmx: HtmxDetails
    scorekeeper: int
