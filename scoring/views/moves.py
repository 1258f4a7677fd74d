"""What only one format knows: a page that asks for it, and its recording."""

from __future__ import annotations

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from coalition_site.lib.forms import first_error

from ..forms.moves import OwnForm
from ..pages import board
from ..play.queries import Table
from ..rules.errors import NoSuchGame
from ..setlog.codec import OWN_MOVES
from .score import refused, step, tap
from .tables import Request, scored


@require_http_methods(["GET", "HEAD", "POST"])
@scored
def own(request: Request, table: Table, number: int, what: str) -> HttpResponse:
    """Ask for one of the format's own moves, filled from the address, or record it."""
    move = OWN_MOVES.get(what)
    if move not in table.ruleset.moves:
        raise Http404("There is no such thing in this format.")
    if request.method == "POST":
        form = OwnForm(move, request.POST, names=table.names)
        if form.is_valid():
            said = form.cleaned_data["move"]
            said = step(request, said) if move.is_step else said
            return tap(request, table, number, said, form.cleaned_data["tap_id"])
        if request.htmx:  # a tap on the pad
            return refused(request, table, first_error(form), typed=request.POST)
        return _ask(request, table, form, first_error(form))
    asked = {name: _said(request.GET, name) for name in request.GET}
    return _ask(request, table, OwnForm(move, names=table.names, asked=asked))


def _said(data: QueryDict, name: str) -> str | list[str]:
    """Return what an address says of a field: several players are a list."""
    return data.getlist(name) if name == "players" else data[name]


def _ask(request: Request, table: Table, form: OwnForm, problem: str = "") -> HttpResponse:
    if table.game is None:
        return refused(request, table, NoSuchGame().told(table.names))
    context = board.board(board.read(table, table.game)) | {
        "form": form,
        "of": form.of,
        "arms": board.ARMS,
        "problem": problem,
    }
    return render(request, "scoring/own.html", context, status=422 if problem else 200)
