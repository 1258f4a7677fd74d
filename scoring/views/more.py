"""The seldom things: life, poison, hero, monarch, holds; and what ends a game, asked first."""

from __future__ import annotations

from urllib.parse import urlencode
from uuid import uuid4

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from coalition_site.lib.forms import first_error

from ..forms.moves import MoveForm
from ..forms.taps import EACH, MoreForm
from ..models import Game
from ..pages import additions, board, endings
from ..play import queries
from ..play.queries import Table
from ..rules.errors import RuleError
from ..setlog import codec
from .score import refused
from .tables import Request, report, scored

ENDINGS = {name: move for name, move in codec.MOVES.items() if move.confirms}


@require_http_methods(["GET", "HEAD", "POST"])
@scored
def more(request: Request, table: Table, number: int) -> HttpResponse:
    """Offer the seldom things, and record one."""
    if request.method != "POST":
        return _more(request, table, number)
    if request.POST.get("ask") in ENDINGS:
        address = reverse("end", args=[table.game_set.code, number, request.POST["ask"]])
        seat = request.POST.get("player", "").replace(EACH, "")
        return redirect(f"{address}?{urlencode({'player': seat, 'players': seat})}")
    problem = _record(request, table, number, MoreForm(request.POST, names=table.names))
    if problem:
        return _more(request, table, number, problem)
    return redirect("score", table.game_set.code)


def _record(request: Request, table: Table, number: int, form: MoreForm | MoveForm) -> str:
    """Record what a form says; return why not, or nothing."""
    if not form.is_valid():
        return first_error(form)
    said = form.cleaned_data
    try:
        report(request, table, number, said["move"], said["tap_id"])
    except RuleError as refusal:
        return refusal.message(table.names)
    return ""


def _more(request: Request, table: Table, number: int, problem: str = "") -> HttpResponse:
    game = _running(table, number, problem)
    if game is None:
        return _elsewhere(request, table, problem)
    context = board.board(board.read(table, game)) | {
        "problem": problem,
        "player": request.POST.get("player"),
        "zones": board.ZONES,
        "notes": additions.of(table).notes(table),
    }
    return render(request, "scoring/more.html", context, status=422 if problem else 200)


def _running(table: Table, number: int, problem: str) -> Game | None:
    """Return the game, None if it has ended: these pages have no use for it then.

    After a problem it is read anew: it may have ended meanwhile.
    """
    game = queries.find_game(table, number) if problem else table.game
    return None if game is None or game.ended_at else game


def _elsewhere(request: Request, table: Table, problem: str) -> HttpResponse:
    """Show the table as it stands; what was asked for and could not be is told there."""
    if problem:
        return refused(request, table, problem)
    return redirect("score", table.game_set.code)


@require_http_methods(["GET", "HEAD", "POST"])
@scored
def end(request: Request, table: Table, number: int, what: str) -> HttpResponse:
    """Say what an ending will do, and do it when it is confirmed."""
    move = ENDINGS.get(what)
    if move not in table.ruleset.moves:
        raise Http404("Nothing ends that way.")
    form = MoveForm(move, _said(request), names=table.names)
    if request.method != "POST":
        return _ask(request, table, number, form)
    problem = _record(request, table, number, form)
    if problem:
        return _ask(request, table, number, form, problem)
    return redirect("score", table.game_set.code)


def _said(request: Request) -> QueryDict:
    """Return the form's data; before it is confirmed they stand in the address."""
    if request.method == "POST":
        return request.POST
    data = request.GET.copy()
    data["tap_id"] = str(uuid4())
    return data


def _ask(
    request: Request, table: Table, number: int, form: MoveForm, problem: str = ""
) -> HttpResponse:
    game = _running(table, number, problem)
    if game is None:
        return _elsewhere(request, table, problem)
    asked = form.cleaned_data.get("move") if form.is_valid() else None
    context = board.board(board.read(table, game)) | endings.preview(table, game, form.of, asked)
    context["problem"] = problem
    return render(request, "scoring/end.html", context, status=422 if problem else 200)
