"""Votes: called by a card, by the scorekeeper or on a player's phone, and taken back as a whole."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from coalition_site.lib.forms import Tap
from coalition_site.lib.pages import Page, cleaned_data, shows_refusals
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ...models import GameSet, Seat
from ...pages import board
from ...play import queries, scorekeepers
from ...rules.formats.conspiracy.counting import DILEMMA, WILL
from ...views.score import answer, record_tap, show_refusal
from ...views.seat import record_of_seat
from .. import sealing, votes
from ..cards import VOTES
from ..forms import VoteCardForm
from .agendas import conspiracy_view
from .seat_agendas import own_view


@dataclass(kw_only=True)
class VotePage(board.GamePage):
    """The votes that the scorekeeper can call for the active player."""

    template: ClassVar[str] = "scoring/votes.html"
    cards: Collection[str] = tuple(VOTES)


@dataclass(kw_only=True)
class CallPage(Page):
    """The votes that a player can call; ``closed`` says why none can be called."""

    template: ClassVar[str] = "scoring/seat_votes.html"
    code: str
    number: int
    who: board.Who
    problem: str
    closed: str
    cards: Collection[str] = tuple(VOTES)
    kinds: Collection[str] = (WILL, DILEMMA)


@require_http_methods(["GET", "HEAD", "POST"])
@conspiracy_view
@shows_refusals(show_refusal)
def call(request: Request, game_set: GameSet, number: int) -> HttpResponse:
    """Show the cards whose votes can be called, and call one for the active player."""
    assert game_set.named_game is not None
    if request.method != "POST":
        shown = board.board(board.read(game_set, game_set.named_game))
        return VotePage(board=shown).respond(request)
    data = cleaned_data(VoteCardForm(request.POST))
    active = sealing.state_of(game_set.named_game).active
    vote = votes.of_card(data["vote_card"], data["name"], active)
    return record_tap(request, game_set, number, vote, data["tap_id"])


def _page(
    request: Request, game_set: GameSet, seat: Seat, number: int, refused: Refused | None = None
) -> HttpResponse:
    assert game_set.named_game is not None
    closed = votes.closed(sealing.state_of(game_set.named_game), seat.number)
    page = CallPage(
        code=game_set.code,
        number=number,
        who=board.who(game_set, seat.number),
        problem=refused.message(game_set.names) if refused else "",
        closed=closed.message(game_set.names) if closed else "",
    )
    return page.respond(request, status=422 if refused else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@own_view
@shows_refusals(_page)
def call_own(request: Request, game_set: GameSet, seat: Seat, number: int) -> HttpResponse:
    """Show a player the cards whose votes can be called, and call the vote of one."""
    assert game_set.named_game is not None
    if request.method != "POST":
        return _page(request, game_set, seat, number)
    data = cleaned_data(VoteCardForm(request.POST))
    vote = votes.of_card(data["vote_card"], data["name"], seat.number)
    if refused := votes.others_turn(sealing.state_of(game_set.named_game), seat.number):
        raise refused
    record_of_seat(seat, number, vote, data["tap_id"])
    return redirect("seat", game_set.code)


@require_POST
@conspiracy_view
@shows_refusals(show_refusal)
def take_back(request: Request, game_set: GameSet, number: int) -> HttpResponse:
    """Take back a mistaken vote as a whole."""
    tap_id = cleaned_data(Tap(request.POST))["tap_id"]
    by = scorekeepers.get_or_give_number(request, game_set)
    seen = request.POST.get("seen", "")
    votes.take_back(game_set, number, tap_id, timezone.now(), by, seen)
    if not request.htmx:
        return redirect("score", game_set.code)
    return answer(request, game_set, queries.games(game_set))
