"""The card finder: its list follows what is typed, and what is chosen."""

from __future__ import annotations

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers
from django_htmx.http import replace_url, reswap, retarget

from coalition_site.lib.requests import Request

from .. import access
from ..catalogue import memory
from ..finder import search
from ..pages import finder as show
from ..pages.finder import FinderPage, ProblemPart, ResultsPart
from ..rules.expressions import fields
from ..rules.expressions.fields import Fields
from ..rules.expressions.nodes import Misread
from ..rules.expressions.reading import LENGTH_MAX

SEVERAL = ("colors", "identity")  # fields with a box for each colour


@require_safe
@cache_control(private=True, no_cache=True)
@vary_on_headers("HX-Request")
def finder(request: Request) -> HttpResponse:
    """Show the cards that an expression finds; htmx gets what is new on the page alone.

    The form's fields come without an expression, and are answered with the address of theirs.
    """
    page = _page_of(request.GET, getattr(access.deck_in_hand(request), "ruleset", ""))
    if not request.htmx or request.htmx.history_restore_request:
        if page.results and not page.is_typed:
            return redirect(show.address(page.text))
        return page.respond(request, status=422 if page.problem else 200)
    if page.problem:
        response = ProblemPart(**vars(page)).respond(request, status=422)
        return reswap(retarget(response, "#misread"), "outerHTML")
    response = ResultsPart(**vars(page)).respond(request)
    return replace_url(response, show.address(page.text))


def _page_of(asked: QueryDict, adds_to: str) -> FinderPage:
    is_typed = show.QUERY in asked or not set(fields.NAMES) & asked.keys()
    form, text = _fields(asked), asked.get(show.QUERY, "")
    catalogue, results, problem = memory.CATALOGUE.now(), None, None
    try:
        text = text if is_typed else fields.expression(form)
        page, today = _number(asked.get("page", "")), timezone.localdate()
        results = search.find(catalogue, text, page, today, adds_to)
    except Misread as misread:
        problem = show.problem(misread, text, is_typed=is_typed)
    return FinderPage(
        text=text,
        form=results.form if results else form,
        types=show.TypeOptions(tuple(catalogue.types)),
        is_typed=is_typed,
        results=results,
        problem=problem,
        as_of=catalogue.as_of,
    )


def _fields(asked: QueryDict) -> Fields:
    """Return the form as it was sent; what is too long for an expression is cut."""
    return Fields(
        **{
            name: "".join(asked.getlist(name))
            if name in SEVERAL
            else asked.get(name, "")[:LENGTH_MAX].strip()
            for name in fields.NAMES
        }
    )


def _number(text: str) -> int:
    """Return the number of a page; a wrong one is that of a page without cards."""
    if not text:
        return 1
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 6 else 0
