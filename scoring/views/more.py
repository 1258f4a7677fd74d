"""The seldom things: life, poison, hero, monarch, holds; and what ends a game, asked first."""

from __future__ import annotations

from urllib.parse import urlencode
from uuid import uuid4

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from .. import commands, show
from ..forms import EACH, EndForm, MoreForm, first_error
from ..models import Game
from ..queries import Table
from ..rules.errors import RuleError
from .tables import Request, scored

ENDINGS = ("concede", "concede_to", "lose", "win", "draw", "turn")


@require_http_methods(["GET", "HEAD", "POST"])
@scored
def more(request: Request, table: Table, number: int) -> HttpResponse:
    """Offer the seldom things, and record one."""
    game = table.game
    if game is None or game.ended_at:
        return redirect("score", table.game_set.code)
    if request.method != "POST":
        return _more(request, table, game)
    if request.POST.get("ask") in ENDINGS:
        address = reverse("end", args=[table.game_set.code, number, request.POST["ask"]])
        seat = request.POST.get("player", "").replace(EACH, "")
        return redirect(f"{address}?{urlencode({'player': seat, 'players': seat})}")
    form = MoreForm(request.POST, names=table.names)
    if not form.is_valid():
        return _more(request, table, game, first_error(form))
    try:
        _record(table, number, form)
    except RuleError as refusal:
        return _more(request, table, game, refusal.told(table.names))
    return redirect("score", table.game_set.code)


def _record(table: Table, number: int, form: MoreForm | EndForm) -> None:
    said = form.cleaned_data
    commands.record(table, number, said["move"], tap_id=said["tap_id"], at=timezone.now())


def _more(request: Request, table: Table, game: Game, problem: str = "") -> HttpResponse:
    context = show.board(table, game) | {
        "problem": problem,
        "player": request.POST.get("player"),
        "zones": show.ZONES,
    }
    return render(request, "scoring/more.html", context, status=422 if problem else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@scored
def end(request: Request, table: Table, number: int, what: str) -> HttpResponse:
    """Say what an ending will do, and do it when it is confirmed."""
    if what not in ENDINGS:
        raise Http404("Nothing ends that way.")
    game = table.game
    if game is None or game.ended_at:
        return redirect("score", table.game_set.code)
    form = EndForm(what, _said(request), names=table.names)
    if request.method != "POST" or not form.is_valid():
        return _ask(request, table, game, form)
    try:
        _record(table, number, form)
    except RuleError as refusal:
        return _ask(request, table, game, form, refusal.told(table.names))
    return redirect("score", table.game_set.code)


def _said(request: Request) -> QueryDict:
    """Return the form's data; before it is confirmed they stand in the address."""
    if request.method == "POST":
        return request.POST
    data = request.GET.copy()
    data["tap_id"] = str(uuid4())
    return data


def _ask(
    request: Request, table: Table, game: Game, form: EndForm, problem: str = ""
) -> HttpResponse:
    asked = form.cleaned_data.get("move") if form.is_valid() else None
    if request.method == "POST" and not problem:
        problem = first_error(form)
    context = (
        show.board(table, game)
        | show.asked(table, game, form.what, asked)
        | {
            "problem": problem,
        }
    )
    return render(request, "scoring/end.html", context, status=422 if problem else 200)
