"""A player's conspiracies on the player's own phone: sealed, looked at, turned up and revealed."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial, wraps
from typing import Any

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from coalition_site.lib.forms import Tap
from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request, View

from ...models import Game, GameSet, Seat
from ...pages.board import who
from ...rules.errors import NoSuchGame
from ...rules.formats.conspiracy import PutAgenda, TurnUp
from ...rules.formats.conspiracy.state import facts_of
from ...rules.formats.conspiracy.zone import StillSecret
from ...views.seat import acting_view, record_of_seat, seat_page
from .. import naming, sealing
from ..forms import SealForm
from .agendas import ELSEWHERE, reveal_all, seal, show_secret


def own_view(view: Callable[..., HttpResponseBase]) -> View:
    @acting_view
    @wraps(view)
    def handle(
        request: Request, game_set: GameSet, seat: Seat, number: int, **rest: Any
    ) -> HttpResponseBase:
        if PutAgenda not in game_set.rules.moves:
            raise Http404("There is no such thing in this format.")
        if game_set.named_game is None:
            return seat_page(request, game_set, NoSuchGame())
        return view(request, game_set, seat=seat, game=game_set.named_game, **rest)

    return handle


def _page(
    request: Request, game_set: GameSet, seat: Seat, game: Game, refused: Refused | None = None
) -> HttpResponse:
    closed = sealing.closed(game)
    shown = {
        "code": game_set.code,
        "number": game.number,
        "who": who(game_set, seat.number),
        "problem": refused.message(game_set.names) if refused else "",
        "closed": closed.message(game_set.names) if closed else "",
        "token": secrets.token_hex(16),  # makes a seal that is sent twice count once
        "conspiracies": [] if closed else list(naming.agendas()),
    }
    return render(request, "scoring/seat_agendas.html", shown, status=422 if refused else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
@own_view
@shows_refusals(_page)
@sensitive_variables()
def seal_own(request: Request, game_set: GameSet, seat: Seat, game: Game) -> HttpResponse:
    if request.method != "POST":
        return _page(request, game_set, seat, game)
    form = request.POST.copy()
    form["player"] = str(seat.number)
    data = cleaned_data(SealForm(form, names=game_set.names))
    secret = seal(request, game_set, game, data, partial(record_of_seat, seat))
    response = redirect("seat", game_set.code)
    sealing.store(request, response, game_set, data["token"], secret)
    return response


@sensitive_variables()
def _secret(request: Request, game_set: GameSet, seat: Seat, game: Game, seal: str) -> TurnUp:
    """Return what opens a seal of the player's.

    :raises Refused: if it is another's, or if this browser can't open it.
    """
    secret = sealing.opening(request, game_set, game, seal)
    if secret is None or secret.player != seat.number:
        raise Refused(ELSEWHERE)
    return secret


@require_POST
@own_view
@shows_refusals(seat_page)
@sensitive_variables()
def look_at_own(
    request: Request, game_set: GameSet, seat: Seat, game: Game, seal: str
) -> HttpResponse:
    secret = _secret(request, game_set, seat, game, seal)
    return show_secret(request, game_set, game, secret, "turn_up_own", "seat")


@require_POST
@own_view
@shows_refusals(seat_page)
@sensitive_variables()
def turn_up_own(
    request: Request, game_set: GameSet, seat: Seat, game: Game, seal: str
) -> HttpResponse:
    secret = _secret(request, game_set, seat, game, seal)
    record_of_seat(seat, game.number, secret, cleaned_data(Tap(request.POST))["tap_id"])
    return redirect("seat", game_set.code)


@require_POST
@own_view
@shows_refusals(seat_page)
def reveal_own(request: Request, game_set: GameSet, seat: Seat, game: Game) -> HttpResponse:
    state = sealing.state_of(game)
    if seat.number not in state.telling:
        raise StillSecret(player=seat.number)
    owed = [one.seal for one in facts_of(state, seat.number).face_down]
    if owed and not any(sealing.opening(request, game_set, game, seal) for seal in owed):
        raise Refused(ELSEWHERE)
    record = partial(record_of_seat, seat)
    return reveal_all(request, game_set, game, {seat.number}, record, "seat")
