"""What happens less often: life, poison, hero, monarch; and what ends a game, with a preview."""

from __future__ import annotations

from uuid import uuid4

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ..forms.moves import MoveForm
from ..forms.taps import MoreForm
from ..models import Game, GameSet
from ..pages import endings
from ..pages.more import page as more_page
from ..play import queries
from ..setlog import codec
from .score import show_refusal
from .tables import record_entry, scorekeeper_view

ENDINGS = {name: move for name, move in codec.MOVES.items() if move.confirms}


def _more(
    request: Request, game_set: GameSet, number: int, refused: Refused | None = None
) -> HttpResponse:
    game = _in_progress(game_set, number, refused)
    if game is None:
        return _elsewhere(request, game_set, refused)
    problem = refused.message(game_set.names) if refused else ""
    page = more_page(game_set, game, request.POST.get("player"), problem)
    return render(request, "scoring/more.html", page, status=422 if refused else 200)


def _in_progress(game_set: GameSet, number: int, refused: Refused | None) -> Game | None:
    """Return the game, None if it is over: these pages are for games in progress.

    After a refusal it is read again, since it may have ended meanwhile.
    """
    game = queries.find_game(game_set, number) if refused else game_set.named_game
    return None if game is None or game.ended_at else game


def _elsewhere(request: Request, game_set: GameSet, refused: Refused | None) -> HttpResponse:
    if refused:
        return show_refusal(request, game_set, refused=refused)
    return redirect("score", game_set.code)


@require_http_methods(["GET", "HEAD", "POST"])
@scorekeeper_view
@shows_refusals(_more)
def more(request: Request, game_set: GameSet, number: int) -> HttpResponse:
    if request.method != "POST":
        return _more(request, game_set, number)
    data = cleaned_data(MoreForm(request.POST, names=game_set.names))
    record_entry(request, game_set, number, data["move"], data["tap_id"])
    return redirect("score", game_set.code)


def _ask(
    request: Request, game_set: GameSet, number: int, what: str, refused: Refused | None = None
) -> HttpResponse:
    game = _in_progress(game_set, number, refused)
    if game is None:
        return _elsewhere(request, game_set, refused)
    form = MoveForm(ENDINGS[what], _data(request), names=game_set.names)
    move = form.cleaned_data.get("move") if form.is_valid() else None
    problem = refused.message(game_set.names) if refused else ""
    page = endings.preview(game_set, game, form.of, move, problem)
    return render(request, "scoring/end.html", page, status=422 if refused else 200)


def _data(request: Request) -> QueryDict:
    """Return the form's data, which is in the address until it is confirmed."""
    if request.method == "POST":
        return request.POST
    data = request.GET.copy()
    data["tap_id"] = str(uuid4())  # a preview records nothing, but the form asks for an id
    return data


@require_http_methods(["GET", "HEAD", "POST"])
@scorekeeper_view
@shows_refusals(_ask)
def end(request: Request, game_set: GameSet, number: int, what: str) -> HttpResponse:
    move = ENDINGS.get(what)
    if move not in game_set.rules.moves:
        raise Http404("Nothing ends that way.")
    if request.method != "POST":
        return _ask(request, game_set, number, what)
    data = cleaned_data(MoveForm(move, request.POST, names=game_set.names))
    record_entry(request, game_set, number, data["move"], data["tap_id"])
    return redirect("score", game_set.code)
