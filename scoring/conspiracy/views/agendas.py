"""The command zone of Conspiracy: sealing what a conspiracy names, and opening the seal.

A secret stays out of the browser's history and outbox: it arrives in one form, and leaves as a
cookie that only the server can read. The browser that sealed it shows it when asked, on a page that
nothing stores.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import partial, wraps
from typing import Any
from uuid import UUID, uuid4

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from coalition_site.lib.forms import Tap
from coalition_site.lib.limits import limited
from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request, View

from ...models import Game, GameSet
from ...pages.board import about, read, who
from ...play import queries
from ...rules.errors import NoSuchGame, RuleError
from ...rules.formats.conspiracy import PutAgenda, TurnUp
from ...rules.formats.conspiracy.state import facts_of
from ...rules.formats.conspiracy.zone import NoSuchSeal
from ...rules.move import Move
from ...views.score import record_tap, show_refusal
from ...views.tables import record_entry, scorekeeper_view
from .. import naming, sealing
from ..boards import ConspiracyAdditions
from ..forms import SealForm, TypingForm

Recorder = Callable[[int, Move, UUID], object]
"""Records a move in a game, by its number, with the id of a tap."""

ELSEWHERE = (
    "This browser can't open that seal. Turn the conspiracy face up in the browser that sealed it. "
    "If that browser is lost, its player says the names once the game is over."
)
FULL = "This browser has no room for another secret. Seal it on another phone."


def conspiracy_view(view: View) -> View:
    """Pass the view a game of Conspiracy that the visitor may score; nothing stores its answer."""

    @scorekeeper_view
    @wraps(view)
    def handle(request: Request, game_set: GameSet, number: int, **rest: Any) -> HttpResponseBase:
        if PutAgenda not in game_set.rules.moves:
            raise Http404("There is no such thing in this format.")
        if game_set.named_game is None:
            return show_refusal(request, game_set, refused=NoSuchGame())
        response = view(request, game_set, game=game_set.named_game, **rest)
        patch_cache_control(response, no_store=True)
        return response

    return handle


def _zone(
    request: Request, game_set: GameSet, game: Game, refused: Refused | None = None
) -> HttpResponse:
    if refused:
        again = queries.find_game(game_set, game.number)  # it may have gone on meanwhile
        if again is None:
            return show_refusal(request, game_set, refused=refused)
        game = again
    state, closed = sealing.state_of(game), sealing.closed(game)
    shown = about(
        game_set,
        game,
        problem=refused.message(game_set.names) if refused else "",
        is_closed=state.has_begun or state.is_over,
        sealed=len(state.sealed),
        closed=closed.message(game_set.names) if closed else "",
        token=secrets.token_hex(16),  # makes a seal that is sent twice count once
        conspiracies=[] if closed else list(naming.agendas()),
        keeper=ConspiracyAdditions().for_scorekeeper(read(game_set, game), request.COOKIES),
    )
    response = render(request, "scoring/agendas.html", shown, status=422 if refused else 200)
    sealing.forget(request, response, game_set, game)
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
@conspiracy_view
@shows_refusals(_zone)
@sensitive_variables()
def agendas(request: Request, game_set: GameSet, game: Game) -> HttpResponse:
    if request.method != "POST":
        return _zone(request, game_set, game)
    data = cleaned_data(SealForm(request.POST, names=game_set.names))
    secret = seal(request, game_set, game, data, partial(record_entry, request, game_set))
    response = redirect("agendas", game_set.code, game.number)
    sealing.store(request, response, game_set, data["token"], secret)
    return response


@sensitive_variables()
def seal(
    request: Request, game_set: GameSet, game: Game, data: Mapping[str, Any], record: Recorder
) -> TurnUp:
    """Record a seal, and return what opens it.

    :raises Refused: if nothing can be sealed now, or not this.
    """
    # Even if the same form was sent before: a repeated form must not confirm a guess.
    if closed := sealing.closed(game):
        raise closed
    card, names = naming.checked(data["card"], data["names"])
    secret = sealing.secret(game_set, game.number, data["token"], data["player"], card, names)
    if not sealing.has_room(request, game_set, secret.seal):
        raise Refused(FULL)
    record(game.number, PutAgenda(secret.player, secret.seal), data["tap_id"])
    return secret


@require_POST
@limited("tap")
def complete(request: Request) -> HttpResponse:
    """Offer cards whose names somebody may be typing; posted, since addresses are logged."""
    typed = cleaned_data(TypingForm(request.POST))
    names = naming.completions(typed["second"] or typed["name"])
    return render(request, "scoring/_names.html", {"names": names})


@require_http_methods(["GET", "HEAD", "POST"])
@conspiracy_view
@shows_refusals(show_refusal)
def turn_up(request: Request, game_set: GameSet, game: Game, seal: str) -> HttpResponse:
    secret = _opening(request, game_set, game, seal)
    if request.method == "POST":
        tap_id = cleaned_data(Tap(request.POST))["tap_id"]
        return record_tap(request, game_set, game.number, secret, tap_id)
    if seal not in sealing.state_of(game).unproved:
        raise NoSuchSeal(player=secret.player)
    whose, at = who(game_set, secret.player), _place(game, secret)
    shown = about(game_set, game, seal=seal, whose=whose, at=at)
    return render(request, "scoring/turn_up.html", shown)


@sensitive_variables()
def _opening(request: Request, game_set: GameSet, game: Game, seal: str) -> TurnUp:
    secret = sealing.opening(request, game_set, game, seal)
    if secret is None:
        raise Refused(ELSEWHERE)
    return secret


def _place(game: Game, secret: TurnUp) -> int:
    agendas = facts_of(game.current_state, secret.player).agendas
    return 1 + [agenda.seal for agenda in agendas].index(secret.seal)


@require_POST
@conspiracy_view
@shows_refusals(show_refusal)
@sensitive_variables()
def look(request: Request, game_set: GameSet, game: Game, seal: str) -> HttpResponse:
    secret = _opening(request, game_set, game, seal)
    return show_secret(request, game_set, game, secret, "turn_up", "score")


@sensitive_variables()
def show_secret(
    request: Request, game_set: GameSet, game: Game, secret: TurnUp, turn_up: str, back: str
) -> HttpResponse:
    """Show a secret to its player; ``turn_up`` and ``back`` name the pages that follow."""
    at = _place(game, secret)
    is_face_down = facts_of(game.current_state, secret.player).agendas[at - 1].is_face_down
    address = reverse(turn_up, args=[game_set.code, game.number, secret.seal])
    shown = {
        "whose": who(game_set, secret.player),
        "at": at,
        "secret": secret,
        "texts": naming.Texts([secret.card]),
        "turn_up": address if is_face_down and not game.ended_at else "",
        "back": reverse(back, args=[game_set.code]),
    }
    return render(request, "scoring/look.html", shown)


@require_POST
@conspiracy_view
def reveal(request: Request, game_set: GameSet, game: Game) -> HttpResponse:
    """Open all seals of this browser whose players are out; after the game those of everybody.

    Conspiracies that a player has only said are opened as well, for proof. A page that sends this
    by itself gets no board in the answer: it hears of the change like all others, and would
    otherwise update twice.
    """
    telling = sealing.state_of(game).telling
    record = partial(record_entry, request, game_set)
    return reveal_all(request, game_set, game, telling, record, "score")


def reveal_all(
    request: Request,
    game_set: GameSet,
    game: Game,
    seats: Collection[int],
    record: Recorder,
    back: str,
) -> HttpResponse:
    for seal in [seal for seal, seat in sealing.state_of(game).unproved.items() if seat in seats]:
        secret = sealing.opening(request, game_set, game, seal)
        if secret:
            with suppress(RuleError):  # another browser may have been faster
                record(game.number, secret, uuid4())
    response = HttpResponse(status=204) if request.htmx else redirect(back, game_set.code)
    sealing.forget(request, response, game_set, queries.find_game(game_set, game.number) or game)
    return response
