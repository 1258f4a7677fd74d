"""The page that asks for a move of the format, and its recording."""

from __future__ import annotations

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from coalition_site.lib.forms import first_error
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ..forms.moves import MoveForm
from ..models import GameSet
from ..pages import additions
from ..pages.board import ARMS, about
from ..rules.errors import NoSuchGame
from ..setlog.codec import MOVES
from .score import record_tap, show_refusal
from .tables import scorekeeper_view


@require_http_methods(["GET", "HEAD", "POST"])
@scorekeeper_view
def own(request: Request, game_set: GameSet, number: int, what: str) -> HttpResponse:
    move = MOVES.get(what)
    if move not in game_set.rules.moves or not move.title or move.confirms:
        raise Http404("There is no such thing in this format.")
    if request.method == "POST":
        form = MoveForm(move, request.POST, names=game_set.names)
        if form.is_valid():
            asked = form.cleaned_data["move"]
            try:
                additions.of(game_set).check(asked, request.POST)
            except Refused as question:
                return show_refusal(request, game_set, refused=question, typed=request.POST)
            return record_tap(request, game_set, number, asked, form.cleaned_data["tap_id"])
        if request.htmx:  # a tap on the pad
            refused = Refused(first_error(form))
            return show_refusal(request, game_set, refused=refused, typed=request.POST)
        return _ask(request, game_set, form, first_error(form))
    initial = {name: _from_address(request.GET, name) for name in request.GET}
    return _ask(request, game_set, MoveForm(move, names=game_set.names, initial=initial))


def _from_address(data: QueryDict, name: str) -> str | list[str]:
    return [str(seat) for seat in data.getlist(name)] if name == "players" else str(data[name])


def _ask(request: Request, game_set: GameSet, form: MoveForm, problem: str = "") -> HttpResponse:
    if game_set.named_game is None:
        return show_refusal(request, game_set, refused=NoSuchGame())
    shown = about(game_set, game_set.named_game, problem=problem, form=form, of=form.of, arms=ARMS)
    return render(request, "scoring/own.html", shown, status=422 if problem else 200)
