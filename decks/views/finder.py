"""The card finder: its list follows what is chosen and typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers
from django_htmx.http import replace_url

from coalition_site.lib.pages import Page
from coalition_site.lib.requests import Request

from .. import memory
from ..finder import search
from ..finder.form import FinderForm
from ..finder.search import Results


@dataclass(kw_only=True)
class FinderPage(Page):
    """The finder's form, and the cards that match; None if the form has problems."""

    template: ClassVar[str] = "decks/finder.html"
    form: FinderForm
    results: Results | None


@dataclass(kw_only=True)
class ResultsPart(FinderPage):
    """The matching cards alone, which htmx puts into the page."""

    template: ClassVar[str] = "decks/_results.html"


@require_safe
@cache_control(private=True, no_cache=True)
@vary_on_headers("HX-Request")
def finder(request: Request) -> HttpResponse:
    """Show the cards that fit; htmx gets the list alone, and the address to show with it."""
    form = FinderForm(request.GET, types=memory.CATALOGUE.now().types)
    results = search.find(form.search, timezone.localdate()) if form.is_valid() else None
    is_part = request.htmx and not request.htmx.history_restore_request
    page = (ResultsPart if is_part else FinderPage)(form=form, results=results)
    response = page.respond(request, status=200 if results else 422)
    if is_part and results and results.search.page == 1:
        replace_url(response, reverse("finder") + form.query())
    return response
