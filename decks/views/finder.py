"""The card finder: a list that follows what is chosen and typed."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers
from django_htmx.http import replace_url
from django_htmx.middleware import HtmxDetails

from .. import queries
from ..finder import search
from ..finder.form import FinderForm


class Request(HttpRequest):
    """A request as the middleware leaves it."""

    htmx: HtmxDetails


@require_safe
@cache_control(private=True, no_cache=True)
@vary_on_headers("HX-Request")
def finder(request: Request) -> HttpResponse:
    """Show the cards that fit; htmx is given the list alone, and the address to show with it."""
    form = FinderForm(request.GET, types=queries.creature_types())
    found = search.find(form.search, timezone.localdate()) if form.is_valid() else None
    is_part = request.htmx and not request.htmx.history_restore_request
    response = render(
        request,
        "decks/_found.html" if is_part else "decks/finder.html",
        {"form": form, "found": found},
        status=200 if found else 422,
    )
    if is_part and found and found.search.page == 1:
        replace_url(response, reverse("finder") + form.query())
    return response
