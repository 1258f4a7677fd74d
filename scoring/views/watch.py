"""Looking on: the public page of a set, the view for the middle of the table, the standings."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from coalition_site.qr import qr_code

from .. import access, chart, queries, reports, show, splitting
from ..models import Game
from ..queries import Table
from ..rules.sets import SetState
from .boards import followed
from .links import public_address
from .tables import Request, is_known


@require_safe
@followed
def watch(request: Request, table: Table) -> HttpResponse:
    """Show a set to anybody: the board while it goes on, the final standings after it."""
    played = queries.games(table.game_set)
    state = queries.set_state(table, played)
    if request.htmx:
        return _fresh(request, table, played, state)
    address = public_address(request, table)
    seats = queries.seats_with_decks(table)
    group = access.group_shown(request, table.game_set)
    context: dict[str, Any] = {
        "table": table,
        "code": table.game_set.code,
        "ruleset": table.ruleset,
        "may_score": access.may_score(request, table.game_set),
        "address": address,
        "members_only": access.is_for_members(table.game_set),
        "qr": qr_code(address),
        "decks": show.decks(table, seats),
        "group": group,
        "may_score_for": group is not None and access.may_score_for(request, group),
        "player_keys": {seat.number: seat.player_id for seat in seats},
        **splitting.notes(table),
    }
    context["result"] = reports.in_words(table, state)
    if state.has_results:
        logs = queries.played_logs(played)
        context |= reports.final(table, played, state, logs)
        if table.ruleset.cap is None:
            context |= show.board(table, played[-1])
        else:
            context["chart"] = chart.race(table, state, logs)
        return render(request, "scoring/standings.html", context)
    context |= _now(table, played, state)
    return render(request, "scoring/watch.html", context)


def _fresh(request: Request, table: Table, played: list[Game], state: SetState) -> HttpResponse:
    """Return what is new, for a page that looks on."""
    if state.has_results:  # it becomes another page
        return HttpResponseClientRefresh()
    context = _now(table, played, state)
    if is_known(request, context["etag"]):
        return HttpResponseNotModified()
    context["group"] = access.group_shown(request, table.game_set)
    if context["group"]:
        context["player_keys"] = dict(table.game_set.seats.values_list("number", "player"))
    response = render(request, "scoring/_watch.html", context)
    response["ETag"] = context["etag"]
    return response


def _now(table: Table, played: list[Game], state: SetState) -> dict[str, Any]:
    """Return what the public page shows of a set that goes on."""
    context: dict[str, Any] = {
        "podium": reports.podium(table, state) if table.ruleset.is_ranked else [],
    }
    if played:
        context |= show.board(table, played[-1])
    if played and not context["peek"] and table.ruleset.has_turns:
        context |= reports.started(table, played)
    if state.is_finished and table.ruleset.splits_into:
        context["split"] = splitting.shown(table, played[-1])
    stamps = [context["split"]["stamp"]] if "split" in context else []
    return context | {"etag": queries.version(table, played, *stamps)}


@require_safe
@followed
def table_view(request: Request, table: Table) -> HttpResponse:
    """Show the board big, for a tablet between the players or a TV."""
    played = queries.games(table.game_set)
    etag = queries.version(table, played)
    if is_known(request, etag):
        return HttpResponseNotModified()
    context = {"code": table.game_set.code, "upright": "upright" in request.GET, "etag": etag}
    if played:
        context |= show.board(table, played[-1])
        context |= reports.sides(context["players"], upright=context["upright"])
    template = "scoring/_table.html" if request.htmx else "scoring/table.html"
    response = render(request, template, context)
    response["ETag"] = etag
    return response
