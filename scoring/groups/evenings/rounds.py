"""A round of an evening: pairing, changing and beginning it, and its page for a screen."""

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from coalition_site.lib.pages import cleaned_data
from coalition_site.lib.qr import QUIET, qr_code
from coalition_site.lib.requests import Request

from ... import access
from ...models import Playgroup
from ..bases import group_page
from ..decorators import group_view, scorekeepers_view, takes_posts
from ..fields import any_error
from . import commands, queries, reseating
from .clock import Change, change_clock, clock_of
from .views import done, evening_page, find, find_player, tables_by_round

NO_TABLE = any_error("Choose a table.")


class SeatingForm(forms.Form):
    """All that the buttons of a round send; which of it counts depends on the button."""

    number = forms.IntegerField(required=False)
    draws = forms.IntegerField(required=False)
    player = forms.IntegerField(required=False, error_messages=any_error("Choose who moves."))
    table = forms.IntegerField(required=False, error_messages=NO_TABLE)
    merge = forms.IntegerField(required=False, error_messages=NO_TABLE)
    split = forms.IntegerField(required=False, error_messages=NO_TABLE)
    size = forms.IntegerField(required=False)
    before = forms.CharField(required=False)


class ClockForm(forms.Form):
    change = forms.ChoiceField(
        choices=Change, error_messages=any_error("Choose what happens to the clock.")
    )
    added = forms.IntegerField(required=False)


@takes_posts(scorekeepers_view, evening_page)
def pair(request: Request, group: Playgroup, number: int) -> HttpResponse:
    asked = cleaned_data(SeatingForm(request.POST))
    after = None if None in (asked["number"], asked["draws"]) else (asked["number"], asked["draws"])
    commands.pair_round(find(group, number), after=after)
    return redirect("evening", group.code, number)


@takes_posts(scorekeepers_view, evening_page)
def change_round(request: Request, group: Playgroup, number: int, round: int) -> HttpResponse:
    paired = get_object_or_404(find(group, number).rounds, number=round)
    asked = cleaned_data(SeatingForm(request.POST))
    if "begin" in request.POST:
        commands.begin_round(paired, draws=asked["draws"])
        return redirect(f"{reverse('round', args=[group.code, number, round])}?keys")
    if "again" in request.POST:
        reseating.draw_again(paired, asked["draws"])
    elif "merge" in request.POST:
        reseating.merge(paired, asked["merge"], asked["table"])
    elif "split" in request.POST:
        reseating.split(paired, asked["split"], asked["size"])
    elif "before" in request.POST:
        reseating.undo(paired, asked["before"])
    elif "undo" in request.POST:
        commands.undo_round(paired, asked["draws"])
    else:
        reseating.move(paired, find_player(group, asked["player"]), asked["table"])
    return redirect("evening", group.code, number)


@takes_posts(scorekeepers_view, evening_page)
def clock(request: Request, group: Playgroup, number: int, round: int) -> HttpResponse:
    changed = get_object_or_404(find(group, number).rounds, number=round)
    form = cleaned_data(ClockForm(request.POST))
    change_clock(changed, Change(form["change"]), added=form["added"])
    return done(request, group, number)


@require_safe
@never_cache
@group_view
def round(request: Request, group: Playgroup, number: int, round: int) -> HttpResponse:
    rows = queries.read_evening(find(group, number))
    shown = next((each for each in rows.rounds if each.number == round), None)
    if shown is None:
        raise Http404("There is no such round in this evening.")
    may_score_for = access.may_score_for(request, group)
    shows_keys = may_score_for and "keys" in request.GET
    tables = []  # each with its link, the QR code, and whether it is the scorekeeper's
    for table in tables_by_round(rows)[shown.pk]:
        address, is_secret = "", False
        if table.game_set and not table.is_finished:
            key = commands.table_key(rows.evening, round, table.number)
            is_secret = shows_keys and access.opens(key, table.game_set)
            code, name = table.game_set.code, "take_key" if is_secret else "watch"
            where = reverse(name, args=[code, key] if is_secret else [code])
            address = request.build_absolute_uri(where)
        tables.append((table, address, qr_code(address, QUIET) if address else "", is_secret))
    is_playing = any(table.is_playing for table, *_ in tables)
    return group_page(
        request,
        "groups/_round.html" if request.htmx else "groups/round.html",
        group,
        evening=rows.evening,
        round=shown,
        tables=tables,
        clock=clock_of(rows.evening, shown) if is_playing else None,
        may_score_for=may_score_for,
        shows_keys=shows_keys,
    )
