"""The page of a format with its rules, and the way back from it to a table."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import NoReverseMatch, reverse
from django.views.decorators.http import require_safe

from ..pages import guides

PLACES = {
    "score": ("score", ""),
    "seat": ("seat", ""),
    "watch": ("watch", ""),
    "table": ("table", ""),
    "upright": ("table", "?upright"),
}


def place_of(request: HttpRequest, usual: str = "") -> str:
    place = request.GET.get("from", "")
    return place if place in PLACES else usual


def way_back(place: str, code: str) -> str:
    """Return the address of a place at a table, "" if there can't be any.

    Requests name a place and a table, and no address: so nobody is led to another site.
    """
    if place not in PLACES:
        return ""
    name, query = PLACES[place]
    try:
        return reverse(name, args=[code]) + query
    except NoReverseMatch:
        return ""


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
