"""The command zone of Conspiracy: sealing what a conspiracy names, and opening the seal.

A secret stays out of the browser's history and outbox: it arrives in one form, and leaves as a
cookie that only the server can read. The browser that sealed it shows it when asked, on a page that
nothing stores.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, ClassVar
from uuid import UUID, uuid4

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from coalition_site.lib.forms import Tap
from coalition_site.lib.limits import limited_taps
from coalition_site.lib.pages import Page, cleaned_data, shows_refusals
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request, View

from ...models import GameSet
from ...pages import board
from ...play import queries
from ...rules.errors import NoSuchGame, RuleError
from ...rules.formats.conspiracy import PutAgenda, TurnUp
from ...rules.formats.conspiracy.state import facts_of
from ...rules.formats.conspiracy.zone import NoSuchSeal
from ...rules.move import Move
from ...views.score import record_tap, show_refusal
from ...views.tables import record_entry, scorekeeper_view
from .. import naming, sealing
from ..boards import ConspiracyAdditions, SealAids
from ..forms import SealForm, TypingForm

Recorder = Callable[[int, Move, UUID], object]
"""Records a move in a game, by its number, with the id of a tap."""

ELSEWHERE = (
    "This browser can't open that seal. Turn the conspiracy face up in the browser that sealed it. "
    "If that browser is lost, its player says the names once the game is over."
)
FULL = "This browser has no room for another secret. Seal it on another phone."


@dataclass(kw_only=True)
class ZonePage(board.GamePage):
    """The command zone; ``closed`` says why nothing can be sealed, ``sealed`` counts the seals.

    ``token`` makes a seal that is sent twice count once.
    """

    template: ClassVar[str] = "scoring/agendas.html"
    is_closed: bool
    sealed: int
    closed: str
    token: str
    conspiracies: Sequence[str]
    keeper: SealAids


@dataclass(kw_only=True)
class TurnUpPage(board.GamePage):
    """The question before a seal is opened: it is number ``at`` of those of ``whose``."""

    template: ClassVar[str] = "scoring/turn_up.html"
    seal: str
    whose: board.Who
    at: int


@dataclass(kw_only=True)
class LookPage(Page):
    """What somebody sealed, for nobody else; ``turn_up`` is empty where that is not possible."""

    template: ClassVar[str] = "scoring/look.html"
    whose: board.Who
    at: int
    secret: TurnUp
    texts: naming.Texts
    turn_up: str
    back: str


def conspiracy_view(view: View) -> View:
    """Pass the view a scorekeeper's table of Conspiracy, and let nothing store its answer."""

    @scorekeeper_view
    @wraps(view)
    def handle(request: Request, game_set: GameSet, number: int, **rest: Any) -> HttpResponseBase:
        if PutAgenda not in game_set.rules.moves:
            raise Http404("There is no such thing in this format.")
        if game_set.named_game is None:
            return show_refusal(request, game_set, refused=NoSuchGame())
        response = view(request, game_set, number=number, **rest)
        patch_cache_control(response, no_store=True)
        return response

    return handle


def _zone(
    request: Request, game_set: GameSet, number: int, refused: Refused | None = None
) -> HttpResponse:
    game = queries.find_game(game_set, number) if refused else game_set.named_game
    if game is None:
        return show_refusal(request, game_set, refused=refused or NoSuchGame())
    closed = sealing.closed(game)
    state = sealing.state_of(game)
    current = board.read(game_set, game)
    page = ZonePage(
        board=board.board(current),
        problem=refused.message(game_set.names) if refused else "",
        is_closed=state.has_begun or state.is_over,
        sealed=len(state.sealed),
        closed=closed.message(game_set.names) if closed else "",
        token=secrets.token_hex(16),
        conspiracies=[] if closed else list(naming.agendas()),
        keeper=ConspiracyAdditions().for_scorekeeper(current, request.COOKIES),
    )
    response = page.respond(request, status=422 if refused else 200)
    sealing.forget(request, response, game_set, game)
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
@conspiracy_view
@shows_refusals(_zone)
@sensitive_variables()
def agendas(request: Request, game_set: GameSet, number: int) -> HttpResponse:
    """Show the command zone, and seal a conspiracy with hidden agenda."""
    if request.method != "POST":
        return _zone(request, game_set, number)
    data = cleaned_data(SealForm(request.POST, names=game_set.names))
    secret = seal(request, game_set, number, data, partial(record_entry, request, game_set))
    response = redirect("agendas", game_set.code, number)
    sealing.store(request, response, game_set, data["token"], secret)
    return response


@sensitive_variables()
def seal(
    request: Request, game_set: GameSet, number: int, data: Mapping[str, Any], record: Recorder
) -> TurnUp:
    """Record a seal, and return what opens it.

    :raises Refused: if nothing can be sealed now, or not this.
    """
    # Even if the same form was sent before: a repeated form must not confirm a guess.
    if game_set.named_game and (closed := sealing.closed(game_set.named_game)):
        raise closed
    card, names = naming.checked(data["card"], data["names"])
    secret = sealing.secret(game_set, number, data["token"], data["player"], card, names)
    if not sealing.has_room(request, game_set, secret.seal):
        raise Refused(FULL)
    record(number, PutAgenda(secret.player, secret.seal), data["tap_id"])
    return secret


@require_POST
@limited_taps
def complete(request: Request) -> HttpResponse:
    """Offer cards whose names somebody may be typing; posted, since addresses are logged."""
    typed = cleaned_data(TypingForm(request.POST))
    names = naming.completions(typed["second"] or typed["name"])
    return render(request, "scoring/_names.html", {"names": names})


@require_http_methods(["GET", "HEAD", "POST"])
@conspiracy_view
@shows_refusals(show_refusal)
def turn_up(request: Request, game_set: GameSet, number: int, seal: str) -> HttpResponse:
    """Turn a conspiracy face up, once that is confirmed."""
    assert game_set.named_game is not None
    secret = sealing.opening(request, game_set, game_set.named_game, seal)
    if secret is None:
        raise Refused(ELSEWHERE)
    if request.method != "POST":
        return _ask(request, game_set, secret.player, seal)
    tap_id = cleaned_data(Tap(request.POST))["tap_id"]
    return record_tap(request, game_set, number, secret, tap_id)


@require_POST
@conspiracy_view
@shows_refusals(show_refusal)
@sensitive_variables()
def look(request: Request, game_set: GameSet, number: int, seal: str) -> HttpResponse:
    """Show a player what was sealed, in the browser that sealed it."""
    assert game_set.named_game is not None
    secret = sealing.opening(request, game_set, game_set.named_game, seal)
    if secret is None:
        raise Refused(ELSEWHERE)
    return look_page(game_set, secret, "turn_up", "score").respond(request)


def look_page(game_set: GameSet, secret: TurnUp, turn_up: str, back: str) -> LookPage:
    """Return the page of a secret; it may lead to the address that turns it up, and ``back``."""
    assert game_set.named_game is not None
    code, number = game_set.code, game_set.named_game.number
    agendas = facts_of(sealing.state_of(game_set.named_game), secret.player).agendas
    at, agenda = next(
        (at, agenda) for at, agenda in enumerate(agendas, 1) if agenda.seal == secret.seal
    )
    may_turn_up = agenda.is_face_down and not game_set.named_game.ended_at
    return LookPage(
        whose=board.who(game_set, secret.player),
        at=at,
        secret=secret,
        texts=naming.Texts([secret.card]),
        turn_up=reverse(turn_up, args=[code, number, secret.seal]) if may_turn_up else "",
        back=reverse(back, args=[code]),
    )


def _ask(request: Request, game_set: GameSet, seat: int, seal: str) -> HttpResponse:
    assert game_set.named_game is not None
    state = sealing.state_of(game_set.named_game)
    if seal not in state.unproved:
        raise NoSuchSeal(player=seat)
    seals = [agenda.seal for agenda in facts_of(state, seat).agendas]
    page = TurnUpPage(
        board=board.board(board.read(game_set, game_set.named_game)),
        seal=seal,
        whose=board.who(game_set, seat),
        at=seals.index(seal) + 1,
    )
    return page.respond(request)


@require_POST
@conspiracy_view
def reveal(request: Request, game_set: GameSet, number: int) -> HttpResponse:
    """Open all seals of this browser whose players are out; after the game those of everybody.

    Conspiracies that a player has only said are opened as well, for proof. A page that sends this
    by itself gets no board in the answer: it hears of the change like all others, and would
    otherwise update twice.
    """
    assert game_set.named_game is not None
    state = sealing.state_of(game_set.named_game)
    record = partial(record_entry, request, game_set)
    return reveal_all(request, game_set, state.telling, record, "score")


def reveal_all(
    request: Request, game_set: GameSet, seats: Collection[int], record: Recorder, back: str
) -> HttpResponse:
    """Open all seals of some seats that this browser can open, and go ``back``."""
    game = game_set.named_game
    assert game is not None
    for seal in [seal for seal, seat in sealing.state_of(game).unproved.items() if seat in seats]:
        secret = sealing.opening(request, game_set, game, seal)
        if secret:
            with suppress(RuleError):  # another browser may have been faster
                record(game.number, secret, uuid4())
    response = HttpResponse(status=204) if request.htmx else redirect(back, game_set.code)
    sealing.forget(request, response, game_set, queries.find_game(game_set, game.number) or game)
    return response
