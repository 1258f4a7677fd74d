"""The way back from the rules: to the page of the table that somebody came from."""

from __future__ import annotations

from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse

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
