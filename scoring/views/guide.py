"""The page of a format: its rules, in a minute and whole."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ..pages import guides
from .back import place_of, way_back


@require_safe
def guide(request: HttpRequest, format: str) -> HttpResponse:
    chosen = guides.of(format)
    if chosen is None:
        raise Http404
    shown = {
        **chosen.values,
        "guide": chosen,
        "others": [other for other in guides.GUIDES if other != chosen],
        "back": way_back(place_of(request), request.GET.get("table", "")),
    }
    return render(request, f"scoring/guides/{chosen.key}.html", shown)
