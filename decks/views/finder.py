"""The card finder: its list follows what is typed, and what is chosen."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers
from django_htmx.http import replace_url, reswap, retarget

from coalition_site.lib.requests import Request

from .. import access, queries
from ..catalogue import memory
from ..finder import fields, search
from ..finder.expressions import LENGTH_MAX, Misread
from ..finder.fields import Form
from ..rules.rulesets import OF_CARDS

QUERY = "q"  # the expression
LEGAL = (
    ("", "All cards"),
    *((key, ruleset.title) for key, ruleset in OF_CARDS.items()),
    ("vintage", "Vintage"),
    ("legacy", "Legacy"),
)
SEVERAL = ("colors", "identity")  # fields with a box for each colour


@require_safe
@cache_control(private=True, no_cache=True)
@vary_on_headers("HX-Request")
def finder(request: Request) -> HttpResponse:
    """Show the cards that an expression finds; htmx gets what is new on the page alone.

    The form's fields come without an expression, and are answered with the address of theirs.
    """
    asked = request.GET
    is_typed = QUERY in asked or not set(fields.NAMES) & asked.keys()
    # What is too long for an expression is cut.
    form = {name: asked.get(name, "")[:LENGTH_MAX].strip() for name in fields.NAMES}
    form |= {name: "".join(asked.getlist(name)) for name in SEVERAL}
    text, catalogue, results, misread = asked.get(QUERY, ""), memory.CATALOGUE.now(), None, None
    try:
        text = text if is_typed else fields.expression(form)
        results = search.find(catalogue, text, _page(asked), timezone.localdate())
    except Misread as problem:
        misread = problem
    is_part = bool(request.htmx) and not request.htmx.history_restore_request
    if results and not is_typed and not is_part:
        return redirect(_address(text))
    shown = {
        "text": text,
        "is_typed": is_typed,
        "form": results.form if results else form,
        "results": results,
        "has_cards": bool(misread or (results and results.total) or queries.has_cards()),
        "misread": misread,
        "types": catalogue.types,
        "legal": LEGAL,
        "as_of": catalogue.as_of,
        "adds_to": getattr(access.deck_in_hand(request), "ruleset", ""),
        "address": _address,
        "with_fields": _with_fields,
    }
    if not is_part:
        return render(request, "decks/finder.html", shown, status=422 if misread else 200)
    if misread:
        response = render(request, "decks/_misread.html", shown, status=422)
        return reswap(retarget(response, "#misread"), "outerHTML")
    return replace_url(render(request, "decks/_answer.html", shown), _address(text))


def _page(asked: QueryDict) -> int:
    page = asked.get("page") or "1"
    is_number = page.isdecimal() and page.isascii() and len(page) < 6
    return int(page) if is_number else 0  # that of a page without cards


def _address(text: str, page: int = 1) -> str:
    asked: dict[str, Any] = ({QUERY: text} if text else {}) | ({"page": page} if page > 1 else {})
    return reverse("finder") + (f"?{urlencode(asked)}" if asked else "")


def _with_fields(form: Form, **values: str) -> str:
    return _address(fields.expression(form | values))
