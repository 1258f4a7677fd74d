"""Votes: called by a card, by the scorekeeper or on a player's phone, and taken back as a whole."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from coalition_site.lib.forms import Tap
from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ...models import Game, GameSet, Seat
from ...pages.board import about, who
from ...play import queries, scorekeepers
from ...rules.formats.conspiracy.counting import DILEMMA, WILL
from ...views.score import answer, record_tap, show_refusal
from ...views.seat import record_of_seat
from .. import sealing, votes
from ..cards import VOTES
from ..forms import VoteCardForm
from .agendas import conspiracy_view
from .seat_agendas import own_view


@require_http_methods(["GET", "HEAD", "POST"])
@conspiracy_view
@shows_refusals(show_refusal)
def call(request: Request, game_set: GameSet, game: Game) -> HttpResponse:
    if request.method != "POST":
        return render(request, "scoring/votes.html", about(game_set, game, cards=VOTES))
    data = cleaned_data(VoteCardForm(request.POST))
    vote = votes.of_card(data["vote_card"], data["name"], game.current_state.active)
    return record_tap(request, game_set, game.number, vote, data["tap_id"])


def _page(
    request: Request, game_set: GameSet, seat: Seat, game: Game, refused: Refused | None = None
) -> HttpResponse:
    closed = votes.closed(sealing.state_of(game), seat.number)
    shown = {
        "code": game_set.code,
        "number": game.number,
        "who": who(game_set, seat.number),
        "problem": refused.message(game_set.names) if refused else "",
        "closed": closed.message(game_set.names) if closed else "",
        "cards": VOTES,
        "kinds": (WILL, DILEMMA),
    }
    return render(request, "scoring/seat_votes.html", shown, status=422 if refused else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@own_view
@shows_refusals(_page)
def call_own(request: Request, game_set: GameSet, seat: Seat, game: Game) -> HttpResponse:
    if request.method != "POST":
        return _page(request, game_set, seat, game)
    data = cleaned_data(VoteCardForm(request.POST))
    vote = votes.of_card(data["vote_card"], data["name"], seat.number)
    if refused := votes.others_turn(sealing.state_of(game), seat.number):
        raise refused
    record_of_seat(seat, game.number, vote, data["tap_id"])
    return redirect("seat", game_set.code)


@require_POST
@conspiracy_view
@shows_refusals(show_refusal)
def take_back(request: Request, game_set: GameSet, game: Game) -> HttpResponse:
    tap_id = cleaned_data(Tap(request.POST))["tap_id"]
    by = scorekeepers.get_or_give_number(request, game_set)
    seen = request.POST.get("seen", "")
    votes.take_back(game_set, game.number, tap_id, timezone.now(), by, seen)
    if not request.htmx:
        return redirect("score", game_set.code)
    return answer(request, game_set, queries.games(game_set))
