"""Two players, head to head."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from coalition_site.lib.requests import Request

from ...models import Playgroup
from .. import queries, statistics
from ..forms.board import VersusForm
from ..pages.statistics import VersusPage
from .decorators import group_view
from .paging import page_number


@require_safe
@group_view
def versus(request: Request, group: Playgroup) -> HttpResponse:
    """Let the visitor choose two players, and show how they did in their shared sets."""
    form = VersusForm(request.GET, players=queries.listed_players(group))
    page = VersusPage(group=group, form=form)
    if not form.is_chosen:
        return page.respond(request)
    if not form.is_valid():
        return page.respond(request, status=422)
    players = page.one, page.other = form.cleaned_data["a"], form.cleaned_data["b"]
    shared = statistics.results_of_others(page.one).filter(player=page.other)
    page.meeting = statistics.meeting(*players)
    page.page = statistics.page(shared, page_number(request), players=players)
    return page.respond(request)
