"""Between the games of a set: starting the next one, and ending the set early."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from coalition_site.lib.forms import first_error
from coalition_site.lib.requests import Request

from ..forms.tables import NextGameForm
from ..pages import board
from ..play import commands, scorekeepers
from ..play.queries import Table
from ..rules.errors import RuleError
from .score import show_refusal
from .tables import scorekeeper_view


@require_POST
@scorekeeper_view
def start_game(request: Request, table: Table, number: int) -> HttpResponse:
    """Start a game with the chosen player, or as the dice and the standings decide."""
    form = NextGameForm(request.POST, names=table.names)
    if not form.is_valid():
        return show_refusal(request, table, first_error(form))
    start = form.cleaned_data
    if number > 1 and not table.ruleset.orders_by_standing and start["first"] is None:
        return show_refusal(request, table, "Who starts? Choose that player first.")
    return _do(
        request,
        table,
        lambda: commands.start_game(
            table,
            number,
            first=start["first"],
            turn_order=start["turn_order"],
            dropped=start["dropped"],
            by=scorekeepers.get_or_give_number(request, table.game_set),
        ),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@scorekeeper_view
def change_start(request: Request, table: Table, number: int) -> HttpResponse:
    """Change who starts a game in which nothing has happened yet."""
    if request.method != "POST":
        return _ask_start(request, table, number)
    form = NextGameForm(request.POST, names=table.names)
    if not form.is_valid():
        return _ask_start(request, table, number, first_error(form))
    first, order = form.cleaned_data["first"], form.cleaned_data["turn_order"]
    if first is None:
        return _ask_start(request, table, number, "Who starts? Choose that player first.")
    return _do(
        request,
        table,
        lambda: commands.change_start(table, number, first=first, turn_order=order),
    )


def _ask_start(request: Request, table: Table, number: int, problem: str = "") -> HttpResponse:
    game = table.game
    if game is None or game.recent["lines"]:
        return redirect("score", table.game_set.code)
    context = board.board(board.read(table, game)) | {
        "problem": problem,
        "order": [board.who(table, seat) for seat in game.turn_order],
        "places": range(1, len(game.turn_order) + 1),
    }
    return render(request, "scoring/change_start.html", context, status=422 if problem else 200)


@require_POST
@scorekeeper_view
def take_back(request: Request, table: Table, number: int) -> HttpResponse:
    """Take back a game in which nothing has happened yet."""
    return _do(request, table, lambda: commands.take_back_game(table, number))


@require_POST
@scorekeeper_view
def call(request: Request, table: Table) -> HttpResponse:
    """End the set early, or continue it after all."""
    command = commands.reopen_set if "go_on" in request.POST else commands.call_set
    return _do(request, table, lambda: command(table))


def _do(request: Request, table: Table, action: Callable[[], object]) -> HttpResponse:
    try:
        action()
    except RuleError as refusal:
        return show_refusal(request, table, refusal.message(table.names))
    return redirect("score", table.game_set.code)
