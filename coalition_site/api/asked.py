"""What a request to the API asks for, and pages of long lists."""

from collections.abc import Callable, Iterable
from datetime import date
from itertools import islice
from typing import TypeVar

from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse

from .door import Json, Problem

T = TypeVar("T")

PAGE = 50  # items at a time
PAGES_MAX = 100_000
TRUTHS = {
    **dict.fromkeys(("1", "on", "t", "true", "y", "yes"), True),
    **dict.fromkeys(("0", "f", "false", "n", "no", "off"), False),
}


def link(request: HttpRequest, name: str, *args: object) -> str:
    return request.build_absolute_uri(reverse(name, args=args))


def wrong(name: str, detail: str) -> Problem:
    return Problem(422, f"{name}: {detail}.")


def _read(request: HttpRequest, name: str, read: Callable[[str], T], problem: str) -> T | None:
    """Return a parameter as it is read; None if it isn't there."""
    value = request.GET.get(name)
    try:
        return None if value is None else read(value)
    except (LookupError, ValueError):
        raise wrong(name, problem) from None


def number(request: HttpRequest, name: str) -> int | None:
    problem = "Input should be a valid integer, unable to parse string as an integer"
    return _read(request, name, int, problem)


def truth(request: HttpRequest, name: str) -> bool | None:
    problem = "Input should be a valid boolean, unable to interpret input"
    return _read(request, name, lambda value: TRUTHS[value.lower()], problem)


def day(request: HttpRequest, name: str) -> date | None:
    problem = "Input should be a valid date, like 2026-03-09"
    return _read(request, name, date.fromisoformat, problem)


def fields(row: object, *names: str) -> Json:
    return {name: getattr(row, name) for name in names}


def page(request: HttpRequest, rows: Iterable[T], written: Callable[[T], Json]) -> Json:
    at = number(request, "page")
    at = 1 if at is None else at
    if at < 1:
        raise wrong("page", "Input should be greater than or equal to 1")
    if at > PAGES_MAX:
        raise wrong("page", f"Input should be less than or equal to {PAGES_MAX}")
    first, end = (at - 1) * PAGE, at * PAGE + 1  # one more, to know whether there is a next page
    found = list(rows[first:end] if isinstance(rows, QuerySet) else islice(rows, first, end))
    following = None
    if len(found) > PAGE:
        query = request.GET.copy()
        query["page"] = str(at + 1)
        following = request.build_absolute_uri(f"{request.path}?{query.urlencode()}")
    return {"items": [written(row) for row in found[:PAGE]], "page": at, "next": following}
