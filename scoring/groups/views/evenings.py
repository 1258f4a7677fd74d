"""Evenings: the list, the page of an evening, and what whoever runs it does there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from coalition_site.lib.limits import limited
from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.qr import QUIET, qr_code
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ... import access
from ...models import Evening, Player, Playgroup, Round
from ...pictures import answers
from ...rules.formats import RULESETS
from .. import pictures
from .. import queries as group_queries
from ..evenings import cancelling, commands, queries
from ..evenings.standings import standings
from ..forms.evenings import ArrivalForm, CancelForm, ChipForm, DrawForm, EveningForm, MoveForm
from ..pages import evenings as pages
from ..pages.bases import group_page
from .decorators import group_view, scorekeepers_view


def evenings_page(
    request: Request, group: Playgroup, refused: Refused | None = None
) -> HttpResponse:
    """Show the evenings of a playgroup, and plan another."""
    form = EveningForm(request.POST if refused else None, initial=_usual(group))
    return group_page(
        request,
        "groups/evenings.html",
        group,
        refused,
        evenings=queries.evenings(group),
        form=form,
        messages=() if refused else messages.get_messages(request),
        now=timezone.now(),
        may_score_for=access.may_score_for(request, group),
    )


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
    rows = queries.read(_find(group, number))
    evening, rounds, standing = rows.evening, pages.shown_rounds(rows), standings(rows)
    may_score_for = access.may_score_for(request, group)
    may_change = may_score_for and not evening.ended_at
    return group_page(
        request,
        "groups/_evening.html" if request.htmx else "groups/evening.html",
        group,
        refused,
        evening=evening,
        ruleset=RULESETS[evening.ruleset],
        rounds=rounds,
        drawn=next((each for each in rounds if each.begun_at is None), None),
        next_number=len(rounds) + 1,
        standings=standing,
        chips=pages.chips(rows, everybody=may_change),
        count_here=sum(rows.here.values()),
        may_score_for=may_score_for,
        may_change=may_change,
        may_cancel=may_score_for and cancelling.is_unplayed(rows),
        typed=request.POST.get("names", ""),
        picture=pictures.of_evening(evening, standing).versioned,
    )


def _find(group: Playgroup, number: int) -> Evening:
    evening = queries.find_evening(group, number)
    if evening is None:
        raise Http404("There is no such evening in this playgroup.")
    evening.playgroup = group
    return evening


def _find_round(group: Playgroup, number: int, round: int) -> Round:
    evening = _find(group, number)
    drawn = evening.rounds.filter(number=round).first()
    if drawn is None:
        raise Http404("There is no such round in this evening.")
    drawn.evening = evening
    return drawn


def _find_player(group: Playgroup, key: int) -> Player:
    player = group_queries.find_player(group, key)
    if player is None:
        raise Refused("There is no such player in this playgroup. Reload the page.")
    return player


def _done(request: Request, group: Playgroup, number: int) -> HttpResponse:
    """Answer a change: with scripts the page then asks for what is new itself."""
    if request.htmx:
        return HttpResponse(status=204)
    return redirect("evening", group.code, number)


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
    evening, chip = _find(group, number), cleaned_data(ChipForm(request.POST))
    if chip["come"] is not None:
        commands.come(evening, _find_player(group, chip["come"]))
    elif chip["leave"] is not None:
        commands.leave(evening, _find_player(group, chip["leave"]))
    else:
        typed = cleaned_data(ArrivalForm(request.POST))
        commands.arrive(evening, typed["names"], as_guests=typed["as_guests"])
    return _done(request, group, number)


@require_POST
@scorekeepers_view
@shows_refusals(evening_page)
def draw(request: Request, group: Playgroup, number: int) -> HttpResponse:
    """Draw the next round, or draw it again."""
    form = DrawForm(request.POST)
    cleaned_data(form)
    commands.draw_round(_find(group, number), after=form.after)
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
def cancel(request: Request, group: Playgroup, number: int) -> HttpResponse:
    """Delete an evening on which nothing was played."""
    evening, form = _find(group, number), cleaned_data(CancelForm(request.POST))
    if form["evening"] != evening.pk:
        raise Refused("Another evening has this number by now. Reload the page.")
    cancelling.cancel_evening(evening)
    messages.success(request, f"{evening.name} is cancelled.")
    return redirect("evenings", group.code)


@require_POST
@scorekeepers_view
@shows_refusals(evening_page)
def change_round(request: Request, group: Playgroup, number: int, round: int) -> HttpResponse:
    """Begin a drawn round, take it back, or move somebody to another table."""
    drawn = _find_round(group, number, round)
    if "begin" in request.POST:
        commands.begin_round(drawn)
        return redirect(f"{reverse('round', args=[group.code, number, round])}?keys")
    if "undo" in request.POST:
        commands.undo_round(drawn)
        return redirect("evening", group.code, number)
    data = cleaned_data(MoveForm(request.POST))
    commands.move(drawn, _find_player(group, data["player"]), data["table"])
    return _done(request, group, number)


@require_safe
@never_cache
@group_view
def round(request: Request, group: Playgroup, number: int, round: int) -> HttpResponse:
    """Show the tables of a round, large, with QR codes: for a screen, or to print."""
    rows = queries.read(_find(group, number))
    shown = next((each for each in pages.shown_rounds(rows) if each.number == round), None)
    if shown is None:
        raise Http404("There is no such round in this evening.")
    may_score_for = access.may_score_for(request, group)
    shows_keys = may_score_for and "keys" in request.GET
    tables = [_linked(request, rows.evening, round, each, shows_keys) for each in shown.tables]
    return group_page(
        request,
        "groups/_round.html" if request.htmx else "groups/round.html",
        group,
        evening=rows.evening,
        round=replace(shown, tables=tables),
        may_score_for=may_score_for,
        shows_keys=shows_keys,
    )


def _linked(
    request: Request, evening: Evening, round: int, table: pages.TableShown, shows_keys: bool
) -> pages.TableShown:
    """Return a table with its link: the scorekeeper's if it ``shows_keys``, else that to watch."""
    if table.game_set is None or table.is_finished:
        return table
    key = commands.table_key(evening, round, table.number)
    is_secret = shows_keys and access.opens(key, table.game_set)
    code = table.game_set.code
    where = reverse("take_key", args=[code, key]) if is_secret else reverse("watch", args=[code])
    address = request.build_absolute_uri(where)
    return replace(table, address=address, qr=qr_code(address, QUIET), is_secret=is_secret)


@require_safe
@group_view
def picture(request: Request, group: Playgroup, number: int) -> HttpResponse:
    """Show an evening as a picture of its standings."""
    rows = queries.read(_find(group, number))
    return answers.answer(request, pictures.of_evening(rows.evening, standings(rows)))
