"""Two players, head to head."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from coalition_site.lib.requests import Request

from ...models import Playgroup
from .. import queries, statistics
from ..forms.board import VersusForm
from .rooms import page_number, seen, shown


@require_safe
@seen
def versus(request: Request, group: Playgroup) -> HttpResponse:
    """Let two players be chosen, and show how they did in the sets that they shared."""
    form = VersusForm(request.GET, players=queries.listed_players(group))
    if not form.is_chosen:
        return shown(request, group, "versus", {"form": form})
    if not form.is_valid():
        return shown(request, group, "versus", {"form": form}, status=422)
    one, other = form.cleaned_data["a"], form.cleaned_data["b"]
    shared = statistics.results_of_others(one).filter(player=other)
    context = {
        "form": form,
        "one": one,
        "other": other,
        "meeting": statistics.meeting(one, other),
        "page": statistics.page(shared, page_number(request), players=(one, other)),
    }
    return shown(request, group, "versus", context)
