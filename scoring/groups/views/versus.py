"""Everybody against everybody, and two players head to head."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from coalition_site.lib.requests import Request

from ...models import Playgroup
from ...pages.wording import format_name
from .. import grid, meetings, queries, statistics
from ..forms.board import VersusForm
from ..pages.statistics import VersusPage
from .decorators import group_view
from .formats import chosen_format
from .paging import page_number


@require_safe
@group_view
def versus(request: Request, group: Playgroup) -> HttpResponse:
    """Show the grid of all pairs; once two players are chosen, how they did in shared sets."""
    form = VersusForm(request.GET, players=queries.listed_players(group))
    page = VersusPage(group=group, form=form)
    if not form.is_chosen:
        _add_grid(request, page)
        return page.respond(request)
    if not form.is_valid():
        return page.respond(request, status=422)
    players = page.one, page.other = form.cleaned_data["a"], form.cleaned_data["b"]
    page.duel = meetings.duel(*players)
    met = meetings.against(*players)
    page.page = statistics.page(met, page_number(request), players=players)
    return page.respond(request)


def _add_grid(request: Request, page: VersusPage) -> None:
    met = meetings.of_group(page.group)
    formats = grid.formats(met)
    page.format = chosen_format(request, page.group, formats)
    page.formats = [(key, format_name(key)) for key in formats]
    page.grid = grid.lines(page.form.players.values(), met, page.format)
