"""Pages of long lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Annotated, Any, TypeVar

from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import Query

T = TypeVar("T")

PAGE = 50  # items at a time
PAGES_MAX = 100_000

PageNumber = Annotated[int, Query(alias="page", ge=1, le=PAGES_MAX, description="From 1.")]


def page(
    request: HttpRequest, rows: QuerySet[Any, T], number: int, shape: Callable[[T], dict[str, Any]]
) -> dict[str, Any]:
    """Return a page of rows, and the address of the next."""
    start = (number - 1) * PAGE
    return _page(request, list(rows[start : start + PAGE + 1]), number, shape)


def page_of(
    request: HttpRequest, rows: Iterable[T], number: int, shape: Callable[[T], dict[str, Any]]
) -> dict[str, Any]:
    """Return the same of rows that no query can choose."""
    start = (number - 1) * PAGE
    return _page(request, list(islice(rows, start, start + PAGE + 1)), number, shape)


def _page(
    request: HttpRequest, rows: list[T], number: int, shape: Callable[[T], dict[str, Any]]
) -> dict[str, Any]:
    items = [shape(row) for row in rows[:PAGE]]
    return {"items": items, "page": number, "next": _next(request, rows, number)}


def _next(request: HttpRequest, rows: list[Any], number: int) -> str | None:
    if len(rows) <= PAGE:
        return None
    query = request.GET.copy()
    query["page"] = str(number + 1)
    return request.build_absolute_uri(f"{request.path}?{query.urlencode()}")
