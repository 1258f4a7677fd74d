"""Evenings: the list, the page of an evening, and what whoever runs it does there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from coalition_site.lib.limits import limited
from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.qr import qr_code
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ... import access
from ...models import Evening, Playgroup, Round
from .. import queries as group_queries
from ..evenings import commands, queries, standings
from ..forms.evenings import ArrivalForm, EveningForm, MoveForm
from ..pages import evenings as pages
from .decorators import group_view, scorekeepers_view


def evenings_page(
    request: Request, group: Playgroup, refused: Refused | None = None
) -> HttpResponse:
    """Show the evenings of a playgroup, and plan another."""
    form = EveningForm(request.POST if refused else None, initial=_usual(group))
    return pages.EveningsPage(
        group=group,
        refused=refused,
        evenings=queries.evenings(group),
        form=form,
        may_score_for=access.may_score_for(request, group),
    ).respond(request)


def _usual(group: Playgroup) -> dict[str, Any]:
    today = timezone.localdate()
    return {
        "name": f"{today:%A}, {today.day} {today:%B}",
        "ruleset": group.ruleset,
        "rounds": 2,
        "usual_size": 4,
    }


@require_safe
@group_view
def evenings(request: Request, group: Playgroup) -> HttpResponse:
    """Show the evenings of a playgroup, the latest first."""
    return evenings_page(request, group)


@require_POST
@limited("start")
@scorekeepers_view
@shows_refusals(evenings_page)
def plan(request: Request, group: Playgroup) -> HttpResponse:
    """Plan an evening, and open its page."""
    data = cleaned_data(EveningForm(request.POST))
    del data["tap_id"]
    evening = commands.create_evening(group, data.pop("name"), data.pop("ruleset"), **data)
    return redirect("evening", group.code, evening.number)


def evening_page(
    request: Request,
    group: Playgroup,
    number: int,
    refused: Refused | None = None,
    **_: Any,
) -> HttpResponse:
    """Show an evening, all of it or what changes on it."""
    evening = _find(group, number)
    stand = standings.standings(evening)
    here = {one.player.name for one in stand if one.here}
    page = pages.EveningPart if request.htmx else pages.EveningPage
    return page(
        group=group,
        refused=refused,
        evening=evening,
        ruleset=pages.ruleset_of(evening),
        rounds=[pages.shown_round(evening, each) for each in reversed(queries.rounds(evening))],
        standings=stand,
        absent=[name for name in group_queries.known_names(group) if name not in here],
        may_score_for=access.may_score_for(request, group),
        typed=request.POST.get("names", ""),
    ).respond(request)


def _find(group: Playgroup, number: int) -> Evening:
    evening = queries.find_evening(group, number)
    if evening is None:
        raise Http404("There is no such evening in this playgroup.")
    return evening


def _find_round(group: Playgroup, number: int, round: int) -> Round:
    found = _find(group, number).rounds.filter(number=round).first()
    if found is None:
        raise Http404("There is no such round in this evening.")
    found.evening.playgroup = group
    return found


@require_safe
@group_view
def evening(request: Request, group: Playgroup, number: int) -> HttpResponse:
    """Show an evening: rounds, tables, who is here, standings."""
    return evening_page(request, group, number)


@require_POST
@scorekeepers_view
@shows_refusals(evening_page)
def people(request: Request, group: Playgroup, number: int) -> HttpResponse:
    """Note who came, or that somebody left."""
    evening = _find(group, number)
    if "leave" in request.POST:
        player = group_queries.find_player(group, _key(request.POST["leave"]))
        if player is None:
            raise Refused("There is no such player in this playgroup. Reload the page.")
        commands.leave(evening, player)
    else:
        commands.arrive(evening, cleaned_data(ArrivalForm(request.POST))["names"])
    return redirect("evening", group.code, number)


def _key(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


@require_POST
@scorekeepers_view
@shows_refusals(evening_page)
def draw(request: Request, group: Playgroup, number: int) -> HttpResponse:
    """Draw the next round, or draw it again."""
    commands.draw_round(_find(group, number))
    return redirect("evening", group.code, number)


@require_POST
@scorekeepers_view
@shows_refusals(evening_page)
def end(request: Request, group: Playgroup, number: int) -> HttpResponse:
    """End an evening, or go on with it."""
    change = commands.reopen_evening if "reopen" in request.POST else commands.end_evening
    change(_find(group, number))
    return redirect("evening", group.code, number)


@require_POST
@scorekeepers_view
@shows_refusals(evening_page)
def change_round(request: Request, group: Playgroup, number: int, round: int) -> HttpResponse:
    """Begin a drawn round, take it back, or move somebody to another table."""
    drawn = _find_round(group, number, round)
    if "begin" in request.POST:
        commands.begin_round(drawn)
        return redirect("round", group.code, number, round)
    if "undo" in request.POST:
        commands.undo_round(drawn)
    else:
        data = cleaned_data(MoveForm(request.POST))
        player = group_queries.find_player(group, data["player"])
        if player is None:
            raise Refused("There is no such player in this playgroup. Reload the page.")
        commands.move(drawn, player, data["table"])
    return redirect("evening", group.code, number)


@require_http_methods(["GET", "HEAD"])
@never_cache
@group_view
def round(request: Request, group: Playgroup, number: int, round: int) -> HttpResponse:
    """Show the tables of a round, large, with QR codes: for a screen, or to print."""
    evening = _find(group, number)
    shown = next((each for each in queries.rounds(evening) if each.number == round), None)
    if shown is None:
        raise Http404("There is no such round in this evening.")
    may_score_for = access.may_score_for(request, group)
    shows_keys = may_score_for and "keys" in request.GET
    of_round = pages.shown_round(evening, shown)
    tables = [_linked(request, evening, round, each, shows_keys) for each in of_round.tables]
    return pages.RoundPage(
        group=group,
        evening=evening,
        round=replace(of_round, tables=tables),
        may_score_for=may_score_for,
        shows_keys=shows_keys,
    ).respond(request)


def _linked(
    request: Request, evening: Evening, round: int, table: pages.TableShown, shows_keys: bool
) -> pages.TableShown:
    """Return a table with the links to it; the scorekeeper's only if it ``shows_keys``."""
    if table.game_set is None:
        return table
    code = table.game_set.code
    watch = request.build_absolute_uri(reverse("watch", args=[code]))
    key = commands.table_key(evening, round, table.number)
    if not (shows_keys and access.opens(key, table.game_set)):
        return replace(table, watch=watch, watch_qr=qr_code(watch))
    secret = request.build_absolute_uri(reverse("take_key", args=[code, key]))
    return replace(table, watch=watch, secret=secret, secret_qr=qr_code(secret))
