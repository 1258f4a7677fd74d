"""The names of the seats of a quick table, given or changed at any time."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ..forms.tables import NamesForm
from ..models import GameSet
from ..pages.board import who
from ..play import commands
from .tables import scorekeeper_view


def _page(request: Request, game_set: GameSet, refused: Refused | None = None) -> HttpResponse:
    names = {**game_set.names, **dict.fromkeys(game_set.unnamed, "")}
    seats = [
        (who(game_set, seat), request.POST.get(f"seat-{seat}", name))
        for seat, name in names.items()
    ]
    problem = refused.message(game_set.names) if refused else ""
    shown = {"code": game_set.code, "seats": seats, "problem": problem}
    return render(request, "scoring/names.html", shown, status=422 if refused else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@scorekeeper_view
@shows_refusals(_page)
def names(request: Request, game_set: GameSet) -> HttpResponse:
    """Show the names of the seats, and change them; a playgroup is asked who sat there."""
    if game_set.playgroup_id:
        return redirect("take_set", game_set.code)
    if request.method != "POST":
        return _page(request, game_set)
    form = NamesForm(request.POST, seats=game_set.names)
    cleaned_data(form)
    commands.name_seats(game_set, form.names)
    return redirect("score", game_set.code)
