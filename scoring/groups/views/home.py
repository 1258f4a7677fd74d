"""The way in: the home page, and starting a table."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_safe

from coalition_site.lib.limits import limited
from coalition_site.lib.requests import Request

from ... import access
from ...forms.tables import StartForm
from ...models import Playgroup
from ...pages import board, standings
from ...play import commands, queries
from ...play.errors import GroupRefused
from ...rules.formats import FORMATS, RULESETS
from .. import queries as group_queries
from ..pages.starting import HomePage, StartPage
from .decorators import scorekeepers_view


@require_safe
def home(request: Request) -> HttpResponse:
    """Show the tables that this browser keeps score of."""
    tables = [
        standings.summary(game_set, played)
        for game_set, played in queries.tables(access.keys(request))
        if access.may_score(request, game_set)
    ]
    return HomePage(tables=tables).respond(request)


@require_http_methods(["GET", "HEAD", "POST"])
@limited("start")
def start(request: Request) -> HttpResponseBase:
    """Start a table, of a playgroup if the request names it.

    Unless the players choose who begins, the first game starts at once.
    """
    code = request.POST.get("group") or request.GET.get("group")
    return _start_for(request, code=code.replace("\0", "")) if code else _start(request)


@scorekeepers_view
def _start_for(request: Request, group: Playgroup) -> HttpResponse:
    return _start(request, group)


def _start(request: Request, group: Playgroup | None = None) -> HttpResponse:
    if request.method != "POST":
        return _form(request, StartForm(), group)
    if "switch" in request.POST:  # to another format: the names that were typed stay
        return _form(request, StartForm(), group, request.POST.getlist("name"))
    form = StartForm(request.POST)
    if not form.is_valid():
        return _form(request, form, group)
    ruleset, names = RULESETS[form.cleaned_data["ruleset"]], form.cleaned_data["names"]
    place = [group.code] if group else []
    key = access.key_for(form.cleaned_data["tap_id"], ruleset.key, *names, *place)
    try:
        game_set = commands.create_set(ruleset, names, key=key, playgroup=group)
    except GroupRefused as refusal:
        form.add_error(None, str(refusal))
        return _form(request, form, group)
    if not ruleset.has_turns:
        commands.start_game(game_set, 1, first=1)
    elif not form.cleaned_data["starter"]:
        commands.start_game(game_set, 1)
    response = redirect("score", game_set.code)
    access.hand_over(request, response, game_set.code, key)
    return response


def _form(
    request: Request, form: StartForm, group: Playgroup | None, typed: Sequence[str] = ()
) -> HttpResponse:
    last = group_queries.last_set(group) if group else None
    again = last if last and request.GET.get("again") == last.code else None
    last_names = group_queries.names_at(last) if last else []
    names = form.names or list(typed) or (last_names if again else [])
    usual = group.ruleset if group else next(iter(RULESETS))
    chosen = RULESETS.get(form.data.get("ruleset", again.ruleset if again else ""))
    requested = FORMATS.get(request.GET.get("format", ""), ())
    rulesets = FORMATS[chosen.format] if chosen else requested or FORMATS[RULESETS[usual].format]
    chosen = chosen or (RULESETS[usual] if RULESETS[usual] in rulesets else rulesets[0])
    places = max(ruleset.players_max for ruleset in rulesets)
    seats = [
        (number, board.ARMS[number], name)
        for number, name in enumerate((names + [""] * places)[:places], 1)
    ]
    return StartPage(
        form=form,
        group=group,
        known=group_queries.known_names(group) if group else [],
        last=last,
        last_names=last_names,
        seats=seats,
        formats=[(key, board.format_name(key)) for key in FORMATS],
        format=chosen.format,
        rulesets=rulesets,
        usual=usual,
        chosen=chosen.key,
        seating_note=chosen.seating_note,
        has_turns=chosen.has_turns,
        starter=form.data.get("starter", ""),
    ).respond(request, status=422 if form.errors else 200)
