"""Splitting a draft into tables, and the list of cards that the app helps with."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from coalition_site.lib.forms import Tap
from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.requests import Request

from ... import access
from ...models import GameSet
from ...play import queries
from ...views.score import show_refusal
from ...views.tables import scorekeeper_view, viewer_view
from .. import drafts, pools
from ..cards import AIDS, CARDS


@require_POST
@scorekeeper_view
@shows_refusals(show_refusal)
def split(request: Request, game_set: GameSet) -> HttpResponse:
    """Seat a draft's players at tables; the browser gets the keys of all tables."""
    if not game_set.rules.splits_into:
        raise Http404("No tables come from this.")
    code, tap_id = game_set.code, cleaned_data(Tap(request.POST))["tap_id"]

    def key(number: int) -> str:
        return access.key_for(tap_id, code, str(number))

    tables = drafts.split(game_set, key)
    response = redirect("score", code)
    for number, seated in enumerate(tables, 1):
        if access.opens(key(number), seated):  # not if another tap has seated them
            access.hand_over(request, response, seated.code, key(number))
    return response


@require_safe
@viewer_view
def show_pools(request: Request, game_set: GameSet) -> HttpResponse:
    """Show what the players of a draft build their decks of."""
    game = queries.find_game(game_set, 1) if game_set.rules.splits_into else None
    if game is None:
        raise Http404("No decks are built here.")
    return pools.pools_page(game_set, game).respond(request)


@require_safe
def cards(request: Request) -> HttpResponse:
    """Show the cards that the Conspiracy document lists, each with what helps with it."""
    return render(request, "scoring/conspiracy_cards.html", {"cards": CARDS, "aids": AIDS})
