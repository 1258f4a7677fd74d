"""The page of a format: its rules, in a minute and whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from coalition_site.lib.pages import Page

from ..pages import guides
from ..pages.guides import Guide
from .back import place_of, way_back


@dataclass(kw_only=True)
class GuidePage(Page):
    """A format, for those who learn it; ``others`` are the formats beside it.

    ``back`` leads to the table at which somebody looks the rules up, if that is so.
    """

    template: ClassVar[str] = "scoring/guide.html"
    guide: Guide
    others: list[Guide]
    back: str


@require_safe
def guide(request: HttpRequest, format: str) -> HttpResponse:
    """Show the rules of a format."""
    chosen = guides.of(format)
    if chosen is None:
        raise Http404
    others = [other for other in guides.every() if other != chosen]
    back = way_back(place_of(request), request.GET.get("table", ""))
    return GuidePage(guide=chosen, others=others, back=back).respond(request)
