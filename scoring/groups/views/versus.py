"""Everybody against everybody, and two players head to head."""

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from coalition_site.lib.requests import Request

from ...models import Playgroup
from ...pages.wording import format_name
from .. import meetings, queries, statistics
from ..forms.board import VersusForm, chosen_format, page_number
from ..pages.bases import group_page, live_tables
from .decorators import group_view

TEMPLATE = "groups/versus.html"


@require_safe
@group_view
def versus(request: Request, group: Playgroup) -> HttpResponse:
    """Show the grid of all pairs; once two players are chosen, how they did in shared sets."""
    form = VersusForm(request.GET, players=queries.listed_players(group))
    shown: dict[str, Any] = {"form": form, "playing": live_tables(group)}
    if not form.is_chosen:
        formats = meetings.formats_met(group)
        shown["format"] = chosen_format(request, group, formats)
        shown["formats"] = [(key, format_name(key)) for key in formats]
        shown["grid"] = meetings.grid(group, list(form.players.values()), shown["format"])
        return group_page(request, TEMPLATE, group, **shown)
    if not form.is_valid():
        return group_page(request, TEMPLATE, group, status=422, **shown)
    one, other = form.cleaned_data["a"], form.cleaned_data["b"]
    met = meetings.against(one, other)
    shown["duel"] = meetings.duel(one, other)
    shown["page"] = statistics.page(met, page_number(request), players=(one, other))
    return group_page(request, TEMPLATE, group, one=one, other=other, **shown)
