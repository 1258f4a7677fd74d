"""Between the games of a set: starting the next game, and ending the set early."""

from django.http import HttpResponse
from django.shortcuts import redirect, render

from coalition_site.lib.pages import cleaned_data
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ..record import commands, scorekeepers
from ..rules.errors import RuleError
from .board import about, who
from .common import back_to_score, get_table, require_scorer, shows_form, takes_posts
from .forms import NextGameForm
from .score import show_refusal
from .set_clock import USUAL

WHO_STARTS = "Who starts? Choose that player first."
WHICH_ORDER = "What is the turn order? Choose a place for each player first."


@takes_posts(show_refusal)
def start_game(request: Request, code: str, number: int) -> HttpResponse:
    game_set = get_table(request, code, number)
    require_scorer(request, game_set)
    start = cleaned_data(NextGameForm(request.POST, names=game_set.names))
    orders = game_set.rules.orders_by_standing
    decides = orders if number > 1 else "roll" in request.POST
    if start["first"] is None and not decides:
        raise Refused(WHICH_ORDER if orders else WHO_STARTS)
    by = scorekeepers.get_or_assign_number(request, game_set)
    commands.start_game(game_set, number, by=by, **start)
    return back_to_score(request, code)


def _ask_start(
    request: Request, code: str, number: int, refused: Refused | None = None
) -> HttpResponse:
    game_set = get_table(request, code, number)
    game = game_set.named_game
    if game is None or game.recent["lines"]:
        return back_to_score(request, code)
    shown = about(
        game_set,
        game,
        problem=refused.message(game_set.names) if refused else "",
        order=[who(game_set, seat) for seat in game.turn_order],
        places=range(1, len(game.turn_order) + 1),
        is_decided=game.rolled,  # by the rules: then the order is chosen already
    )
    return render(request, "tables/change_start.html", shown, status=422 if refused else 200)


@shows_form(_ask_start)
def change_start(request: Request, code: str, number: int) -> HttpResponse:
    game_set = get_table(request, code, number)
    require_scorer(request, game_set)
    if request.method != "POST":
        return _ask_start(request, code, number)
    start = cleaned_data(NextGameForm(request.POST, names=game_set.names))
    if start["first"] is None:
        raise Refused(WHICH_ORDER if game_set.rules.orders_by_standing else WHO_STARTS)
    try:
        order = start["turn_order"]
        commands.change_start(game_set, number, first=start["first"], turn_order=order)
    except RuleError as refused:  # it is too late to ask again
        return show_refusal(request, code, refused=refused)
    return back_to_score(request, code)


@takes_posts(show_refusal)
def take_back(request: Request, code: str, number: int) -> HttpResponse:
    game_set = get_table(request, code, number)
    require_scorer(request, game_set)
    commands.take_back_game(game_set, number)
    return back_to_score(request, code)


@takes_posts(show_refusal)
def call(request: Request, code: str) -> HttpResponse:
    game_set = get_table(request, code)
    require_scorer(request, game_set)
    command = commands.reopen_set if "go_on" in request.POST else commands.call_set
    command(game_set)
    return back_to_score(request, code)


@takes_posts(show_refusal)
def set_clock(request: Request, code: str) -> HttpResponse:
    game_set = get_table(request, code)
    require_scorer(request, game_set)
    if {"on", "off"} & set(request.POST):
        commands.set_clock(game_set, USUAL if "on" in request.POST else 0)
    return redirect("links", code)
