"""The request as views get it, and addresses that come with it."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.middleware import HtmxDetails

View = Callable[..., HttpResponseBase]
Handler = Callable[[HttpRequest], HttpResponse]


class Request(HttpRequest):
    """A request with htmx's details, and the scorekeeper number for the browser."""

    # ``game_set`` is the table that the address names, once a view has got it. ``for_all`` is set
    # where every viewer may have the answer: see ``scoring/tables/boards.py``.

    htmx: HtmxDetails
    scorekeeper: int
    game_set: Any
    for_all: tuple[str, int]


def middleware(
    handle: Callable[[Handler, HttpRequest], HttpResponse],
) -> Callable[[Handler], Handler]:
    return lambda get_response: partial(handle, get_response)


def is_inside(address: str) -> bool:
    """Return whether an address is one of this site, given from its root.

    >>> is_inside("/start/"), is_inside("//example.org/"), is_inside("")
    (True, False, False)
    """
    return address.startswith("/") and url_has_allowed_host_and_scheme(address, allowed_hosts=None)
