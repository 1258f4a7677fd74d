"""The way in: the home page, and starting a table."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from .. import access, commands, queries, reports, show
from ..forms import StartForm
from ..rules.formats import RULESETS
from .tables import Request

SEATS = 5


@require_safe
def home(request: Request) -> HttpResponse:
    """Greet, and show the tables that this browser keeps score of."""
    held = access.keys(request)
    tables = [
        reports.summary(table, played)
        for table, played in queries.tables(held)
        if access.may_score(request, table.game_set)
    ]
    return render(request, "scoring/home.html", {"tables": tables})


@require_http_methods(["GET", "HEAD", "POST"])
def start(request: Request) -> HttpResponse:
    """Seat the players; by chance the first game starts at once."""
    if request.method != "POST":
        return _form(request, StartForm(), 200)
    form = StartForm(request.POST)
    if not form.is_valid():
        return _form(request, form, 422)
    ruleset, names = RULESETS[form.cleaned_data["ruleset"]], form.cleaned_data["names"]
    key = access.key_for(form.cleaned_data["tap_id"], ruleset.key, *names)
    table = commands.create_set(ruleset, names, key=key)
    if not form.cleaned_data["starter"]:
        commands.start_game(table, 1)
    response = redirect("score", table.game_set.code)
    access.hand_over(request, response, table.game_set.code, key)
    return response


def _form(request: Request, form: StartForm, status: int) -> HttpResponse:
    names = form.names or [""] * SEATS
    seats = [
        (number, show.ARMS[number], name)
        for number, name in enumerate((names + [""] * SEATS)[:SEATS], 1)
    ]
    context = {
        "form": form,
        "seats": seats,
        "rulesets": RULESETS.values(),
        "chosen": form.data.get("ruleset", next(iter(RULESETS))),
        "said": form.data.get("starter", ""),
    }
    return render(request, "scoring/start.html", context, status=status)
