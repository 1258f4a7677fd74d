"""How heroes and coalition types do in a playgroup."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from coalition_site.lib.requests import Request

from ...models import Playgroup
from .. import statistics
from ..forms.board import NameForm
from .rooms import page_number, seen, shown


@require_safe
@seen
def heroes(request: Request, group: Playgroup) -> HttpResponse:
    """Show all heroes and types that decks had, the most played first."""
    results = statistics.group_results(group)
    context = {
        "heroes": statistics.totals_by(results, "hero"),
        "types": statistics.totals_by(results, "coalition_type"),
        "most": statistics.ROWS_MAX,
    }
    return shown(request, group, "heroes", context)


@require_safe
@seen
def hero(request: Request, group: Playgroup) -> HttpResponse:
    """Show how a hero does."""
    return _leader(request, group, "hero", {"what": "Hero", "beside": "coalition_type"})


@require_safe
@seen
def coalition_type(request: Request, group: Playgroup) -> HttpResponse:
    """Show how a coalition type does."""
    return _leader(request, group, "coalition_type", {"what": "Coalition type", "beside": "hero"})


def _leader(request: Request, group: Playgroup, by: str, said: dict[str, Any]) -> HttpResponse:
    form = NameForm(request.GET)
    if not form.is_valid():
        return _nobody(request, group)
    name = form.cleaned_data["name"]
    results = statistics.group_results(group).filter(**{by: name})
    page = statistics.page(results, page_number(request))
    if not page.results:
        return _nobody(request, group)
    context = said | {
        "name": name,
        "line": statistics.totals(results),
        "players": statistics.totals_by_player(results),
        "others": statistics.totals_by(results, said["beside"]),
        "page": page,
    }
    return shown(request, group, "hero", context)


def _nobody(request: Request, group: Playgroup) -> HttpResponse:
    return shown(request, group, "nobody", {}, status=404)
