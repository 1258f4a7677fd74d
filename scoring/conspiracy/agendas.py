"""The command zone of Conspiracy: sealing what a conspiracy names, and opening the seal.

A secret stays out of the browser's history and outbox: it arrives in one form, and leaves as a
cookie that only the server can read. The browser that sealed it shows it when asked, on a page that
nothing stores. The scorekeeper's pages do it for all players, each seat's own pages for one.
"""

import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables

from coalition_site.lib.forms import DAMAGED, Tap, any_error, check_showable
from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ..models import Game, GameSet, Seat
from ..record import queries
from ..record.queries import current_game
from ..rules.errors import NoSuchGame, RuleError
from ..rules.formats.conspiracy import closed
from ..rules.formats.conspiracy.state import facts_of, game_of
from ..rules.formats.conspiracy.zone import NoSuchSeal, PutAgenda, StillSecret, TurnUp
from ..rules.move import Move
from ..tables.board import about, who
from ..tables.common import (
    get_table,
    record_entry,
    require_game,
    require_scorer,
    shows_form,
    takes_posts,
)
from ..tables.score import record_tap, show_refusal
from ..tables.seat import record_of_seat, require_seat, seat_page
from ..tables.taps import seat_choices
from . import naming, sealing
from .boards import ConspiracyAdditions

NAMED_MAX = 150  # characters; the longest name of a card has 141
ELSEWHERE = (
    "This browser can't open that seal. Turn the conspiracy face up in the browser that sealed it. "
    "If that browser is lost, its player says the names once the game is over."
)
FULL = "This browser has no room for another secret. Seal it on another phone."


# --- forms: their error messages never repeat the secret ---
class Secret(forms.CharField):
    def __init__(self, what: str, **options: Any) -> None:
        errors = {
            "required": f"{what}: fill this in.",
            "max_length": f"{what}: {NAMED_MAX} characters at most.",
        }
        checks = [check_showable]
        super().__init__(max_length=NAMED_MAX, validators=checks, error_messages=errors, **options)


class SealForm(Tap):
    """``token`` comes from the page, so that sending the form twice makes the same seal."""

    player = forms.TypedChoiceField(coerce=int, error_messages=any_error("Choose whose it is."))
    token = forms.RegexField(r"^[0-9a-f]{32}\Z", error_messages=any_error(DAMAGED))
    card = Secret("Conspiracy")
    name = Secret("Named card")
    second = Secret("Second named card", required=False)

    def __init__(self, data: Any, *, names: dict[int, str]) -> None:
        super().__init__(data)
        player = self.fields["player"]
        assert isinstance(player, forms.TypedChoiceField)
        player.choices = seat_choices(names)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        names = tuple(filter(None, (cleaned.get("name"), cleaned.get("second"))))
        if len(set(names)) < len(names):
            raise ValidationError("Double agenda names two different cards.")
        return {**cleaned, "names": names}


def get_game(game_set: GameSet) -> Game:
    """:raises Http404: in other formats. :raises NoSuchGame: if it is not there any more."""
    if PutAgenda not in game_set.rules.moves:
        raise Http404("There is no such thing in this format.")
    return require_game(game_set)


def _recorder(
    request: Request, game_set: GameSet, seat: Seat | None
) -> Callable[[int, Move, UUID], object]:
    if seat:
        return partial(record_of_seat, seat)
    return partial(record_entry, request, game_set)


# --- sealing ---
def closed_now(game: Game) -> RuleError | None:
    """Return why nothing can be sealed in a game. Two queries, none once it has begun."""
    return closed(game.current_state, partial(queries.preparation, game))


def _form(game_set: GameSet, game: Game, refused: Refused | None) -> dict[str, Any]:
    why = closed_now(game)
    return {
        "problem": refused.message(game_set.names) if refused else "",
        "closed": why.message(game_set.names) if why else "",
        "token": secrets.token_hex(16),  # makes a seal that is sent twice count once
        "conspiracies": [] if why else list(naming.agendas()),
    }


def _zone(request: Request, code: str, number: int, refused: Refused | None = None) -> HttpResponse:
    game_set = get_table(request, code, number)
    # After a refusal it is read again, since it may have gone on meanwhile.
    game = queries.find_game(game_set, number) if refused else get_game(game_set)
    if game is None:
        raise NoSuchGame()
    state = game_of(game.current_state)
    shown = about(
        game_set,
        game,
        is_closed=state.has_begun or state.is_over,
        sealed=len(state.sealed),
        keeper=ConspiracyAdditions().for_scorekeeper(current_game(game_set, game), request.COOKIES),
        **_form(game_set, game, refused),
    )
    response = render(request, "conspiracy/agendas.html", shown, status=422 if refused else 200)
    sealing.forget(request, response, game_set, game)
    return response


@never_cache
@sensitive_post_parameters()
@shows_form(show_refusal)
@shows_refusals(_zone)
@sensitive_variables()
def agendas(request: Request, code: str, number: int) -> HttpResponse:
    game_set = get_table(request, code, number)
    require_scorer(request, game_set)
    if request.method == "POST":
        return _seal(request, game_set)
    return _zone(request, code, number)


def _own_form(
    request: Request, code: str, number: int, refused: Refused | None = None
) -> HttpResponse:
    game_set = get_table(request, code, number)
    seat, game = require_seat(request, game_set), get_game(game_set)
    shown = {
        "code": game_set.code,
        "number": game.number,
        "who": who(game_set, seat.number),
        **_form(game_set, game, refused),
    }
    return render(request, "conspiracy/seat_agendas.html", shown, status=422 if refused else 200)


@never_cache
@sensitive_post_parameters()
@shows_form(seat_page)
@shows_refusals(_own_form)
@sensitive_variables()
def seal_own(request: Request, code: str, number: int) -> HttpResponse:
    game_set = get_table(request, code, number)
    seat = require_seat(request, game_set)
    if request.method == "POST":
        return _seal(request, game_set, seat)
    return _own_form(request, code, number)


@sensitive_variables()
def _seal(request: Request, game_set: GameSet, seat: Seat | None = None) -> HttpResponse:
    """:raises Refused: if nothing can be sealed now, or not this."""
    game, form = get_game(game_set), request.POST.copy()
    if seat:
        form["player"] = str(seat.number)
    data = cleaned_data(SealForm(form, names=game_set.names))
    # Even if the same form was sent before: a repeated form must not confirm a guess.
    if why := closed_now(game):
        raise why
    card, names = naming.checked(data["card"], data["names"])
    secret = sealing.secret(game_set, game.number, data["token"], data["player"], card, names)
    if not sealing.has_room(request, game_set, secret.seal):
        raise Refused(FULL)
    record = _recorder(request, game_set, seat)
    record(game.number, PutAgenda(secret.player, secret.seal), data["tap_id"])
    code = game_set.code
    response = redirect("seat", code) if seat else redirect("agendas", code, game.number)
    sealing.store_secret(request, response, game_set, data["token"], secret)
    return response


# --- opening ---
@sensitive_variables()
def _secret(
    request: Request, game_set: GameSet, game: Game, seal: str, seat: Seat | None = None
) -> TurnUp:
    """:raises Refused: if the seal is not of the player at the ``seat``, or if this browser can't
    open it."""
    secret = sealing.opening(request, game_set, game, seal)
    if secret is None or (seat and secret.player != seat.number):
        raise Refused(ELSEWHERE)
    return secret


def _place(game: Game, secret: TurnUp) -> int:
    agendas = facts_of(game.current_state, secret.player).agendas
    return 1 + [agenda.seal for agenda in agendas].index(secret.seal)


@never_cache
@shows_form(show_refusal)
def turn_up(request: Request, code: str, number: int, seal: str) -> HttpResponse:
    game_set = get_table(request, code, number)
    require_scorer(request, game_set)
    game = get_game(game_set)
    secret = _secret(request, game_set, game, seal)
    if request.method == "POST":
        tap_id = cleaned_data(Tap(request.POST))["tap_id"]
        return record_tap(request, game_set, game.number, secret, tap_id)
    if seal not in game_of(game.current_state).unproved:
        raise NoSuchSeal(player=secret.player)
    whose, at = who(game_set, secret.player), _place(game, secret)
    shown = about(game_set, game, seal=seal, whose=whose, at=at)
    return render(request, "conspiracy/turn_up.html", shown)


@takes_posts(seat_page)
@sensitive_variables()
def turn_up_own(request: Request, code: str, number: int, seal: str) -> HttpResponse:
    game_set = get_table(request, code, number)
    seat, game = require_seat(request, game_set), get_game(game_set)
    secret = _secret(request, game_set, game, seal, seat)
    record_of_seat(seat, game.number, secret, cleaned_data(Tap(request.POST))["tap_id"])
    return redirect("seat", game_set.code)


@sensitive_variables()
def _look(request: Request, game_set: GameSet, seal: str, seat: Seat | None = None) -> HttpResponse:
    game = get_game(game_set)
    secret = _secret(request, game_set, game, seal, seat)
    turn_up, back = ("turn_up_own", "seat") if seat else ("turn_up", "score")
    at = _place(game, secret)
    is_face_down = facts_of(game.current_state, secret.player).agendas[at - 1].is_face_down
    address = reverse(turn_up, args=[game_set.code, game.number, secret.seal])
    shown = {
        "whose": who(game_set, secret.player),
        "at": at,
        "secret": secret,
        "texts": naming.texts_of(secret.card),
        "turn_up": address if is_face_down and not game.ended_at else "",
        "back": reverse(back, args=[game_set.code]),
    }
    return render(request, "conspiracy/look.html", shown)


@takes_posts(show_refusal)
def look(request: Request, code: str, number: int, seal: str) -> HttpResponse:
    game_set = get_table(request, code, number)
    require_scorer(request, game_set)
    return _look(request, game_set, seal)


@takes_posts(seat_page)
def look_at_own(request: Request, code: str, number: int, seal: str) -> HttpResponse:
    game_set = get_table(request, code, number)
    seat = require_seat(request, game_set)
    return _look(request, game_set, seal, seat)


def _reveal(request: Request, game_set: GameSet, seat: Seat | None = None) -> HttpResponse:
    """Open the seals of who is out, after the game of everybody, or the own, as far as this browser
    can open them."""
    game = get_game(game_set)
    state = game_of(game.current_state)
    if seat and seat.number not in state.telling:
        raise StillSecret(player=seat.number)
    seats = (seat.number,) if seat else state.telling
    # Those that a player has only claimed are opened as well, for proof.
    sealed = [seal for seal, of_seat in state.unproved.items() if of_seat in seats]
    opened = {seal: sealing.opening(request, game_set, game, seal) for seal in sealed}
    if seat:
        owed = [one.seal for one in facts_of(state, seat.number).face_down]
        if owed and not any(opened[seal] for seal in owed):
            raise Refused(ELSEWHERE)
    record = _recorder(request, game_set, seat)
    for secret in filter(None, opened.values()):
        with suppress(RuleError):  # another browser may have been faster
            record(game.number, secret, uuid4())
    # A page that sends this by itself hears of the change like all others: a board in the answer
    # would update it twice.
    back = redirect("seat" if seat else "score", game_set.code)
    response = HttpResponse(status=204) if request.htmx else back
    sealing.forget(request, response, game_set, queries.find_game(game_set, game.number) or game)
    return response


@takes_posts(show_refusal)
def reveal(request: Request, code: str, number: int) -> HttpResponse:
    game_set = get_table(request, code, number)
    require_scorer(request, game_set)
    return _reveal(request, game_set)


@takes_posts(seat_page)
def reveal_own(request: Request, code: str, number: int) -> HttpResponse:
    game_set = get_table(request, code, number)
    seat = require_seat(request, game_set)
    return _reveal(request, game_set, seat)
