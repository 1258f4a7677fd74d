"""The page that a playgroup opens: its leaderboard, with what is being played on top."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import conditional_page, require_safe

from coalition_site.lib.requests import Request

from ... import access
from ...models import Playgroup
from ...results import ratings
from .. import leaderboard, pages, queries
from ..forms.board import BoardForm
from .rooms import seen


@require_safe
@seen
@conditional_page
def playing(request: Request, group: Playgroup) -> HttpResponse:
    """Show what is being played now, for the pages that have it on top."""
    context = {"group": group, "playing": pages.playing(queries.live_sets(group))}
    return render(request, "groups/_playing.html", context)


@require_safe
@seen
def board(request: Request, group: Playgroup) -> HttpResponse:
    """Show how everybody stands: this season, or whatever the address asks for."""
    seasons = queries.seasons(group)
    form = BoardForm(request.GET, seasons=seasons, today=queries.today(group), format=group.format)
    context = {
        "group": group,
        "form": form,
        "playing": pages.playing(queries.live_sets(group)),
        "may_score_for": access.may_score_for(request, group),
        "rated": ratings.PROVISIONAL,
        "waiting": group.claims_waiting if access.may_run(request, group) else 0,
    }
    if not form.is_valid():
        return render(request, "groups/board.html", context | {"rows": []}, status=422)
    found = leaderboard.board(group, form.wanted)
    context |= pages.table(found, form.column, form.wanted)
    context["evenings"] = pages.evenings(found.last)
    return render(request, "groups/board.html", context)
